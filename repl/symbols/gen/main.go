// Command gen writes the tables of package symbols. It uses yaegi's own extractor.
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

// packages lists the packages to extract, with the file and the function for each.
var packages = []struct{ path, name string }{
	{"symmom/symmom", "symmom"},
	{"symmom/charts", "charts"},
	{"symmom/datasets", "datasets"},
	{"symmom/paper", "paper"},
	{"symmom/widgets", "widgets"},
	{"gonum.org/v1/gonum/floats", "floats"},
	{"gonum.org/v1/gonum/mat", "mat"},
	{"gonum.org/v1/gonum/optimize", "optimize"},
	{"gonum.org/v1/gonum/stat", "stat"},
	{"gonum.org/v1/gonum/stat/distuv", "distuv"},
}

// deprecated names are omitted.
var deprecated = map[string][]string{"gonum.org/v1/gonum/floats": {"^Reverse$"}}

func main() {
	dir := flag.String("dir", ".", "directory to write to")
	flag.Parse()
	err := generate(*dir)
	if err == nil {
		err = generateNewer(*dir)
	}
	if err == nil {
		err = generateTypes(*dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// generate writes one file per package into dir. It must run within the module.
func generate(dir string) error {
	// The packages are type-checked from source; without cgo this needs no C
	// compiler and gives the same result on every machine.
	build.Default.CgoEnabled = false
	if err := findPackages(); err != nil {
		return err
	}
	for _, p := range packages {
		x := extract.Extractor{Dest: "symbols", Exclude: deprecated[p.path]}
		var b bytes.Buffer
		if _, err := x.Extract(p.path, "", &b); err != nil {
			return fmt.Errorf("extract %s: %w", p.path, err)
		}
		code, err := extracted.AsFunction(b.Bytes(), p.name+"Symbols")
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "zz_"+p.name+".go"), code, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// findPackages asks the go command once where all packages are. The importer would ask it for
// each import of each of them, which takes minutes.
func findPackages() error {
	const root = "/packages"
	list := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Dir}}{{end}}"}
	for _, p := range packages {
		list = append(list, p.path)
	}
	cmd := exec.Command("go", list...)
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
