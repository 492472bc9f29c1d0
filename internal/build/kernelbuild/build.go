package kernelbuild

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"symmom/internal/store/atomicfile"
	"symmom/internal/text/words"
	libsymbols "symmom/lab/symbols"
	"symmom/repl/symbols"
	"symmom/repl/with"
)

// Options configure a build.
type Options struct {
	With    []Request
	Output  string // the file to write
	Source  string // a checkout of symmom, in place of the source in this binary
	Release string // version, commit and date for the new binary
	Commit  string
	Date    string
	Notice  func(text string) // reports progress

	// Tests compile as go test does, whose results go build has kept, and pack the
	// source once.
	asTests bool
	archive []byte
}

// Built describes a new binary.
type Built struct {
	Output  string
	Modules []with.Module
	Left    []string // packages of the modules that are left out, and why
}

// programs begin like this: ELF, Mach-O and, as compilers write it, PE.
var programs = []string{"\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "MZ\x90\x00\x03\x00", "MZ\x78\x00\x01\x00"}

// replaceable reports whether a program may take the place of what is at path: nothing, a
// device or pipe, an empty file or a program, as with go build.
func replaceable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 6)
	n, _ := io.ReadFull(f, head)
	return slices.ContainsFunc(programs, func(magic string) bool { return strings.HasPrefix(string(head[:n]), magic) })
}

// Build builds a symmom with packages compiled in. It leaves nothing behind if it
// fails or ctx ends.
func Build(ctx context.Context, o Options) (*Built, error) {
	if len(o.With) == 0 {
		return nil, errors.New("kernel build: no module to compile in")
	}
	if err := atomicfile.Check(o.Output); err != nil {
		return nil, fmt.Errorf("kernel build: %s: %w", o.Output, err)
	}
	if !replaceable(o.Output) {
		return nil, fmt.Errorf("kernel build: %s: the existing file is not a program; give another name", o.Output)
	}
	if info, err := os.Stat(filepath.Dir(o.Output)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("kernel build: %s: there is no directory %s", o.Output, filepath.Dir(o.Output))
	}
	tmp, err := os.MkdirTemp("", "symmom-kernel-build-")
	if err != nil {
		return nil, fmt.Errorf("kernel build: %w", err)
	}
	defer os.RemoveAll(tmp)
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil { // the go command shows it so
		return nil, fmt.Errorf("kernel build: %w", err)
	}
	src := filepath.Join(tmp, "src")
	b := &builder{Options: o, src: src}
	if err := b.unpack(ctx); err != nil {
		return nil, err
	}
	if err := b.resolve(ctx); err != nil {
		return nil, err
	}
	if err := b.choose(ctx); err != nil {
		return nil, err
	}
	if err := b.compile(ctx, filepath.Join(tmp, "symmom")); err != nil {
		return nil, err
	}
	return &b.built, nil
}

// builder is a build under way.
type builder struct {
	Options
	src      string // directory with the source
	goTool   *goTool
	replaced bool // the tables of package symbols are out of date
	built    Built
}

func (b *builder) notice(format string, args ...any) {
	if b.Notice != nil {
		b.Notice(fmt.Sprintf(format, args...))
	}
}

var goDirective = regexp.MustCompile(`(?m)^go (\S+)`)

