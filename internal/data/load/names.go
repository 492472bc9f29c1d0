package load

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/formats"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// LoadNames reads names of columns, such as the words of a vocabulary: a text with one on each
// line, or the dictionary of gensim (Dictionary.save_as_text), perhaps gzipped; or those that an
// NPZ archive has. Spaces around a name are dropped.
func LoadNames(ctx context.Context, path string) ([]string, error) {
	source := files.Name(path)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, OpenError(source, err)
	}
	defer f.Close()
	if of := formats.Of(files.Plain(path)); of != nil && of.Takes&formats.ArrayName != 0 {
		return namesIn(ctx, f, source, of)
	}
	in, err := formats.OpenText(ctx, f, source, 0)
	if err != nil {
		return nil, err
	}
	text, err := in.ReadAll(in.R)
	if err != nil {
		return nil, in.ReadError(err)
	}
	if err := in.Room("its names", 8*float64(len(text)), 0); err != nil {
		return nil, err
	}
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return nil, empty(source, "is empty; want a name on each line")
	}
	lines := strings.Split(string(text), "\n")
	if names, err := dictionary(source, lines); names != nil || err != nil {
		return names, err
	}
	for i, line := range lines {
		name := strings.TrimSpace(line)
		switch {
		case !utf8.ValidString(name):
			return nil, &ParseError{Source: source, Line: i + 1, Value: name, Want: "a name in " + wantUTF8}
		case name == "":
			return nil, fail(source, "line %d is blank, want a name on each line", i+1)
		}
		lines[i] = name
	}
	return lines, nil
}

// namesIn returns the names that a table has.
func namesIn(ctx context.Context, f files.File, source string, of *formats.Format) ([]string, error) {
	in, found, err := identify(ctx, f, source, of, Options{})
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, in, f, found, Options{}, true)
	if c.Contents != nil {
		defer c.Close()
	}
	if err != nil && (c.Contents == nil || c.Names == nil) { // else only the rest cannot be read so
		return nil, err
	}
	if c.Names == nil {
		return nil, fail(source, "has no names of columns; want counts that symmom counts wrote, or a text with a name on each line")
	}
	return c.Names, nil
}

// dictionary reads that of gensim: the number of documents, and lines of a number from 0 on, a
// word and the documents that it is in, separated by tabs. It returns nil if the lines are
// something else.
func dictionary(source string, lines []string) ([]string, error) {
	if _, err := strconv.Atoi(strings.TrimSpace(lines[0])); err != nil || len(lines) < 2 || strings.Count(lines[1], "\t") != 2 {
		return nil, nil
	}
	names := make([]string, len(lines)-1)
	for i, line := range lines[1:] {
		wrong := func(format string, args ...any) error {
			return fail(source, "line %d: %s", i+2, fmt.Sprintf(format, args...))
		}
		fields := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		if len(fields) != 3 {
			return nil, wrong("got %s, want 3 as in the lines above: a number, a word and a number of documents", words.Plural(len(fields), "field"))
		}
		id, err := strconv.Atoi(fields[0])
		switch {
		case err != nil || id < 0 || id >= len(names):
			return nil, wrong("got %s, want the number of a word, from 0 to %d", words.Quote(fields[0]), len(names)-1)
		case names[id] != "":
			return nil, wrong("the words %s and %s have the same number, %d", words.Quote(names[id]), words.Quote(fields[1]), id)
		case fields[1] == "" || !utf8.ValidString(fields[1]):
			return nil, wrong("got %s, want a word in UTF-8", words.Quote(fields[1]))
		}
		names[id] = fields[1]
	}
	return names, nil
}

// called gives the n columns of a source the names that the options have, which may be none.
func (o Options) called(source string, n int) ([]string, error) {
	if o.Names != nil && len(o.Names) != n {
		return nil, diag.Helped(fail(source, "has %s, and the list has %s; want one for each", words.Plural(n, "column"), words.Plural(len(o.Names), "name")), "Words")
	}
	return o.Names, nil
}
