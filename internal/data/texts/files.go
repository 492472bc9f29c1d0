package texts

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/load"
	"symmom/internal/data/shards"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Files are documents in files, which Paths has found.
type Files struct {
	Paths     []string
	Of        string // what the documents are called in messages; "": the only file
	Column    string // of tables, whose rows are the documents; of JSON lines, a field
	Lines     bool   // each line of a text is a document
	Header    load.Header
	Delimiter rune // of a text table; 0: inferred
}

// Paths returns the files that arguments name, in order: those of a directory by name, without
// hidden ones, of a pattern, of a list, @files.txt, or right below a URL that ends in a slash.
func Paths(ctx context.Context, given []string) (all []string, err error) {
	for _, path := range given {
		some, err := below(ctx, path)
		if err != nil {
			return nil, err
		}
		if some == nil {
			some = []string{path}
		}
		all = append(all, some...)
	}
	return all, nil
}

// below returns the files that a path names together, or nil.
func below(ctx context.Context, path string) (some []string, err error) {
	if info, err := os.Stat(path); files.IsURL(path) || err != nil || !info.IsDir() {
		return shards.Here(ctx, path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, load.OpenError(path, err)
	}
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") {
			some = append(some, filepath.Join(path, name))
		}
	}
	if some == nil {
		return nil, diag.Fail(path, "is a directory without files; want texts right in it")
	}
	return some, nil
}

// Name returns a name for all of them.
func (f Files) Name() string {
	switch {
	case f.Of != "":
		return f.Of
	case len(f.Paths) == 1:
		return files.Name(f.Paths[0])
	}
	return words.Plural(len(f.Paths), "file")
}

// Each passes on the documents of one file after the other.
func (f Files) Each(ctx context.Context, limit uint64, do func(document string) error) error {
	for _, path := range f.Paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.file(ctx, path, limit, do); err != nil {
			return err
		}
	}
	return nil
}

// file passes on those of one.
func (f Files) file(ctx context.Context, path string, limit uint64, do func(string) error) error {
	format := formats.Of(files.Plain(path))
	if json := isJSON(path); json && f.Column == "" {
		return diag.Helped(diag.Fail(files.Name(path), "has JSON lines: say which field holds the texts"), "Column")
	} else if json {
		return f.text(ctx, path, limit, f.fields(do))
	}
	switch {
	case format == nil && f.Column == "":
	case format == nil: // by its content
		return f.guess(ctx, path, limit, do)
	case !format.Parts && format.Takes&formats.Delimiter == 0:
		return diag.Fail(files.Name(path), "holds numbers (%s), want texts", format.Name)
	default:
		return f.table(ctx, path, limit, do)
	}
	return f.text(ctx, path, limit, func(in formats.Input) error {
		if f.Lines {
			return eachLine(in, func(line []byte, number int) error {
				if !utf8.Valid(line) {
					return notUTF8(in.Name, "", number, string(line))
				}
				return do(string(line))
			})
		}
		text, err := in.ReadAll(in.R)
		switch {
		case err != nil:
			return in.ReadError(err)
		case !utf8.Valid(text):
			return notUTF8(in.Name, "", 1, string(text))
		}
		return do(string(text))
	})
}

func isJSON(path string) bool {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(files.Plain(path)), ".gz")) {
	case ".jsonl", ".ndjson":
		return true
	}
	return false
}

// text opens a file that is no table.
func (f Files) text(ctx context.Context, path string, limit uint64, read func(formats.Input) error) error {
	name := files.Name(path)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := files.Open(ctx, path)
	if err != nil {
		return load.OpenError(name, err)
	}
	defer r.Close()
	if info, err := r.Stat(); err == nil && info.IsDir() {
		return diag.Fail(name, "is a directory; want texts")
	}
	in, err := formats.OpenText(ctx, r, name, limit)
	if err != nil {
		return err
	}
	return read(in)
}

// guess reads JSON lines or a table of text, which a name does not tell apart.
func (f Files) guess(ctx context.Context, path string, limit uint64, do func(string) error) error {
	return f.text(ctx, path, limit, func(in formats.Input) error {
		if braced(in) {
			return f.fields(do)(in)
		}
		return f.rows(ctx, in, do)
	})
}

// braced reports whether a text begins as an object of JSON does.
func braced(in formats.Input) bool {
	head, err := in.Peek(formats.Head)
	return err == nil && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{"))
}

// eachLine passes on the lines of a text, without their ends.
func eachLine(in formats.Input, do func(line []byte, number int) error) error {
	const longest = 64 << 20
	var long []byte
	for number := 1; ; number++ {
		long = long[:0]
		part, err := in.R.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			if long = append(long, part...); len(long) > longest {
				return diag.Fail(in.Name, "line %d is longer than %s; want a document on each line", number, words.Bytes(longest))
			}
			part, err = in.R.ReadSlice('\n')
		}
		if len(long) > 0 {
			long = append(long, part...)
			part = long
		}
		switch {
		case err == io.EOF && len(part) == 0:
			return nil
		case err != nil && err != io.EOF:
			return in.ReadError(err)
		}
		if err := do(bytes.TrimRight(part, "\r\n"), number); err != nil {
			return err
		}
	}
}

// columnOf finds the column of texts among those of a table, which names are nil if it has none.
func (f Files) columnOf(source string, names []string, n int) (int, error) {
	if f.Column == "" {
		shown := make([]string, 0, n)
		for j, name := range names {
			if name == "" {
				name = fmt.Sprintf("column %d", j+1)
			}
			shown = append(shown, words.Quote(diag.Name(name)))
		}
		text := "is a table: say which column holds the texts"
		if names != nil {
			text += "; its columns are " + diag.List(shown)
		}
		return 0, diag.Helped(diag.Fail(source, "%s", text), "Column")
	}
	from, to, err := columns.Resolve(source, "column", f.Column, names, columns.PlacesOf(names), n)
	if err == nil && from != to {
		err = diag.Fail(source, "column %s: want one column, got a range", words.Quote(f.Column))
	}
	return from, err
}
