// Package house holds the tests of the project's own rules.
package house

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the module.
const root = "../../.."

// allowed says what the packages below a folder may import of this module, apart from those
// beside them and except in tests: the folders of packages, those of internal without its
// name. Imports point one way, as ARCHITECTURE.md draws them. The longest prefix of a
// package's path counts.
var allowed = map[string]string{
	"internal/text":     "",
	"internal/system":   "text",
	"internal/store":    "text system",
	"internal/math":     "text",
	"internal/moment":   "text math",
	"internal/data":     "text system store math moment",
	"internal/estimate": "text system store math moment data",
	"internal/cluster":  "text store math moment data estimate",
	"symmom":            "text system store math moment data estimate cluster",
	"datasets":          "text data symmom",
	"widgets":           "text",
	"charts":            "text store math moment data estimate symmom widgets",
	"paper":             "text system store math moment symmom datasets charts",
	"repl":              "text system store widgets",
	"kernel":            "text system store widgets repl",
	"lab":               "text data estimate symmom datasets charts paper repl",
	"cloud":             "store",
	"spark":             "cluster",
	"internal/build":    "text store repl lab",
	"cmd":               "text system store math moment data estimate build cloud spark symmom datasets charts paper repl kernel lab",
	"lite":              "repl kernel lab",
	"site":              "kernel datasets charts paper",
	"bench":             "text store math moment data estimate symmom datasets",
	"internal/test":     "",
	"notebooks":         "",
}

// foreign lists modules that a package may not depend on, directly or indirectly.
var foreign = map[string][]string{
	"symmom/symmom": {"traefik/yaegi", "go-echarts", "spf13/cobra", "go-pretty", "progressbar"},
	"symmom/charts": {"traefik/yaegi", "spf13/cobra"},
	"symmom/paper":  {"traefik/yaegi", "spf13/cobra"},
	"symmom/repl":   {"spf13/cobra"},
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	return listFor(t, nil, args...)
}

