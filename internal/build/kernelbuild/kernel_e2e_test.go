//go:build e2e

package kernelbuild

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"symmom/repl/with"
)

// binary is a symmom that has its source in it, to be used in place of this package:
// scripts/nightly.sh kernel.
var binary = flag.String("binary", "", "the symmom to build with")

// versions are those that the test was written with: the network has them for good.
var versions = []string{"github.com/samber/lo@v1.53.0", "gonum.org/v1/plot@v0.17.0", "example.org/me/tools=testdata/tools"}

// buildKernel builds a kernel with these.
func buildKernel(t *testing.T, archive []byte) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "symmom-kernel")
	if *binary != "" {
		args := []string{"kernel", "build", "--output", output}
		for _, text := range versions {
			args = append(args, "--with", text)
		}
		start := time.Now()
		out, err := exec.Command(*binary, args...).CombinedOutput()
		t.Logf("%v\n%s", time.Since(start), out)
		if err != nil {
			t.Fatal(err)
		}
		return output
	}
	o := Options{Output: output, Release: "1.2.3", asTests: true, archive: archive}
	for _, text := range versions {
		r, err := ParseRequest(text)
		if err != nil {
			t.Fatal(err)
		}
		o.With = append(o.With, r)
	}
	built, err := Build(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := []with.Module{{Path: "github.com/samber/lo", Version: "v1.53.0"}, {Path: "gonum.org/v1/plot", Version: "v0.17.0"}}
	if len(built.Modules) != 3 || built.Modules[0] != want[0] || built.Modules[1] != want[1] || len(built.Left) > 0 {
		t.Errorf("%+v, want %v and tools", built, want)
	}
	return output
}

func pack(t *testing.T) []byte {
	t.Helper()
	archive, err := PackSource(context.Background(), "../../..")
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// TestKernel builds a kernel and uses it.
func TestKernel(t *testing.T) {
	program := buildKernel(t, pack(t))
	t.Run("version", func(t *testing.T) {
		out, err := exec.Command(program, "version").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "\nwith github.com/samber/lo v1.53.0\nwith gonum.org/v1/plot v0.17.0\nwith example.org/me/tools ") {
			t.Errorf("%v\n%s", err, out)
		}
	})
	for _, c := range cells {
		out, _ := cell(program, c.code) // its message is part of what is compared
		if got := strings.TrimSpace(out); got != c.want && (c.want == "" || !strings.HasPrefix(c.want, "...") || !strings.Contains(got, c.want[3:])) {
			t.Errorf("%s\n%s\nwant %s", c.code, got, c.want)
		}
	}
	t.Run("notebook", func(t *testing.T) { inNotebook(t, program) })
}

