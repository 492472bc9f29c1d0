package shards

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/store/files"
)

// write makes empty files below dir, and their folders.
func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		f := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The pattern in the message about a folder without data files is of what is below it, and
// finds that.
func TestBelow(t *testing.T) {
	for want, names := range map[string][]string{
		"*/*.parquet":   {"_SUCCESS", "_tmp/x.csv", "k=0/.part.parquet.crc", "k=0/part-0.snappy.parquet", "k=1/part-0.snappy.parquet"},
		"*/*/*.parquet": {"k=0/j=1/part-0.parquet", "k=1/j=0/part-0.parquet"},
		"*/*.gz":        {"2024/a.csv.gz", "2025/a.csv.gz"},
		"*/*.csv":       {"notes.txt.md"}, // nothing
	} {
		dir := t.TempDir()
		write(t, dir, names...)
		_, err := Files(t.Context(), dir)
		if pattern := filepath.Join(dir, want); err == nil || !strings.HasSuffix(err.Error(), "'"+pattern+"'") {
			t.Errorf("%s: %v", want, err)
		} else if found, err := Files(t.Context(), pattern); len(names) > 1 && (err != nil || len(found) != 2) {
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
	}
}

func TestUnread(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{nil, ""},
		{[]string{"t/part-0.parquet", "t/part-1.parquet"}, ""},
		{[]string{"t/k=0/part-0.parquet", "t/k=0/part-1.parquet"}, ""}, // the same for all
		{[]string{"t/k=0/part-0.parquet", "t/k=1/part-0.parquet"}, "1 column left out, found only in the names of folders: k; the data must be in the files"},
		{[]string{"s3://b/k=0/j=a/p.csv?region=x", "s3://b/k=0/j=b/p.csv?region=x", "s3://b/k=1/j=b/p.csv?region=x"}, "2 columns left out, found only in the names of folders: j, k; the data must be in the files"},
		{[]string{"t/x=1.csv", "t/x=2.csv", "t/=3/a.csv", "t/=4/a.csv"}, ""}, // names of files, and of nothing
	} {
		got := ""
		if w := Unread(c.paths); len(w) > 0 {
			got = w[0].Text
		}
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.paths, got, c.want)
		}
	}
}

// listing is a store that has objects of these names.
type listing struct {
	files.Store
	keys []string
}

func (l listing) List(_ context.Context, u files.URL, flat bool, add func(string)) error {
	for _, key := range l.keys {
		if rest, ok := strings.CutPrefix(key, u.Key); ok && !(flat && strings.Contains(rest, "/")) {
			add(key)
		}
	}
	return nil
}

// Files of a table with a log are refused, wherever they are, unless a list names them:
// some are not of the table any more.
func TestLogged(t *testing.T) {
	for log, of := range map[string]string{"_delta_log/0.json": "Delta Lake", ".hoodie/0.commit": "Hudi", "metadata/snap-1-0-u.avro": "Iceberg"} {
		names := []string{"a/" + log, "a/p0.parquet", "a/p1.parquet", "a/data/p0.parquet", "a/data/0110/01/k=0/p0.parquet", "b/" + log, "b/k=0/j=0/p0.parquet", "b/k=1/j=0/p0.parquet", "c/p0.parquet", "c/k=0/p1.parquet", "c/metadata/x.metadata.json"}
		dir := t.TempDir()
		write(t, dir, names...)
		files.Register("logged", listing{keys: names})
		for _, root := range []string{dir + "/", "logged://bucket/"} {
			for _, refused := range []string{"a/", "a/*.parquet", "a/data/", "a/data/*/*/*/*.parquet", "b/", "b/*.parquet", "b/k=0/j=0/", "b/*/*/*.parquet"} {
				if found, err := Files(t.Context(), root+refused); err == nil || !strings.Contains(err.Error(), "these are files of "+of) {
					t.Errorf("%s%s: %v, %v", root, refused, found, err)
				}
			}
			for _, taken := range []string{"c/", "c/k=0/"} {
				if found, err := Files(t.Context(), root+taken); err != nil || len(found) != 1 {
					t.Errorf("%s%s: %v, %v", root, taken, found, err)
				}
			}
		}
		list := filepath.Join(dir, "list.txt")
		if err := os.WriteFile(list, []byte("a/p1.parquet\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if found, err := Here(t.Context(), "@"+list); err != nil || !slices.Equal(found, []string{filepath.Join(dir, "a/p1.parquet")}) {
			t.Errorf("a list: %v, %v", found, err)
		}
	}
}
