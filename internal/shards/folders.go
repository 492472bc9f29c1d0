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

	"symmom/internal/files"
	"symmom/internal/formats"
	"symmom/internal/notice"
	"symmom/internal/words"
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
		case d.IsDir() || left(d.Name()) || formats.Of(d.Name()) == "":
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
func Unread(paths []string) []notice.Warning {
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
	return []notice.Warning{notice.New(notice.LeftOut, "%s left out, found only in the names of folders: %s; what is to be read must be in the files", words.Plural(len(keys), "column"), strings.Join(keys, ", "))}
}

// logged refuses files beside which a log says which of them count: the others are what a
// table had in the past.
func logged(ctx context.Context, table string, names []string) error {
	looked := map[string]bool{}
	for _, name := range names {
		dir, up := path.Dir(filepath.ToSlash(files.Plain(name))), ""
		for _, _, ok := partition(path.Base(dir)); ok; _, _, ok = partition(path.Base(dir)) {
			dir, up = path.Dir(dir), up+"../"
		}
		if looked[dir] {
			continue
		}
		looked[dir] = true
		for _, log := range []struct{ folder, of string }{{"_delta_log", "Delta Lake"}, {".hoodie", "Hudi"}} {
			if isThere(ctx, name, up+log.folder) {
				return fmt.Errorf("%s: these are files of %s, whose log says which of them count; write the table as Parquet, or name those that count in a list (@files.txt)", files.Name(table), log.of)
			}
		}
	}
	return nil
}

// isThere reports whether a folder is at a path relative to a file.
func isThere(ctx context.Context, file, folder string) bool {
	if files.IsURL(file) {
		found, _, err := files.List(ctx, files.Beside(file, folder+"/*"))
		return err == nil && len(found) > 0
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(file), folder))
	return err == nil
}
