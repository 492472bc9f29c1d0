package files

import (
	"os"
	"path/filepath"
	"testing"
)

// One file has many names.
func TestIdentity(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.EvalSymlinks(".")
	if err != nil {
		t.Fatal(err)
	}
	if here, err = filepath.Abs(here); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.Mkdir("d", 0o755), os.WriteFile("a.csv", []byte("1\n"), 0o644), os.WriteFile("b.csv", []byte("1\n"), 0o644),
		os.Symlink("a.csv", "link.csv"), os.Link("a.csv", "hard.csv"), os.Symlink(".", "also"),
		os.Symlink("new.csv", "points.csv"), os.Symlink(filepath.Join(here, "points.csv"), "d/further.csv"), os.Symlink("circle", "circle"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a.csv", "a.csv", true},
		{"a.csv", "./d/../a.csv", true},
		{"a.csv", filepath.Join(here, "a.csv"), true},
		{"a.csv", "link.csv", true},
		{"a.csv", "hard.csv", true},
		{"hard.csv", "also/also/link.csv", true},
		{"a.csv", "b.csv", false},
		{"a.csv", "new.csv", false},
		{"new.csv", "./new.csv", true},
		{"new.csv", "also/new.csv", true},
		{"new.csv", "points.csv", true}, // once new.csv is written, the link leads to it
		{"new.csv", "d/further.csv", true},
		{"new.csv", "d/new.csv", false},
		{"new.csv", "nosuch/new.csv", false},
		{"circle", "new.csv", false},
		{"d", "d", false},
		{os.DevNull, os.DevNull, false},
		{"s3://b/k.csv", "S3://b/k.csv", true},
		{"s3://b/k.csv", "s3://b//./k.csv", true},
		{"s3://b/k.csv", "s3://b/k.csv?region=x", true},
		{"s3://b/k.csv?endpoint=http://x", "s3://b/k.csv", true},
		{"s3://b/k.csv?endpoint=http://x", "s3://b/k.csv?endpoint=http://y", false},
		{"azblob://b/k.csv?account=x", "azblob://b/k.csv?account=y", false},
		{"s3://b/k.csv", "s3://b/K.csv", false},
		{"s3://b/k.csv", "gs://b/k.csv", false},
		{"s3://b/k.csv", "s3://c/k.csv", false},
		{"s3://b/a.csv", "a.csv", false},
	} {
		a, b := Identify(c.a), Identify(c.b)
		if a.Is(b) != c.want || b.Is(a) != c.want {
			t.Errorf("%s and %s: %v and %v, want %v", c.a, c.b, a.Is(b), b.Is(a), c.want)
		}
	}
	for path, want := range map[string]bool{"a.csv": true, "link.csv": true, "s3://b/k": true, "new.csv": false, "points.csv": false, os.DevNull: false, "d": false} {
		if got := Identify(path).Replaceable(); got != want {
			t.Errorf("%s: replaceable is %v", path, got)
		}
	}
}
