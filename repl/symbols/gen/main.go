// Command gen writes the tables of package symbols. It uses yaegi's own extractor.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/build"
	"os"
	"path/filepath"

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
