//go:build ignore

// Godocs writes godocs.gz, which datasets.GoDocs reads, from the source of the Go that runs it:
//
//	cd datasets/data && go run godocs.go
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"symmom/symmom"
)

func main() {
	root := filepath.Join(runtime.GOROOT(), "src")
	var names, texts []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "internal", "vendor", "testdata", "cmd", "simd": // the last is an experiment
			return filepath.SkipDir
		}
		text, err := comments(path)
		const few = 300 // bytes: not worth a document
		if err == nil && len(text) >= few {
			name, _ := filepath.Rel(root, path)
			names, texts = append(names, filepath.ToSlash(name)), append(texts, text)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	counts := symmom.Texts("Go documentation", symmom.TextOptions{Documents: texts, Stop: "english", MinDocuments: 3, MaxShare: .3})
	if counts.Err() != nil {
		log.Fatal(counts.Err())
	}
	// The words; then for each package its name, and the words that it has as steps from
	// the one before, with their count unless it is 1.
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	fmt.Fprintln(z, strings.Join(counts.Columns(), " "))
	x := counts.Matrix()
	for l, name := range names {
		fmt.Fprint(z, name)
		last := -1
		for i := range counts.N() {
			switch c := x.At(l, i); {
			case c == 0:
				continue
			case c == 1:
				fmt.Fprintf(z, " %d", i-last)
			default:
				fmt.Fprintf(z, " %d:%v", i-last, c)
			}
			last = i
		}
		fmt.Fprintln(z)
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("godocs.gz", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println(runtime.Version(), counts, out.Len(), "bytes")
}

// comments returns the doc comments of the package in a directory.
func comments(dir string) (string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	set, files := token.NewFileSet(), []*ast.File(nil)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return "", err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return "", nil
	}
	p, err := doc.NewFromFiles(set, files, dir)
	if err != nil {
		return "", err
	}
	b := &strings.Builder{}
	values := func(all ...[]*doc.Value) {
		for _, list := range all {
			for _, v := range list {
				b.WriteString(v.Doc)
			}
		}
	}
	functions := func(all ...[]*doc.Func) {
		for _, list := range all {
			for _, f := range list {
				b.WriteString(f.Doc)
			}
		}
	}
	b.WriteString(p.Doc)
	values(p.Consts, p.Vars)
	functions(p.Funcs)
	for _, t := range p.Types {
		b.WriteString(t.Doc)
		values(t.Consts, t.Vars)
		functions(t.Funcs, t.Methods)
	}
	return b.String(), nil
}
