package symmom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"symmom/internal/atomicfile"
	"symmom/internal/observations"
)

// savedFile is a kind of file: JSON, so that any language reads it. Go writes
// the shortest decimal that gives the same float64 back, so a round trip keeps
// every bit.
type savedFile struct {
	what, writer string // "model", "Model.Save": for messages
	format       string
	version      int // the newest
}

// fileHead begins each.
type fileHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

func (k savedFile) head() fileHead { return fileHead{k.format, k.version} }

// write writes v, which begins with the head. The file appears whole or not at
// all: when writing fails an older file of that name stays as it was.
func (k savedFile) write(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", " ")
	err := enc.Encode(v)
	if err == nil {
		err = atomicfile.Write(path, b.Bytes())
	}
	if err != nil {
		return &SaveError{path, err}
	}
	return nil
}

// read reads a file into v, and checks the head that it has in v.
func (k savedFile) read(ctx context.Context, path string, v any, head *fileHead) error {
	data, err := observations.ReadFile(ctx, path, savedCopies)
	if err != nil {
		return err
	}
	return k.decode(path, data, v, head)
}

// savedCopies is how many times the size of a file its contents take: the shortest that
// JSON writes, "0,", becomes 8 bytes in a slice that grows, and then in a matrix.
const savedCopies = 16

// decode is read of a file's data.
func (k savedFile) decode(path string, data []byte, v any, head *fileHead) error {
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(data, v); {
	case errors.As(err, &syntax):
		return k.bad(path, "not JSON (%v); give a file that %s wrote", err, k.writer)
	case err != nil:
		return k.bad(path, "%v", err)
	case head.Format != k.format:
		return k.bad(path, "\"format\" is %q, want %q", head.Format, k.format)
	case head.Version < 1 || head.Version > k.version:
		return k.bad(path, "\"version\" is %d, this symmom reads up to %d", head.Version, k.version)
	}
	return nil
}

// bad says what is wrong with a file.
func (k savedFile) bad(path, format string, args ...any) error {
	return fmt.Errorf("%s: not a usable %s file: %s", path, k.what, fmt.Sprintf(format, args...))
}
