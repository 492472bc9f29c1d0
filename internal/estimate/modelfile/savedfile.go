package modelfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"symmom/internal/data/load"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
)

// Kind is a kind of file. Go writes the shortest decimal that gives the same float64
// back, so a round trip keeps every bit.
type Kind struct {
	What    string // "model", for messages
	Format  string
	Version int // the newest
}

// Head begins each.
type Head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// Head is that of the newest version.
func (k Kind) Head() Head { return Head{k.Format, k.Version} }

// ending is one that promises a format, which that of "fit-1.5" does not.
var ending = regexp.MustCompile(`^\.[a-z]+[0-9]?$`)

// CheckJSONName returns an error if the name of a file to write promises another format
// than JSON or those that also can be written.
func CheckJSONName(what, path string, also ...string) error {
	ext := files.Ext(path)
	if ext == ".json" || slices.Contains(also, ext) || !ending.MatchString(ext) {
		return nil
	}
	if len(also) == 0 {
		return fmt.Errorf("a %s is written as JSON, not as %s; want a name that ends in .json", what, ext)
	}
	return fmt.Errorf("a %s cannot be written as %s; want a name that ends in .json, %s or %s", what, ext, strings.Join(also[:len(also)-1], ", "), also[len(also)-1])
}

// Write writes v, which begins with the head. The file appears whole or not at
// all: when writing fails, or ctx ends, an older file of that name stays as it was.
func (k Kind) Write(ctx context.Context, path string, v any) error {
	if err := CheckJSONName(k.What, path); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return files.Write(ctx, path, withPoints(b.Bytes()))
}

// withPoints gives each -0 of indented JSON a decimal point: Python reads -0 as a whole number,
// which has no sign then. No text ends a line, since its quotation mark follows it.
func withPoints(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte(" -0,\n"), []byte(" -0.0,\n"))
	return bytes.ReplaceAll(text, []byte(" -0\n"), []byte(" -0.0\n"))
}

// Read reads a file into v, and checks the head that it has in v.
func (k Kind) Read(ctx context.Context, path string, v any, head *Head) error {
	data, err := load.ReadFile(ctx, path, Copies)
	if err != nil {
		return err
	}
	return k.Decode(path, data, v, head)
}

// ours begins the formats of this project.
const ours = "symmom-"

// OtherError is that of a file of another kind.
type OtherError struct {
	Path, What string // What the file holds: "model", "mixture"
	Want       Kind
}

func (e *OtherError) Error() string {
	return e.Want.Bad(e.Path, "it holds a %s; give a file in which a %s was saved", e.What, e.Want.What).Error()
}

// Copies is how many times the size of a file its contents take: the shortest that JSON
// writes, "0,", becomes 8 bytes in a slice that grows, and then in a matrix.
const Copies = 16

// Decode is Read of what the file at path holds.
func (k Kind) Decode(path string, data []byte, v any, head *Head) error {
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(data, v); {
	case errors.As(err, &syntax):
		return k.Bad(path, "not JSON (%v); give a file in which a %s was saved", err, k.What)
	case err != nil:
		return k.Bad(path, "%v", err)
	case head.Format != k.Format && strings.HasPrefix(head.Format, ours):
		return &OtherError{path, strings.Replace(strings.TrimPrefix(head.Format, ours), "topics", "topic model", 1), k}
	case head.Format != k.Format:
		return k.Bad(path, "\"format\" is %s, want %q", words.Quote(head.Format), k.Format)
	case head.Version < 1 || head.Version > k.Version:
		return k.Bad(path, "\"version\" is %d, this symmom reads up to %d", head.Version, k.Version)
	}
	if wrong := misread(data, v); wrong != "" {
		return k.Bad(path, "%s", wrong)
	}
	return nil
}

// Bad describes an error in a file.
func (k Kind) Bad(path, format string, args ...any) error {
	return fmt.Errorf("%s: not a usable %s file: %s", files.Name(path), k.What, fmt.Sprintf(format, args...))
}
