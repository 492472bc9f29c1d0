package overwrite

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"symmom/internal/store/files"
)

// bucket is a store that counts how often it is listed, and has nothing else.
type bucket struct {
	keys   []string
	listed int
}

func (b *bucket) List(_ context.Context, _ files.URL, _ bool, add func(string)) error {
	b.listed++
	for _, key := range b.keys {
		add(key)
	}
	return nil
}
func (*bucket) Stat(context.Context, files.URL) (files.Info, error) {
	return files.Info{}, fs.ErrNotExist
}
func (*bucket) Read(context.Context, files.URL, files.Info, int64, int64) (io.ReadCloser, error) {
	return nil, fs.ErrNotExist
}
func (*bucket) Create(context.Context, files.URL) (files.Writer, error) {
	return nil, errors.ErrUnsupported
}

// Directories and patterns of stores name objects, too. They are listed only where one of
// them could be written over. What is on disk is tried by the command's overwrite.txtar.
func TestStores(t *testing.T) {
	b := &bucket{keys: []string{"year/a.csv", "year/b.csv"}}
	files.Register("s3", b)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("old.html", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string // DATA, then values of --save and --html
		want string // "": no error
		ask  int
	}{
		{"s3://b/year/ s3://b/year/b.csv", "--save s3://b/year/b.csv: would be written over s3://b/year/b.csv, which the command reads for s3://b/year/; want another name", 1},
		{"s3://b/year/*.csv?region=x s3://b/year/a.csv", "--save s3://b/year/a.csv: would be written over s3://b/year/a.csv, which the command reads for s3://b/year/*.csv; want another name", 1},
		{"s3://b/year/ s3://b/year/c.csv", "", 1},
		{"s3://b/year/ s3://c/year/a.csv", "", 1},
		{"s3://b/year/ new.json old.html", "", 0},
		{"s3://b/year/a.csv s3://b/all.csv s3://b/./all.csv", "--save s3://b/all.csv: would be written over s3://b/./all.csv, which --html writes; want another name", 0},
	} {
		b.listed = 0
		args := strings.Fields(c.line)
		var save, html string
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Var(Writes(&html), "html", "")
		flags.Var(Writes(&save), "save", "")
		for i, name := range []string{"save", "html"} {
			if len(args) > i+1 {
				if err := flags.Set(name, args[i+1]); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := ""
		if err := Check(t.Context(), flags, args[:1], nil); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.line, got, c.want)
		}
		if b.listed != c.ask {
			t.Errorf("%s: the store was listed %d times, want %d", c.line, b.listed, c.ask)
		}
	}
}

// Each name that is written is looked at, of a directory that is made those in it that are
// there, and of a store one.
func TestWritable(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"m-2.json", "out/cost.json"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given string
		names []string
		want  string
	}{
		{"m.json", []string{"m-1.json", "m-2.json"}, "--save m-2.json: is a directory; give the name of a file"},
		{"m-2.json", []string{"m-2-1.json"}, ""},
		{"new", []string{"new/cost.json"}, ""},
		{"./new/", []string{"new/cost.json"}, ""},
		{"out", []string{"out/cost.json"}, "--save out/cost.json: is a directory; give the name of a file"},
		{"new/m.json", []string{"new/m-1.json"}, "--save new/m-1.json: there is no directory new; make it first"},
		{"ftp://a/b", []string{"ftp://a/b-1"}, `--save ftp://a/b-1: URLs with "ftp://" are not known; want s3://, gs://, azblob:// or https://`},
	} {
		var path string
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Var(WritesThese(&path, func() []string { return c.names }), "save", "")
		if err := flags.Set("save", c.given); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Writable(t.Context(), flags, nil); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.given, got, c.want)
		}
	}
}
