// Command gen writes the tables and the types of packages for sessions, with yaegi's own
// extractor: of the packages that are its arguments, for a repl.Library, or else of
// those that every session has, for package symbols.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/traefik/yaegi/extract"

	"symmom/repl/symbols/extracted"
)

// common are the packages that every session has beyond the standard library.
var common = []string{"symmom/widgets", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat",
	"gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/stat/distuv"}

// deprecated names are omitted.
var deprecated = map[string][]string{"gonum.org/v1/gonum/floats": {"^Reverse$"}}

func main() {
	dir := flag.String("dir", ".", "directory of the package to write to")
	flag.Parse()
	packages, exported := flag.Args(), flag.Args()
	var err error
	if len(packages) == 0 {
		packages, exported = common, append(standard(), common...)
		err = generateNewer(*dir)
	}
	if err == nil {
		err = generate(*dir, packages)
	}
	if err == nil {
		err = generateTypes(*dir, exported)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// generate writes one file per package into dir. It must run within the module.
func generate(dir string, packages []string) error {
	// The packages are type-checked from source; without cgo this needs no C
	// compiler and gives the same result on every machine.
	build.Default.CgoEnabled = false
	if err := findPackages(packages); err != nil {
		return err
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for _, p := range packages {
		x := extract.Extractor{Dest: filepath.Base(at), Exclude: deprecated[p]}
		var b bytes.Buffer
		if _, err := x.Extract(p, "", &b); err != nil {
			return fmt.Errorf("extract %s: %w", p, err)
		}
		code, err := extracted.AsFunction(b.Bytes(), path.Base(p)+"Symbols")
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "zz_"+path.Base(p)+".go"), code, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// findPackages asks the go command once where all packages are. The importer would ask it for
// each import of each of them, which takes minutes.
func findPackages(packages []string) error {
	const root = "/packages"
	list := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Dir}}{{end}}"}
	cmd := exec.Command("go", append(list, packages...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	dirs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if p, dir, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			dirs[p] = dir
		}
	}
	where := func(name string) string {
		p, ours := strings.CutPrefix(filepath.ToSlash(name), root+"/src/")
		if !ours {
			return name
		}
		if dir, ok := dirs[p]; ok {
			return dir
		}
		if dir, ok := dirs[path.Dir(p)]; ok {
			return filepath.Join(dir, path.Base(p))
		}
		return name // and there is nothing
	}
	c := &build.Default
	c.GOPATH = root
	c.IsDir = func(name string) bool {
		info, err := os.Stat(where(name))
		return err == nil && info.IsDir()
	}
	c.OpenFile = func(name string) (io.ReadCloser, error) { return os.Open(where(name)) }
	c.ReadDir = func(name string) ([]fs.FileInfo, error) {
		entries, err := os.ReadDir(where(name))
		var infos []fs.FileInfo
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				infos = append(infos, info)
			}
		}
		return infos, err
	}
	return nil
}
