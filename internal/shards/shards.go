// Package shards finds the files that are one table together: those of a directory, of
// a pattern such as part-*.csv, or of a list.
package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/formats"
	"symmom/internal/words"
)

// Files returns the files that path names together, in order: those of a directory by
// name, without hidden files and those that begin with an underscore, as other programs
// leave them; those that match a pattern, by name; or those of @list, a text file with a
// path on each line, relative to the list, in its order. It returns nil if path names one
// file. Files of a directory or a pattern must have extensions of one format.
func Files(path string) ([]string, error) {
	if list, ok := strings.CutPrefix(path, "@"); ok {
		return listed(list)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return inDirectory(path)
	case err == nil || !strings.ContainsAny(path, "*?["):
		return nil, nil // one file, or an error for who opens it
	}
	files, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("%s: is not a pattern of file names (%w); want one such as 'part-*.csv'", path, err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return left(filepath.Base(f)) || isDirectory(f) })
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no file matches; check the pattern (%w)", path, fs.ErrNotExist)
	}
	slices.Sort(files)
	return files, sameFormat(path, files)
}

// left reports whether a file of this name is left out.
func left(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func inDirectory(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries { // by name
		if file := filepath.Join(path, e.Name()); !left(e.Name()) && formats.Of(e.Name()) != "" && !isDirectory(file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: is a directory without data files; want CSV, NPY, Parquet or other tables in it, or a pattern such as '%s'", path, filepath.Join(path, "*", "*.csv"))
	}
	return files, sameFormat(path, files)
}

// sameFormat refuses files of different formats.
func sameFormat(path string, files []string) error {
	for _, f := range files[1:] {
		if formats.Of(f) != formats.Of(files[0]) {
			return fmt.Errorf("%s: %s and %s are of different formats; choose those of one with a pattern such as '*%s'",
				path, filepath.Base(files[0]), filepath.Base(f), filepath.Ext(files[0]))
		}
	}
	return nil
}

func listed(list string) ([]string, error) {
	const most = 16 << 20
	info, err := os.Stat(list)
	switch {
	case err != nil:
		var place *fs.PathError
		if errors.Is(err, fs.ErrNotExist) {
			err = fs.ErrNotExist
		} else if errors.As(err, &place) {
			err = place.Err
		}
		return nil, fmt.Errorf("@%s: the list of files: %w; check the path", list, err)
	case info.IsDir() || info.Size() > most:
		return nil, fmt.Errorf("@%s: want a text file with the path of a table on each line", list)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, fmt.Errorf("@%s: %w", list, err)
	}
	var files []string
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.ContainsRune(line, 0):
			return nil, fmt.Errorf("@%s: line %d: is no path; want a text file with the path of a table on each line", list, i+1)
		case !filepath.IsAbs(line):
			line = filepath.Join(filepath.Dir(list), line)
		}
		files = append(files, line)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("@%s: the list is empty; want the path of a table on each line", list)
	}
	return files, nil
}

// Order returns where the columns of a first table are in another one: the column names
// of both, or numbers of columns if neither has names or only the first does. nil means
// that they are in order. The error says what differs.
func Order(first, other []string, n, m int) ([]int, error) {
	if first == nil && other != nil && n == m {
		return nil, fmt.Errorf("has names of columns, and the first table has none")
	}
	if first == nil || other == nil {
		if n != m {
			return nil, fmt.Errorf("has %s, want %d as the first table", words.Plural(m, "column"), n)
		}
		return nil, nil
	}
	if slices.Equal(first, other) {
		return nil, nil
	}
	at := map[string]int{}
	for j, name := range other {
		if _, twice := at[name]; twice {
			return nil, fmt.Errorf("has two columns %s, in another order than the first table", words.Quote(name))
		}
		at[name] = j
	}
	order := make([]int, n)
	for j, name := range first {
		k, ok := at[name]
		if !ok {
			return nil, fmt.Errorf("has no column %s, which the first table has", words.Quote(name))
		}
		order[j] = k
		delete(at, name)
	}
	for _, name := range other {
		if _, more := at[name]; more {
			return nil, fmt.Errorf("has a column %s, which the first table does not have", words.Quote(name))
		}
	}
	return order, nil
}

// Reorder moves the columns of rows of values: column j comes from order[j]; nil: they
// stay.
func Reorder[T float32 | float64](values []T, order []int) {
	if order == nil {
		return
	}
	row := make([]T, len(order))
	for i := 0; i+len(order) <= len(values); i += len(order) {
		copy(row, values[i:])
		for j, k := range order {
			values[i+j] = row[k]
		}
	}
}