// unpack puts the source into its directory.
func (b *builder) unpack(ctx context.Context) error {
	archive := embedded
	if b.archive != nil {
		archive = b.archive
	}
	if b.Source != "" {
		required, err := requiredGo(b.Source)
		if err != nil {
			return fmt.Errorf("kernel build: %s: this is not the source of symmom: %w", b.Source, err)
		}
		if _, err := findGo(ctx, b.Source, required); err != nil {
			return err
		}
		if archive, err = PackSource(ctx, b.Source); err != nil {
			return failed(ctx, err)
		}
	}
	if archive == nil {
		return errors.New("kernel build: this binary was built without its source: take a release, build it with make build, or name a checkout (--source DIR)")
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("kernel build: %w", err)
	}
	for _, f := range z.File {
		if err := b.extract(f); err != nil {
			return fmt.Errorf("kernel build: %w", err)
		}
	}
	// The new binary can build others in its turn.
	if err := os.WriteFile(filepath.Join(b.src, filepath.FromSlash(SourceName)), archive, 0o644); err != nil {
		return fmt.Errorf("kernel build: %w", err)
	}
	required, err := requiredGo(b.src)
	if err != nil {
		return fmt.Errorf("kernel build: %w", err)
	}
	b.goTool, err = findGo(ctx, b.src, required)
	if err != nil {
		return err
	}
	b.goTool.env = append(b.goTool.env, "GOTMPDIR="+filepath.Dir(b.src)) // it is removed
	if !b.asTests {
		b.goTool.env = append(b.goTool.env, "CGO_ENABLED=0")
		b.goTool.flags = append(b.goTool.flags, "-trimpath")
	}
	return nil
}

// requiredGo returns the version of Go that the module in dir requires.
func requiredGo(dir string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", errors.New("it has no go.mod")
	}
	m := goDirective.FindSubmatch(mod)
	if m == nil {
		return "", errors.New("its go.mod names no version of Go")
	}
	return string(m[1]), nil
}

func (b *builder) extract(f *zip.File) error {
	if !filepath.IsLocal(f.Name) {
		return fmt.Errorf("the source has a file %q", f.Name)
	}
	name := filepath.Join(b.src, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// noVersion is the version of a module in a directory.
const noVersion = "v0.0.0-00010101000000-000000000000"

// resolve adds the modules to go.mod.
func (b *builder) resolve(ctx context.Context) error {
	before, err := b.goTool.requirements(ctx)
	if err != nil {
		return err
	}
	get, asked := []string{"get"}, []string{}
	for _, r := range b.With {
		asked = append(asked, r.String())
		if internal(r.Path) {
			return fmt.Errorf("kernel build: package %s is internal to its module, which alone can import it", r.Path)
		}
		if r.Dir != "" {
			if _, err := os.Stat(filepath.Join(r.Dir, "go.mod")); err != nil {
				return fmt.Errorf("kernel build: %s: %s has no go.mod, want the directory of a module", r, r.Dir)
			}
			if _, err := b.goTool.run(ctx, "mod", "edit", "-replace="+r.Path+"="+r.Dir); err != nil {
				return err
			}
			get = append(get, r.Path+"@"+noVersion)
			continue
		}
		get = append(get, r.String())
	}
	b.notice("resolving %s", strings.Join(asked, ", "))
	if _, err := b.goTool.run(ctx, get...); err != nil {
		return failed(ctx, err)
	}
	after, err := b.goTool.requirements(ctx)
	if err != nil {
		return err
	}
	requested := func(path string) bool {
		return slices.ContainsFunc(b.With, func(r Request) bool { return r.Path == path || strings.HasPrefix(r.Path, path+"/") })
	}
	// Those that were asked for come first: they are the reason for the others.
	for _, path := range slices.SortedFunc(maps.Keys(before), func(p, q string) int {
		switch {
		case requested(p) == requested(q):
			return strings.Compare(p, q)
		case requested(p):
			return -1
		}
		return 1
	}) {
		switch was, is := before[path], after[path]; {
		case is == was:
		case is == "" || semver.Compare(is, was) < 0:
			return fmt.Errorf("kernel build: symmom needs %s %s or later, and what was asked for brings it to %s", path, was, cmp.Or(is, "none"))
		case slices.ContainsFunc(slices.Collect(maps.Keys(symbols.All())), func(key string) bool { return strings.HasPrefix(key, path+"/") }):
			b.replaced = true
		}
	}
	return nil
}

// choose finds the packages and writes what sessions need of them.
func (b *builder) choose(ctx context.Context) error {
	if b.replaced {
		b.notice("writing the tables of newer packages")
		for _, packages := range [][]string{{"repl/symbols"}, append([]string{"lab/symbols"}, ours()...)} {
			if _, err := b.goTool.run(ctx, append([]string{"run", "-mod=mod", "./repl/symbols/gen", "-dir"}, packages...)...); err != nil {
				return failed(ctx, err)
			}
		}
	}
	var paths []string
	for _, r := range b.With {
		fit, left, module, version, err := b.goTool.importable(ctx, r)
		if err != nil {
			return failed(ctx, err)
		}
		if r.Dir != "" {
			version = r.Dir
		}
		if m := (with.Module{Path: module, Version: version}); !slices.Contains(b.built.Modules, m) {
			b.built.Modules = append(b.built.Modules, m)
		}
		for _, p := range left {
			if !internal(p.ImportPath) && p.Name != "main" {
				b.built.Left = append(b.built.Left, p.ImportPath+" "+p.unfit())
			}
		}
		paths = append(paths, fit...)
	}
	known, base, err := knownPackages()
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return known[p] })
	if len(paths) == 0 {
		return errors.New("kernel build: every session has all of these packages")
	}
	b.notice("compiling %s of %s", words.Plural(len(paths), "package"), describe(b.built.Modules))
	g, err := b.goTool.compile(ctx, paths)
	if err != nil {
		return failed(ctx, err)
	}
	s, err := choose(g, paths, func(p string) bool { return known[p] })
	if err != nil {
		return err
	}
	return s.write(filepath.Join(b.src, "repl", "with"), b.built.Modules, base)
}