// cell runs a cell in a new session.
func cell(program, code string) (string, error) {
	cmd := exec.Command(program, "repl")
	cmd.Stdin = strings.NewReader(code)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

const people = `import "github.com/samber/lo"
type Person struct { Name string; Age int }
func (p Person) Adult() bool { return p.Age >= 18 }
people := []Person{{"Ann", 31}, {"Bob", 12}, {"Cid", 18}}
`

// cells with what they print; after ... a part of it.
var cells = []struct{ code, want string }{
	{people + `lo.Map(people, func(p Person, i int) string { return p.Name })`, "[Ann Bob Cid]"},
	{people + `lo.Filter(people, func(p Person, _ int) bool { return p.Adult() })`, "[{Ann 31} {Cid 18}]"},
	{people + `lo.GroupBy(people, func(p Person) bool { return p.Adult() })`, "map[false:[{Bob 12}] true:[{Ann 31} {Cid 18}]]"},
	{people + `lo.KeyBy(people, Person.Adult)[false].Name`, "Bob"},
	{people + `t := lo.T2(people[0], 1.5); fmt.Printf("%T %+v\n", t, t)`, "lo.Tuple2[main.Person,float64] {A:{Name:Ann Age:31} B:1.5}"},
	{people + `lo.If(false, people[0]).Else(people[1])`, "{Bob 12}"},
	{people + `lo.NewTransaction[int]().Then(func(s int) (int, error) { return s+1, nil }, func(s int) int { return s-1 }).Process(41)`, "42"},
	{people + `lo.Map(people, func(p Person) string { return p.Name })`, "...does not match inferred type func(item Person, index int) R for func(item T, index int) R"},
	{`import "github.com/samber/lo/mutable"
x := []int{1, 2, 3}
mutable.Reverse(x)
x`, "[3 2 1]"},
	{`import "github.com/samber/lo"
lo.Chunk?`, "...Chunk returns a slice of elements split into groups of length size."},
	{`import "example.org/me/tools"
var s tools.Shelf[string]
for _, x := range []string{"a", "b", "c", "d"} { err := s.Put(x); if err != nil { fmt.Println(err, err == tools.ErrFull, tools.Limit) } }
s.Each(func(at int, x string) { fmt.Print(at, x, " ") })
for at, x := range s.All() { fmt.Print(at, x, ";") }`, "the shelf is full: 3 of 3 false 3\n1a 2b 3c 1a;2b;3c;"},
	{`import "example.org/me/tools"
type Metres float64
tools.Double(Metres(2.5))`, "5"},
	{`import "example.org/me/tools"
tools.Numbers().Each(func(at, x int) { fmt.Print(x, " ") })`, "0 1 4"},
	{`import "example.org/me/tools"
type Bag struct { n int }
func (b Bag) Size() int { return b.n }
tools.Sizes(Bag{1}, Bag{41})`, "42"},
	{`import "example.org/me/tools"
var c tools.Clock
c.Tick(); c.Tick()`, "2"},
	{`import "example.org/me/tools/units"
units.Foot / units.Inch + units.Huge / (1 << 70)`, "13"},
	{`import "example.org/me/tools"
tools.Count(); tools.Counted("x"); tools.Count()
_, n := tools.Counted(1.5)
n`, "3\n4"},
	{`import "example.org/me/tools"
type zero struct{}
func (zero) IsZero() bool { return true }
fmt.Println(tools.Zero(zero{}), tools.Zero(1), tools.Zero(0))`, "true false true"},
	{`import "example.org/me/tools"
fmt.Println(tools.NewBag(1, 2).Union(tools.NewBag(2, 3)).Len(), tools.NewBag(7))`, "3 a bag of [7]"},
	{`import "example.org/me/tools"
var e tools.Envelope[int]
e.Set(7)
e.Get()`, "7"},
	{`import "example.org/me/tools"
var e tools.Envelope[int]
e.Ticks()`, "...panic: Ticks needs tools.Clock.ticks, which cells do not have"},
	// Using something that cells do not have is an error.
	{`import "example.org/me/tools"
var s tools.Store`, "...undefined: tools.Store"},
	{`import "example.org/me/tools"
tools.Secret(1)`, "...Secret needs tools.Clock.ticks, which cells do not have (in package example.org/me/tools, whose generic code runs from source)"},
	{`import "example.org/me/tools/internal/secret"`, `...no package "example.org/me/tools/internal/secret"`},
	{`import "github.com/samber/mo"`, "...to make a kernel with it: symmom kernel build --with github.com/samber/lo@v1.53.0 --with gonum.org/v1/plot@v0.17.0 --with example.org/me/tools="},
	{`import "gonum.org/v1/plot/plotter"
plotter.NewLine(3)`, "...cannot use 3 (constant of type int) as plotter.XYer value"},
}

const notebook = `import (
	"bytes"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

type wave []float64

func (w wave) Len() int                    { return len(w) }
func (w wave) XY(i int) (float64, float64) { return float64(i), w[i] }

p := plot.New()
p.Title.Text = "A wave"
var w wave
for i := range 100 {
	w = append(w, math.Sin(float64(i)/8))
}
line, err := plotter.NewLine(w)
if err != nil {
	panic(err)
}
p.Add(line, plotter.NewGrid())
if err := p.Save(10*vg.Centimeter, 6*vg.Centimeter, "wave.png"); err != nil {
	panic(err)
}
var b bytes.Buffer
wt, err := p.WriterTo(10*vg.Centimeter, 6*vg.Centimeter, "png")
if err == nil {
	_, err = wt.WriteTo(&b)
}
if err != nil {
	panic(err)
}
display.PNG(b.Bytes())`

// inNotebook installs the kernel and runs a notebook with Jupyter's own programs.
func inNotebook(t *testing.T, program string) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON does not name a Python with Jupyter; make check sets it")
	}
	dir := t.TempDir()
	env := append(os.Environ(), "HOME="+dir, "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "run"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"), "IPYTHONDIR="+filepath.Join(dir, "ipython"))
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := run(program, "kernel", "install"); !strings.Contains(out, filepath.Join("kernels", "symmom-lo-plot-tools")) {
		t.Errorf("%s", out)
	}
	source := map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []any{
		map[string]any{"cell_type": "code", "id": "a", "metadata": map[string]any{}, "execution_count": nil, "outputs": []any{}, "source": notebook}}}
	text, err := json.Marshal(source)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "n.ipynb"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "out.ipynb", "--ExecutePreprocessor.kernel_name=symmom-lo-plot-tools", "n.ipynb")
	if text, err = os.ReadFile(filepath.Join(dir, "out.ipynb")); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Cells []struct {
			Outputs []struct{ Data map[string]any }
		}
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	encoded := ""
	for _, o := range out.Cells[0].Outputs {
		if s, ok := o.Data["image/png"].(string); ok {
			encoded = s
		}
	}
	shown, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(encoded, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(filepath.Join(dir, "wave.png"))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{shown, saved} {
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if size := picture.Bounds().Size(); size.X < 300 || size.Y < 180 {
			t.Errorf("a picture of %v", size)
		}
	}
	if !bytes.Equal(shown, saved) {
		t.Error("the picture in the notebook is another than the one in the file")
	}
	run(program, "kernel", "uninstall")
	if names, err := filepath.Glob(filepath.Join(dir, "data", "kernels", "*")); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}

