package kernelbuild

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Name, Dir, Export string
	Standard                      bool
	GoFiles, CgoFiles, Imports    []string
	ImportMap                     map[string]string
	Module                        *struct {
		Path, Version string
		Replace       *struct{ Path, Version string }
	}
	Error *struct{ Pos, Err string }
}

const listFields = "-json=ImportPath,Name,Dir,Export,Standard,GoFiles,CgoFiles,Imports,ImportMap,Module,Error"

func (g *goTool) list(ctx context.Context, args ...string) ([]*listed, error) {
	out, err := g.run(ctx, slices.Concat([]string{"list"}, g.flags, []string{"-e", listFields}, args)...)
	if err != nil {
		return nil, err
	}
	var all []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("kernel build: go list: %w", err)
		}
		all = append(all, p)
	}
}

// unfit returns why cells cannot import a package, or "".
func (p *listed) unfit() string {
	switch {
	case len(p.CgoFiles) > 0:
		return "needs C (cgo), which symmom is built without"
	case p.Error != nil && p.Error.Pos != "":
		return "cannot be built: " + p.Error.Pos + ": " + firstLine(p.Error.Err)
	case p.Error != nil:
		return "cannot be built: " + firstLine(p.Error.Err)
	case p.Name == "main":
		return "is a program (package main), which nothing can import"
	case internal(p.ImportPath):
		return "is internal to its module, which alone can import it"
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

func internal(importPath string) bool {
	return slices.Contains(strings.Split(importPath, "/"), "internal")
}

// importable returns the packages of a request that cells can import, those at and
// below its path, and the module that has them. left are the others.
func (g *goTool) importable(ctx context.Context, r Request) (fit []string, left []*listed, module string, version string, err error) {
	withC := *g // where cgo is on, go list tells what needs it
	withC.env = append(slices.Clone(g.env), "CGO_ENABLED=1")
	all, err := withC.list(ctx, r.Path, r.Path+"/...")
	if err != nil {
		return nil, nil, "", "", err
	}
	for _, p := range all {
		if p.Module != nil && (r.Path == p.Module.Path || strings.HasPrefix(r.Path, p.Module.Path+"/")) && len(p.Module.Path) > len(module) {
			module, version = p.Module.Path, p.Module.Version
		}
	}
	for _, p := range all {
		switch {
		case p.Module == nil || p.Module.Path != module || slices.Contains(fit, p.ImportPath):
		case p.unfit() == "":
			fit = append(fit, p.ImportPath)
		default:
			left = append(left, p)
		}
	}
	if len(fit) > 0 {
		return fit, left, module, version, nil
	}
	for _, p := range append(left, all...) {
		if why := p.unfit(); why != "" && !internal(p.ImportPath) {
			return nil, nil, "", "", fmt.Errorf("kernel build: package %s %s", p.ImportPath, why)
		}
	}
	return nil, nil, "", "", fmt.Errorf("kernel build: %s has no package that cells could import", r.Path)
}

// graph holds compiled packages with all that they import.
type graph struct {
	packages map[string]*listed
	order    []string // each after those that it imports
}

// compile compiles packages and all that they import.
func (g *goTool) compile(ctx context.Context, paths []string) (*graph, error) {
	all, err := g.list(ctx, append([]string{"-deps", "-export"}, paths...)...)
	if err != nil {
		return nil, err
	}
	out := &graph{packages: map[string]*listed{}}
	for _, p := range all {
		if p.Error != nil && (!p.Standard || p.Export == "") {
			place := p.Error.Pos
			if place != "" {
				place += ": "
			}
			return nil, fmt.Errorf("kernel build: package %s cannot be built: %s", p.ImportPath, place+g.oneLine(p.Error.Err))
		}
		out.packages[p.ImportPath] = p
		out.order = append(out.order, p.ImportPath)
	}
	return out, nil
}

// imports returns the packages that p imports.
func (p *listed) imports() []string {
	var out []string
	for _, q := range p.Imports {
		if mapped := p.ImportMap[q]; mapped != "" {
			q = mapped
		}
		if q != "C" && q != "unsafe" {
			out = append(out, q)
		}
	}
	return out
}

// file is the name of a file of p in the archive of sources.
func (p *listed) file(name string) string { return path.Join(p.ImportPath, name) }