// listFor lists for the system that variables of the environment name.
func listFor(t *testing.T, env []string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestImportsPointOneWay(t *testing.T) {
	room := func(pkg string) string { // the longest
		found := ""
		for prefix := range allowed {
			if (pkg == prefix || strings.HasPrefix(pkg, prefix+"/")) && len(prefix) > len(found) {
				found = prefix
			}
		}
		return found
	}
	used := map[[2]string]bool{}
	const show = `{{.ImportPath}} {{join .Imports " "}}`
	lines := list(t, "-f", show, "./...")
	for _, line := range append(lines, listFor(t, []string{"GOOS=js", "GOARCH=wasm"}, "-f", show, "./lite/...")...) {
		fields := strings.Fields(line)
		pkg, ours := strings.CutPrefix(fields[0], "symmom/")
		if !ours {
			continue // it embeds the source of the public packages
		}
		from := room(pkg)
		if from == "" {
			t.Errorf("%s has no rule: say in this test what it may import", pkg)
		}
		for _, imp := range fields[1:] {
			imp, ours := strings.CutPrefix(imp, "symmom/")
			if !ours || room(imp) == from {
				continue
			}
			to := strings.TrimPrefix(room(imp), "internal/")
			if !slices.Contains(strings.Fields(allowed[from]), to) {
				t.Errorf("%s imports %s", pkg, imp)
			}
			used[[2]string{from, to}] = true
		}
	}
	if len(used) < 20 {
		t.Fatalf("only %d kinds of imports seen: this test looks at nothing", len(used))
	}
	for from, may := range allowed {
		for to := range strings.FieldsSeq(may) {
			if !used[[2]string{from, to}] {
				t.Errorf("nothing in %s imports %s: leave that out", from, to)
			}
		}
	}
}

// A Go session knows no moments: a program can have one without them, and what symmom
// adds to it is in package lab.
func TestSessionsKnowNoMoments(t *testing.T) {
	session := list(t, "-deps", "./repl/...", "./kernel/...", "./widgets")
	if !slices.Contains(session, "symmom/repl/terminal") {
		t.Fatal("this test looks at nothing")
	}
	moments := regexp.MustCompile(`^symmom($|/(symmom|charts|datasets|paper|lab|internal/(math|moment|data|estimate|cluster))\b)`)
	for _, pkg := range session {
		if moments.MatchString(pkg) {
			t.Errorf("sessions depend on %s", pkg)
		}
	}
}

func TestDependenciesStayAtTheEdges(t *testing.T) {
	for pkg, banned := range foreign {
		deps := list(t, "-deps", pkg)
		if len(deps) < 10 {
			t.Fatalf("%s has %d dependencies: this test looks at nothing", pkg, len(deps))
		}
		for _, dep := range deps {
			for _, b := range banned {
				if strings.Contains(dep, b) {
					t.Errorf("%s depends on %s", pkg, dep)
				}
			}
		}
	}
}

// The tag slim leaves out what takes long to compile.
func TestSlimIsSlim(t *testing.T) {
	heavy := []string{"apache/arrow-go", "modernc.org", "aws-sdk-go-v2", "Azure", "google.golang.org/grpc", "goja"}
	for _, tag := range []string{"", "slim"} {
		deps := strings.Join(list(t, "-tags", tag, "-deps", "./cmd/symmom"), "\n")
		for _, module := range heavy {
			if strings.Contains(deps, module) != (tag == "") {
				t.Errorf("tag %q: depends on %s: %v", tag, module, tag == "slim")
			}
		}
	}
}

// The map of the source, the table in ARCHITECTURE.md, has all packages but programs, and
// nothing that is not there.
func TestMapIsComplete(t *testing.T) {
	text, err := os.ReadFile(root + "/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| package | job |")
	table, _, _ = strings.Cut(table, "\n\n")
	packages := list(t, "-f", "{{.Name}} {{.ImportPath}}", "./...")
	if len(packages) < 30 {
		t.Fatalf("only %d packages seen: this test looks at nothing", len(packages))
	}
	for _, line := range packages {
		kind, pkg, _ := strings.Cut(line, " ")
		if kind != "main" && !regexp.MustCompile(`\b`+path.Base(pkg)+`\b`).MatchString(table) {
			t.Errorf("%s is not in the table", pkg)
		}
	}
	for row := range strings.Lines(table) {
		names := strings.Split(row, "|")
		if len(names) < 3 || strings.HasPrefix(names[1], "---") {
			continue
		}
		for name := range strings.SplitSeq(names[1], ",") {
			if _, err := os.Stat(root + "/" + strings.TrimSpace(name)); err != nil {
				t.Errorf("the table has %s, which is not there", name)
			}
		}
	}
}

// Files stay under about 400 lines, except generated files (zz_) and tests.
func TestFilesStayShort(t *testing.T) {
	n := 0
	eachFile(t, func(path, name string, data []byte) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zz_") {
			return
		}
		n++
		if lines := bytes.Count(data, []byte("\n")); lines > 420 {
			t.Errorf("%s has %d lines: split it by job", path, lines)
		}
	})
	if n < 30 {
		t.Errorf("only %d files seen: this test looks at nothing", n)
	}
}

// The race detector sees all files, except constants that differ under -race. The
// Makefile says what make race leaves out.
func TestRaceDetectorSeesAllFiles(t *testing.T) {
	n := 0
	eachFile(t, func(path, name string, data []byte) {
		if !withoutRace.Match(data) {
			return
		}
		n++
		if name != "norace_test.go" || bytes.Contains(data, []byte("\nfunc ")) {
			t.Errorf("%s is left out of make race", path)
		}
	})
	if n < 2 {
		t.Errorf("only %d files seen: this test looks at nothing", n)
	}
}

var withoutRace = regexp.MustCompile(`(?m)^//go:build .*!race`)

// eachFile calls look for all Go files.
func eachFile(t *testing.T, look func(path, name string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		look(path, name, data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Every public type has an example that runs, which go doc and pkg.go.dev show.
func TestTypesHaveExamples(t *testing.T) {
	types := regexp.MustCompile(`(?m)^type ([A-Z]\w*) `)
	for dir, least := range map[string]int{"symmom": 10, "charts": 10, "repl": 10, "datasets": 1} {
		doc := exec.Command("go", "doc", "-short", "./"+dir)
		doc.Dir = root
		out, err := doc.Output()
		if err != nil {
			t.Fatal(err)
		}
		examples := ""
		files, err := filepath.Glob(root + "/" + dir + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			examples += string(data)
		}
		found := types.FindAllStringSubmatch(string(out), -1)
		if len(found) < least {
			t.Fatalf("%s: only %d types seen: this test looks at nothing", dir, len(found))
		}
		for _, m := range found {
			if !regexp.MustCompile(`func Example` + m[1] + `(_\w+)?\(\)`).MatchString(examples) {
				t.Errorf("%s.%s has no example", dir, m[1])
			}
		}
	}
}