// TestFailures: a package that cannot be compiled in is an error of one line, and leaves no files.
func TestFailures(t *testing.T) {
	archive := pack(t)
	t.Setenv("TMPDIR", t.TempDir())
	module := func(text string) Request {
		dir := t.TempDir()
		for name, data := range map[string]string{"go.mod": "module example.org/bad\n\ngo 1.24\n", "bad.go": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return Request{Path: "example.org/bad", Dir: dir}
	}
	for _, c := range []struct {
		with []Request
		want string
	}{
		{[]Request{module("package bad\n\nfunc F() int { return \"x\" }\n")}, "bad.go:3:23: cannot use \"x\""},
		{[]Request{module("package bad\n\nimport \"C\"\n")}, "package example.org/bad needs C (cgo)"},
		{[]Request{module("package main\n\nfunc main() {}\n")}, "package example.org/bad is a program (package main)"},
		{[]Request{{Path: "example.org/bad", Dir: t.TempDir()}}, "has no go.mod"},
		{[]Request{{Path: "example.org/me/tools/internal/secret"}}, "is internal to its module"},
		{[]Request{{Path: "github.com/samber/lo", Version: "v1.52.0"}, {Path: "github.com/samber/lo", Version: "v1.53.0"}}, "conflicts with"},
		{[]Request{{Path: "gonum.org/v1/plot", Version: "v0.17.0"}, {Path: "gonum.org/v1/gonum", Version: "v0.15.0"}}, "gonum.org/v1/plot@v0.17.0 requires gonum.org/v1/gonum@v0.16.0"},
		{[]Request{{Path: "gonum.org/v1/gonum", Version: "v0.16.0"}}, "symmom needs gonum.org/v1/gonum v0.17.0 or later"},
		{[]Request{{Path: "github.com/samber/lo", Version: "v99.0.0"}}, "github.com/samber/lo@v99.0.0"},
		{[]Request{{Path: "gonum.org/v1/gonum/mat", Version: "v0.17.0"}}, "every session has all of these packages"},
	} {
		output := filepath.Join(t.TempDir(), "k")
		_, err := Build(context.Background(), Options{With: c.with, Output: output, asTests: true, archive: archive})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want %q", c.with, err, c.want)
		}
		nothingLeft(t, output)
	}
	for _, after := range []time.Duration{0, 500 * time.Millisecond, 3 * time.Second} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		output := filepath.Join(t.TempDir(), "k")
		_, err := Build(ctx, Options{With: []Request{{Path: "github.com/samber/lo", Version: "v1.53.0"}}, Output: output, asTests: true, archive: archive})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("stopped after %v: %v", after, err)
		}
		nothingLeft(t, output)
	}
}

func nothingLeft(t *testing.T, output string) {
	t.Helper()
	for _, dir := range []string{filepath.Dir(output), os.Getenv("TMPDIR")} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", dir, left, err)
		}
	}
}
