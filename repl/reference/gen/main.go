// Command gen writes the archive that package reference embeds: the exported
// declarations of the standard library, gonum and package widgets, with
// their comments and without function bodies, one Go file per package.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"go/build"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"symmom/repl/symbols"
)

func main() {
	out := flag.String("out", "zz_packages.zip", "file to write")
	flag.Parse()
	if err := generate(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// importable returns the names of each package that a session can use; nil means all.
func importable() map[string]map[string]reflect.Value {
	out := map[string]map[string]reflect.Value{"cmp": nil, "maps": nil, "slices": nil, "builtin": nil}
	for _, set := range []map[string]map[string]reflect.Value{stdlib.Symbols, syscall.Symbols, unrestricted.Symbols, unsafe.Symbols, symbols.All()} {
		for key, table := range set {
			p := path.Dir(key)
			if p == "." || strings.HasPrefix(p, "github.com/traefik/yaegi") {
				continue
			}
			if names, there := out[p]; there && names == nil {
				continue
			}
			if out[p] == nil {
				out[p] = map[string]reflect.Value{}
			}
			maps.Copy(out[p], table)
		}
	}
	return out
}

func generate(out string) error {
	build.Default.CgoEnabled = false
	build.Default.GOOS, build.Default.GOARCH = "linux", "amd64"
	g := newGenerator()
	wanted := importable()
	files := map[string][]byte{}
	todo := slices.Sorted(maps.Keys(wanted))
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		if p == "unsafe" || p == "C" || files[p] != nil {
			continue
		}
		names, all := wanted[p]
		keep := func(name string, isType bool) bool {
			if all && names == nil || isType {
				return true
			}
			_, there := names[name]
			return there
		}
		text, imports, err := g.outline(p, keep)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		files[p] = text
		todo = append(todo, imports...)
	}
	return archive(out, files)
}

// archive writes the files in the order of their names and without times, so that the
// same input produces the same bytes.
func archive(name string, files map[string][]byte) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, p := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p, Method: zip.Deflate})
		if err == nil {
			_, err = w.Write(files[p])
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.FromSlash(name), b.Bytes(), 0o644)
}
