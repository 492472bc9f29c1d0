// Package shards lists the files of a table that is a directory, a pattern such as
// part-*.csv, or a list of files.
package shards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/data/formats"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Files returns the files that path names together, in order: those of a directory by
// name, without hidden files and those that begin with an underscore, as other programs
// leave them; those that match a pattern, by name; or those of @list, a text file with a
// path or a URL on each line, relative to the list, in its order. So do URLs of stores,
// where a directory ends in a slash. It returns nil if path names one file. Files of a
// directory or a pattern must have extensions of one format, and no log of Delta Lake,
// Hudi or Iceberg beside them that says which of them count.
func Files(ctx context.Context, path string) ([]string, error) { return find(ctx, path, false) }

// Here is like Files, for files opened on this machine: those of a list must exist.
func Here(ctx context.Context, path string) ([]string, error) { return find(ctx, path, true) }

// Named is like Files, without the checks that matter only for reading.
func Named(ctx context.Context, path string) ([]string, error) { return named(ctx, path, false) }

func find(ctx context.Context, path string, here bool) ([]string, error) {
	names, err := named(ctx, path, here)
	if strings.HasPrefix(path, "@") || err != nil && files.IsURL(path) && !errors.Is(err, fs.ErrNotExist) {
		return names, err
	}
	of := names
	if err != nil {
		of = []string{path, path + "/"} // no file right here, but a log perhaps
	}
	return names, cmp.Or(logged(ctx, path, of), err)
}

func named(ctx context.Context, path string, here bool) ([]string, error) {
	if list, ok := strings.CutPrefix(path, "@"); ok {
		return listed(ctx, list, here)
	}
	return several(ctx, path)
}

// several finds the files of a directory or a pattern.
func several(ctx context.Context, path string) ([]string, error) {
	if files.IsURL(path) {
		return inStore(ctx, path)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return inDirectory(path)
	case err == nil || !strings.ContainsAny(path, "*?["):
		return nil, nil // one file, or an error for who opens it
	}
	names, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("%s: is not a pattern of file names (%w); want one such as 'part-*.csv'", path, err)
	}
	if err := readable(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if names, err = regular(path, names); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, noMatch(path)
	}
	slices.Sort(names)
	return names, sameFormat(path, names)
}

// readable returns an error for a directory that a pattern names and that may not be
// read: filepath.Glob finds nothing there and does not say why.
func readable(pattern string) error {
	dirs := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		if err := readable(filepath.Dir(pattern)); err != nil {
			return err
		}
		var err error
		if dirs, err = filepath.Glob(pattern); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			var d *os.File
			if d, err = os.Open(dir); err == nil {
				d.Close()
			}
		}
		if errors.Is(err, fs.ErrPermission) {
			return diag.Open(dir, err)
		}
	}
	return nil
}

func noMatch(path string) error {
	return fmt.Errorf("%s: no file matches; check the pattern (%w)", files.Name(path), fs.ErrNotExist)
}

// inStore lists objects.
func inStore(ctx context.Context, path string) ([]string, error) {
	names, several, err := files.List(ctx, path)
	if err != nil || !several {
		return nil, err
	}
	below := strings.HasSuffix(files.Plain(path), "/")
	names = slices.DeleteFunc(names, func(f string) bool {
		f = files.Plain(f)
		return left(f[strings.LastIndexByte(f, '/')+1:]) || below && formats.Of(f) == nil
	})
	switch {
	case len(names) == 0 && below:
		return nil, fmt.Errorf("%s: there are no data files; want CSV, NPY, Parquet or other tables right below it (%w)", files.Name(path), fs.ErrNotExist)
	case len(names) == 0:
		return nil, noMatch(path)
	}
	return names, sameFormat(path, names)
}

// left reports whether a file of this name is omitted.
func left(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

// regular omits directories and the files of left. A pipe or a device among files is
// refused: opening a pipe blocks until somebody writes to it, perhaps for ever. Other
// errors are left to the opener.
func regular(path string, names []string) ([]string, error) {
	var found []string
	for _, f := range names {
		info, err := os.Stat(f)
		switch {
		case left(filepath.Base(f)) || err == nil && info.IsDir():
		case err == nil && !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s: %s is a pipe or a device, no file; move it, or choose the files with a pattern such as 'part-*.csv' or with a list (@files.txt)", path, f)
		default:
			found = append(found, f)
		}
	}
	return found, nil
}

func inDirectory(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, diag.Open(path, err)
	}
	var names []string
	for _, e := range entries { // by name
		if formats.Of(e.Name()) != nil {
			names = append(names, filepath.Join(path, e.Name()))
		}
	}
	if names, err = regular(path, names); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: is a directory without data files; want CSV, NPY, Parquet or other tables in it, or a pattern such as '%s'", path, below(path))
	}
	return names, sameFormat(path, names)
}

// sameFormat refuses files of different formats.
func sameFormat(path string, names []string) error {
	first := files.Plain(names[0])
	for _, f := range names[1:] {
		if f = files.Plain(f); formats.Of(f) != formats.Of(first) {
			return fmt.Errorf("%s: %s and %s are of different formats; choose those of one with a pattern such as '*%s'",
				files.Name(path), filepath.Base(first), filepath.Base(f), filepath.Ext(first))
		}
	}
	return nil
}

// mostList is the size of a list in bytes.
const mostList = 16 << 20

func listed(ctx context.Context, list string, here bool) ([]string, error) {
	name := files.Name(list)
	text, err := readList(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("@%w", err)
	}
	var names []string
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.ContainsRune(line, 0):
			return nil, fmt.Errorf("@%s: line %d: not a path; want a text file with the path of a table on each line", name, i+1)
		case files.IsURL(list):
			line = files.Beside(list, line)
		case !filepath.IsAbs(line) && !files.IsURL(line):
			line = filepath.Join(filepath.Dir(list), line)
		}
		if _, err := os.Stat(line); here && errors.Is(err, fs.ErrNotExist) && !files.IsURL(line) {
			return nil, fmt.Errorf("@%s: line %d: %w; want a list, a text file with the path of a table on each line", name, i+1, diag.Open(diag.Short(line), fs.ErrNotExist))
		}
		names = append(names, line)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("@%s: the list is empty; want the path of a table on each line", name)
	}
	return names, nil
}

// readList reads a list, which is a regular file or an object. Errors begin with its name.
func readList(ctx context.Context, list string) ([]byte, error) {
	name := files.Name(list)
	wrong := fmt.Errorf("%s: want a text file with the path of a table on each line", name)
	if info, err := os.Stat(list); err == nil && info.IsDir() {
		return nil, wrong
	}
	f, err := files.Open(ctx, list)
	if errors.Is(err, fs.ErrNotExist) && !files.IsURL(list) {
		return nil, fmt.Errorf("%s: the list of files: %w; check the path", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, diag.Open(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostList+1))
	switch {
	case err != nil:
		return nil, diag.Open(name, err)
	case len(text) > mostList:
		return nil, wrong
	}
	return text, nil
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
			return nil, fmt.Errorf("has no column %s among those that are read, as the first table has; choose columns by name that both have", words.Quote(name))
		}
		order[j] = k
		delete(at, name)
	}
	for _, name := range other {
		if _, more := at[name]; more {
			return nil, fmt.Errorf("has a column %s among those that are read, which the first table does not have; choose columns by name that both have", words.Quote(name))
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
