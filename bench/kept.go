package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"symmom/internal/store/atomicfile"
)

// kept returns the result of do. If data are kept, the result is stored under its
// name and found by the next run, so that an hour of work can be done in pieces.
func kept[T any](b *bench, name string, do func() (T, error)) (v T, err error) {
	if !b.keep {
		return do()
	}
	path := filepath.Join(b.dir, strings.NewReplacer("/", "-", " ", "-", ",", "").Replace(name)+".gob")
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		if err := gob.NewDecoder(file).Decode(&v); err != nil {
			return v, fmt.Errorf("%s: %w (remove it)", path, err)
		}
		return v, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return v, err
	}
	if v, err = do(); err != nil {
		return v, err
	}
	err = atomicfile.WriteFunc(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(v) })
	return v, err
}