// ours returns the packages of symmom that cells can import, but for widgets.
func ours() (paths []string) {
	for key := range libsymbols.All() {
		paths = append(paths, path.Dir(key))
	}
	slices.Sort(paths)
	return paths
}

// knownPackages returns the packages that every session has, with tables and with
// types.
func knownPackages() (tables, types map[string]bool, err error) {
	tables, types = map[string]bool{}, map[string]bool{}
	for key := range symbols.All() {
		tables[path.Dir(key)] = true
	}
	for _, p := range ours() {
		tables[p], types[p] = true, true
	}
	z, err := zip.NewReader(bytes.NewReader(symbols.Types), int64(len(symbols.Types)))
	if err != nil {
		return nil, nil, err
	}
	for _, f := range z.File {
		types[f.Name] = true
	}
	return tables, types, nil
}

// compile builds the command and moves it to its place.
func (b *builder) compile(ctx context.Context, file string) error {
	b.notice("building symmom with them; the first time all of symmom is compiled, which takes some minutes")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	ldflags := fmt.Sprintf("-s -w -X 'main.release=%s' -X 'main.commit=%s' -X 'main.date=%s'", b.Release, b.Commit, b.Date)
	args := slices.Concat([]string{"build"}, b.goTool.flags, []string{"-buildvcs=false", "-tags", sourceTag, "-ldflags", ldflags, "-o", file, "./cmd/symmom"})
	if _, err := b.goTool.run(ctx, args...); err != nil {
		return failed(ctx, err)
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("kernel build: %w", err)
	}
	defer f.Close()
	err = atomicfile.WriteFunc(b.Output, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok {
			if err := f.Chmod(0o755); err != nil {
				return err
			}
		}
		_, err := io.Copy(w, f)
		return err
	})
	if err != nil {
		return fmt.Errorf("kernel build: %s: %w", b.Output, err)
	}
	b.built.Output = b.Output
	return ctx.Err()
}

// describe lists modules with their versions.
func describe(modules []with.Module) string {
	var out []string
	for _, m := range modules {
		out = append(out, m.Path+" "+m.Version)
	}
	return strings.Join(out, ", ")
}

// failed returns the error of a step; one of a context that has ended as that.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
