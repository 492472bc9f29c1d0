package shards

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/data/formats"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// mostLooked is how many files and folders are looked at for a pattern in a message.
const mostLooked = 1000

// below returns a pattern for the data files in folders of dir, of the format that the
// first one has, such as 'dir/*/*.parquet'.
func below(dir string) string {
	pattern, looked := filepath.Join("*", "*.csv"), 0
	_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		looked++
		switch {
		case looked > mostLooked:
			return fs.SkipAll
		case err != nil, file == dir:
			return nil
		case d.IsDir() && left(d.Name()):
			return fs.SkipDir
		case d.IsDir() || left(d.Name()) || formats.Of(d.Name()) == nil:
			return nil
		}
		depth := strings.Count(strings.TrimPrefix(file, filepath.Clean(dir)), string(filepath.Separator)) - 1
		pattern = filepath.Join(strings.Repeat("*"+string(filepath.Separator), depth), "*"+filepath.Ext(file))
		return fs.SkipAll
	})
	return filepath.Join(dir, pattern)
}

// partition splits the name of a folder that holds the value of a column, key=value, as
// Spark and Hive write tables.
func partition(folder string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(folder, "=")
	return key, value, ok && key != ""
}

// Unread warns of columns that only the names of folders hold, with values that are not
// the same for all files: nobody reads them.
func Unread(paths []string) []diag.Warning {
	first := map[string]string{}
	var keys []string
	for i, file := range paths {
		folders := strings.Split(filepath.ToSlash(files.Plain(file)), "/")
		for _, folder := range folders[:len(folders)-1] {
			key, value, ok := partition(folder)
			if was, there := first[key]; ok && there && was != value && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			if ok && i == 0 {
				first[key] = value
			}
		}
	}
	if keys == nil {
		return nil
	}
	return []diag.Warning{diag.New(diag.LeftOut, "%s left out, found only in the names of folders: %s; the data must be in the files", words.Plural(len(keys), "column"), strings.Join(keys, ", "))}
}

// logs are folders in that of a table, and what is in them, that say which files of the table
// count: the others are what it had in the past.
var logs = []struct{ folder, file, of string }{
	{"_delta_log", "*", "Delta Lake"},
	{".hoodie", "*", "Hudi"},
	{"metadata", "snap-*.avro", "Iceberg"},
}

// logged refuses files below a folder with a log.
func logged(ctx context.Context, table string, names []string) error {
	looked := map[string]bool{}
	for _, name := range names {
		for _, up := range above(name) {
			for _, log := range logs {
				where := beside(name, path.Join(up, log.folder, log.file))
				if looked[where] {
					continue
				}
				looked[where] = true
				if isThere(ctx, where) {
					return fmt.Errorf("%s: these are files of %s, whose log says which of them count; write the table as Parquet, or name those that count in a list (@files.txt)", files.Name(table), log.of)
				}
			}
		}
	}
	return nil
}

// above returns the folders that may be of the table that a file is of, relative to that of
// the file. A store is asked for each of them: there they are those over partitions, and over
// Iceberg's folder of data.
func above(file string) (ups []string) {
	folder, store := path.Dir(filepath.ToSlash(files.Plain(file))), files.IsURL(file)
	if !store {
		if f, err := filepath.Abs(filepath.FromSlash(folder)); err == nil {
			folder = filepath.ToSlash(f)
		}
	}
	for up := ""; ; up += "../" {
		_, _, ok := partition(path.Base(folder))
		if !ok {
			ups = append(ups, up)
		}
		if store && !ok && !strings.Contains(folder+"/", "/data/") || folder == path.Dir(folder) {
			return ups
		}
		folder = path.Dir(folder)
	}
}

// beside is a path relative to the folder of a file.
func beside(file, name string) string {
	if files.IsURL(file) {
		return files.Beside(file, name)
	}
	return filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
}

// isThere reports whether there are files of a pattern, which only their names have.
func isThere(ctx context.Context, pattern string) bool {
	if files.IsURL(pattern) {
		found, _, err := files.List(ctx, pattern)
		return err == nil && len(found) > 0
	}
	entries, _ := os.ReadDir(filepath.Dir(pattern)) // none: the folder is not there, or is not for us
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		ok, _ := path.Match(filepath.Base(pattern), e.Name())
		return ok
	})
}
