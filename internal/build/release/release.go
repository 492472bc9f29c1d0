package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:generate go run . notice -dir ../../..

// Platforms are those that a release is built for.
var Platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// Module is a dependency that is linked in on at least one platform.
type Module struct{ Path, Version, Dir string }

// Linked lists the modules whose packages the binary has, by path.
func Linked(root string) ([]Module, error) {
	found := map[string]Module{}
	for _, platform := range Platforms {
		goos, arch, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/symmom")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Module *struct {
					Module
					Main    bool
					Replace *Module
				}
			}
			if err := dec.Decode(&p); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil || p.Module.Main {
				continue
			}
			m := p.Module.Module
			if p.Module.Replace != nil {
				m = *p.Module.Replace
			}
			found[m.Path] = m
		}
	}
	var all []Module
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// There the licences of parts stand.
var licences = regexp.MustCompile(`(?i)^(third[-_]party[-_])?licen[cs]es$`)

var licence = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|copyright)([-._].*)?$`)

// Licences returns the licence files in the directory of a module.
func Licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if e.IsDir() && licences.MatchString(e.Name()) {
			below, err := filepath.Glob(filepath.Join(dir, e.Name(), "*"))
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		}
		if e.Type().IsRegular() && licence.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// parts are what is embedded and no module, with the files that say under what
// licence.
var parts = []struct{ name, files string }{
	{"Apache ECharts 5.6.0, in pages and pictures", "charts/internal/assets/echarts/LICENSE"},
	{"Apache ECharts 5.6.0, in pages and pictures", "charts/internal/assets/echarts/NOTICE"},
	{"Apache ECharts 5.6.0, in pages and pictures", "charts/internal/assets/echarts/licenses/*"},
	{"Stop words (Snowball)", "internal/data/texts/stop/LICENSE"},
	{"Handwritten digits, iris and wine (UCI), and Go's documentation", "datasets/data/README.md"},
}

// Notice is the text of NOTICE: the licences of all that is linked in.
func Notice(root string) ([]byte, error) {
	modules, err := Linked(root)
	if err != nil {
		return nil, err
	}
	// A text that several parts have is there once, below all their names. What files of
	// Apache's licence have after its terms differs; that counts as a text of its own.
	const endOfTerms = "END OF TERMS AND CONDITIONS"
	type licence struct{ of, text []byte }
	var texts []*licence
	byWords := map[string]*licence{}
	add := func(title string, files []string) error {
		if len(files) == 0 {
			return fmt.Errorf("%s: there is no licence", title)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for i, piece := range bytes.SplitAfter(text, []byte(endOfTerms)) {
				words := string(bytes.Join(bytes.Fields(piece), []byte(" ")))
				if words == "" {
					continue
				}
				l := byWords[words]
				if l == nil {
					l = &licence{text: bytes.Trim(bytes.ReplaceAll(piece, []byte("\r\n"), []byte("\n")), "\n")}
					byWords[words], texts = l, append(texts, l)
				}
				after := ""
				if i > 0 {
					after = ", after the terms"
				}
				l.of = fmt.Appendf(l.of, "%s: %s%s\n", title, filepath.Base(file), after)
			}
		}
		return nil
	}
	module := func(title, dir string) error {
		files, err := Licences(dir)
		return errors.Join(err, add(title, files))
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	errs := module("Go, its runtime and standard library", strings.TrimSpace(string(goroot)))
	for _, p := range parts {
		files, err := filepath.Glob(filepath.Join(root, p.files))
		errs = errors.Join(errs, err, add(p.name, files))
	}
	for _, m := range modules {
		errs = errors.Join(errs, module(m.Path+" "+m.Version, m.Dir))
	}
	var b bytes.Buffer
	b.WriteString("symmom is under the licence in LICENSE. Its binary has parts of others in it,\nunder the licences below. Written by go generate ./internal/build/release.\n")
	line := strings.Repeat("=", 78)
	for _, l := range texts {
		fmt.Fprintf(&b, "\n%s\n%s%s\n\n%s\n", line, l.of, line, l.text)
	}
	return b.Bytes(), errs
}
