// Package house holds the tests of the project's own rules.
package house

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allowed lists the packages of this module that each package may import, except in
// tests: imports point one way, as ARCHITECTURE.md draws them. The longest prefix of a
// package's path counts.
var allowed = map[string][]string{
	"symmom/cmd/":                   {"symmom/kernel", "symmom/repl", "symmom/paper", "symmom/charts", "symmom/datasets", "symmom/symmom", "symmom/cloud", "symmom/spark", "symmom/internal/describe", "symmom/internal/export", "symmom/internal/faults", "symmom/internal/files", "symmom/internal/fingerprint", "symmom/internal/flagvalues", "symmom/internal/fold", "symmom/internal/kernelbuild", "symmom/internal/likeness", "symmom/internal/linalg", "symmom/internal/memory", "symmom/internal/modelfile", "symmom/internal/overwrite", "symmom/internal/plaintable", "symmom/internal/browser", "symmom/internal/savedfile", "symmom/internal/sqlitefile", "symmom/internal/words", "symmom/cmd/symmom/internal/bar", "symmom/cmd/symmom/internal/objects"},
	"symmom/internal/kernelbuild":   {"symmom/repl/symbols", "symmom/repl/with", "symmom/internal/atomicfile", "symmom/internal/sourcecode", "symmom/internal/words"},
	"symmom/internal/flagvalues":    {"symmom/internal/words"},
	"symmom/internal/sourcecode":    {"symmom/internal/sourcecode"},
	"symmom/lite":                   {},
	"symmom/lite/wasm":              {"symmom/kernel", "symmom/repl"},
	"symmom/site":                   {"symmom/charts", "symmom/datasets", "symmom/paper"},
	"symmom/kernel":                 {"symmom/repl", "symmom/widgets", "symmom/internal/atomicfile", "symmom/internal/words"},
	"symmom/repl":                   {"symmom/repl", "symmom/internal/memory", "symmom/paper", "symmom/charts", "symmom/datasets", "symmom/widgets", "symmom/symmom", "symmom/internal/atomicfile", "symmom/internal/clock", "symmom/internal/faults", "symmom/internal/words"},
	"symmom/repl/terminal":          {"symmom/internal/faults", "symmom/internal/fold", "symmom/internal/interruptible", "symmom/internal/browser", "symmom/repl", "symmom/symmom", "symmom/internal/words"},
	"symmom/repl/internal":          {}, // each of these says here what it may import
	"symmom/repl/internal/assist":   {"symmom/repl/internal/gofront", "symmom/repl/internal/syntax", "symmom/repl/reference"},
	"symmom/repl/internal/display":  {"symmom/repl/internal/boxed", "symmom/symmom", "symmom/widgets", "symmom/internal/htmltext", "symmom/internal/plaintable", "symmom/internal/words"},
	"symmom/repl/internal/breath":   {},
	"symmom/repl/internal/support":  {"symmom/internal/memory", "symmom/repl/internal/breath", "symmom/repl/internal/gofront", "symmom/repl/internal/boxed", "symmom/repl/internal/syntax", "symmom/symmom"},
	"symmom/repl/internal/lower":    {"symmom/repl/internal/breath", "symmom/repl/internal/repr", "symmom/repl/internal/gofront", "symmom/repl/internal/syntax"},
	"symmom/repl/internal/repr":     {"symmom/repl/internal/gofront", "symmom/repl/internal/boxed", "symmom/repl/internal/syntax"},
	"symmom/repl/internal/gofront":  {"symmom/repl/internal/syntax", "symmom/repl/reference", "symmom/repl/symbols", "symmom/repl/with", "symmom/symmom", "symmom/internal/words"},
	"symmom/repl/internal/boxed":    {"symmom/symmom"},
	"symmom/repl/internal/yaegi":    {"symmom/internal/words"},
	"symmom/paper":                  {"symmom/charts", "symmom/datasets", "symmom/symmom", "symmom/internal/atomicfile", "symmom/internal/clock", "symmom/internal/plaintable", "symmom/internal/linalg", "symmom/internal/words"},
	"symmom/widgets":                {"symmom/internal/words"},
	"symmom/charts":                 {"symmom/charts", "symmom/widgets", "symmom/symmom", "symmom/internal/files", "symmom/internal/likeness", "symmom/internal/linalg", "symmom/internal/words"},
	"symmom/charts/live":            {"symmom/charts", "symmom/widgets", "symmom/symmom", "symmom/internal/columns", "symmom/internal/files", "symmom/internal/linalg", "symmom/internal/modelfile", "symmom/internal/words"},
	"symmom/datasets":               {"symmom/symmom", "symmom/internal/draw", "symmom/internal/words"},
	"symmom/symmom":                 {"symmom/internal/profile", "symmom/internal/codes", "symmom/internal/dialect", "symmom/internal/draw", "symmom/internal/export", "symmom/internal/files", "symmom/internal/fit", "symmom/internal/gmm", "symmom/internal/ica", "symmom/internal/moment", "symmom/internal/obs", "symmom/internal/passes", "symmom/internal/ranks", "symmom/internal/solve", "symmom/internal/observations", "symmom/internal/storage", "symmom/internal/ktensor", "symmom/internal/linalg", "symmom/internal/memory", "symmom/internal/notice", "symmom/internal/progress", "symmom/internal/words", "symmom/internal/agreement", "symmom/internal/labels", "symmom/internal/htmltext", "symmom/internal/describe", "symmom/internal/query", "symmom/internal/modelfile", "symmom/internal/likeness", "symmom/internal/bic"},
	"symmom/internal/bic":           {"symmom/internal/htmltext", "symmom/internal/linalg", "symmom/internal/notice", "symmom/internal/words"},
	"symmom/internal/likeness":      {"symmom/internal/faults", "symmom/internal/linalg", "symmom/internal/moment", "symmom/internal/notice", "symmom/internal/words"},
	"symmom/internal/exchange":      {"symmom/internal/linalg"},
	"symmom/internal/fit":           {"symmom/internal/exchange", "symmom/internal/storage", "symmom/internal/norm", "symmom/internal/moment", "symmom/internal/newton", "symmom/internal/solve", "symmom/internal/obs", "symmom/internal/eigen", "symmom/internal/fingerprint", "symmom/internal/ktensor", "symmom/internal/linalg", "symmom/internal/memory", "symmom/internal/notice", "symmom/internal/progress", "symmom/internal/words"},
	"symmom/internal/storage":       {"symmom/internal/parallel", "symmom/internal/codes", "symmom/internal/eigen", "symmom/internal/notice", "symmom/internal/fingerprint", "symmom/internal/memory", "symmom/internal/norm", "symmom/internal/moment", "symmom/internal/obs", "symmom/internal/profile", "symmom/internal/observations", "symmom/internal/linalg", "symmom/internal/spill", "symmom/internal/words", "symmom/internal/labels"},
	"symmom/internal/gmm":           {"symmom/internal/eigen", "symmom/internal/storage", "symmom/internal/moment", "symmom/internal/newton", "symmom/internal/solve", "symmom/internal/obs", "symmom/internal/ktensor", "symmom/internal/linalg", "symmom/internal/memory", "symmom/internal/notice", "symmom/internal/parallel", "symmom/internal/progress", "symmom/internal/words"},
	"symmom/internal/ranks":         {"symmom/internal/likeness", "symmom/internal/linalg", "symmom/internal/memory", "symmom/internal/fit", "symmom/internal/gmm", "symmom/internal/storage", "symmom/internal/moment", "symmom/internal/obs", "symmom/internal/observations", "symmom/internal/ktensor", "symmom/internal/progress", "symmom/internal/words"},
	"symmom/internal/ica":           {"symmom/internal/notice", "symmom/internal/words", "symmom/internal/eigen", "symmom/internal/moment", "symmom/internal/obs", "symmom/internal/linalg", "symmom/internal/parallel"},
	"symmom/internal/norm":          {"symmom/internal/moment", "symmom/internal/obs", "symmom/internal/linalg", "symmom/internal/parallel"},
	"symmom/internal/moment":        {"symmom/internal/notice", "symmom/internal/eigen", "symmom/internal/obs", "symmom/internal/linalg", "symmom/internal/parallel", "symmom/internal/words"},
	"symmom/internal/newton":        {"symmom/internal/linalg"},
	"symmom/internal/observations":  {"symmom/internal/codes", "symmom/internal/parallel", "symmom/internal/budget", "symmom/internal/profile", "symmom/internal/sweep", "symmom/internal/columns", "symmom/internal/shards", "symmom/internal/fingerprint", "symmom/internal/formats", "symmom/internal/columnar", "symmom/internal/dialect", "symmom/internal/files", "symmom/internal/obs", "symmom/internal/linalg", "symmom/internal/matfile", "symmom/internal/memory", "symmom/internal/notice", "symmom/internal/npy", "symmom/internal/numerals", "symmom/internal/sparsefile", "symmom/internal/words", "symmom/internal/labels", "symmom/internal/plainrows", "symmom/internal/faults", "symmom/internal/interruptible", "symmom/internal/weights"},
	"symmom/internal/passes":        {"symmom/internal/codes", "symmom/internal/columnar", "symmom/internal/faults", "symmom/internal/files", "symmom/internal/fingerprint", "symmom/internal/formats", "symmom/internal/gmm", "symmom/internal/linalg", "symmom/internal/moment", "symmom/internal/norm", "symmom/internal/notice", "symmom/internal/obs", "symmom/internal/observations", "symmom/internal/profile", "symmom/internal/shards", "symmom/internal/storage", "symmom/internal/words"},
	"symmom/internal/budget":        {"symmom/internal/faults", "symmom/internal/memory", "symmom/internal/notice", "symmom/internal/words"},
	"symmom/internal/sparsefile":    {"symmom/internal/numerals"},
	"symmom/internal/matfile":       {"symmom/internal/npy", "symmom/internal/sparsefile", "symmom/internal/words"},
	"symmom/internal/dialect":       {"symmom/internal/numerals"},
	"symmom/internal/formats":       {"symmom/internal/dialect", "symmom/internal/matfile", "symmom/internal/npy", "symmom/internal/sparsefile", "symmom/internal/words"},
	"symmom/internal/export":        {"symmom/internal/faults", "symmom/internal/linalg", "symmom/internal/files", "symmom/internal/columnar", "symmom/internal/memory", "symmom/internal/npy", "symmom/internal/numerals", "symmom/internal/obs", "symmom/internal/words"},
	"symmom/internal/columnar":      {"symmom/internal/npy", "symmom/internal/words"},
	"symmom/internal/fingerprint":   {"symmom/internal/linalg", "symmom/internal/npy", "symmom/internal/obs"},
	"symmom/internal/numerals":      {"symmom/internal/words"},
	"symmom/internal/npy":           {"symmom/internal/parallel", "symmom/internal/words"},
	"symmom/internal/draw":          {"symmom/internal/eigen", "symmom/internal/interruptible", "symmom/internal/memory", "symmom/internal/words"},
	"symmom/internal/solve":         {"symmom/internal/linalg"},
	"symmom/internal/obs":           {"symmom/internal/linalg"},
	"symmom/internal/ktensor":       {"symmom/internal/words", "symmom/internal/linalg"},
	"symmom/internal/eigen":         {"symmom/internal/linalg", "symmom/internal/parallel"},
	"symmom/internal/linalg":        {},
	"symmom/internal/atomicfile":    {},
	"symmom/internal/parallel":      {},
	"symmom/internal/progress":      {},
	"symmom/internal/memory":        {"symmom/internal/words"},
	"symmom/internal/browser":       {},
	"symmom/internal/sqlitefile":    {"symmom/internal/faults", "symmom/internal/files", "symmom/internal/words"},
	"symmom/internal/clock":         {},
	"symmom/internal/chromium":      {},
	"symmom/internal/s3server":      {},
	"symmom/internal/freeport":      {},
	"symmom/internal/plaintable":    {},
	"symmom/internal/fold":          {},
	"symmom/internal/notice":        {},
	"symmom/internal/words":         {},
	"symmom/internal/house":         {},
	"symmom/internal/release":       {"symmom/internal/release"},
	"symmom/internal/torture":       {},
	"symmom/internal/slow":          {},
	"symmom/internal/noise":         {},
	"symmom/notebooks":              {},
	"symmom/cloud":                  {"symmom/internal/files"},
	"symmom/spark":                  {"symmom/internal/passes", "symmom/internal/spark"},
	"symmom/internal/spark":         {"symmom/internal/spark"},
	"symmom/internal/files":         {"symmom/internal/atomicfile", "symmom/internal/faults", "symmom/internal/interruptible", "symmom/internal/words"},
	"symmom":                        {},                                                      // embeds the source of the public packages
	"symmom/bench":                  {"symmom/symmom", "symmom/datasets", "symmom/internal"}, // measures; nothing imports it
	"symmom/internal/labels":        {"symmom/internal/faults", "symmom/internal/numerals"},
	"symmom/internal/describe":      {"symmom/internal/obs", "symmom/internal/parallel", "symmom/internal/codes", "symmom/internal/columnar", "symmom/internal/dialect", "symmom/internal/faults", "symmom/internal/htmltext", "symmom/internal/notice", "symmom/internal/numerals", "symmom/internal/observations", "symmom/internal/words"},
	"symmom/internal/codes":         {"symmom/internal/faults", "symmom/internal/notice", "symmom/internal/numerals", "symmom/internal/words"},
	"symmom/internal/weights":       {"symmom/internal/faults"},
	"symmom/internal/columns":       {"symmom/internal/codes", "symmom/internal/faults", "symmom/internal/notice", "symmom/internal/words"},
	"symmom/internal/overwrite":     {"symmom/internal/files", "symmom/internal/shards"},
	"symmom/internal/shards":        {"symmom/internal/faults", "symmom/internal/files", "symmom/internal/formats", "symmom/internal/notice", "symmom/internal/words"},
	"symmom/internal/profile":       {"symmom/internal/faults", "symmom/internal/linalg", "symmom/internal/notice", "symmom/internal/numerals", "symmom/internal/obs"},
	"symmom/internal/sweep":         {"symmom/internal/linalg", "symmom/internal/parallel", "symmom/internal/profile"},
	"symmom/internal/plainrows":     {"symmom/internal/codes", "symmom/internal/faults", "symmom/internal/words", "symmom/internal/numerals"},
	"symmom/internal/spill":         {"symmom/internal/npy", "symmom/internal/obs", "symmom/internal/parallel"},
	"symmom/internal/agreement":     {"symmom/internal/htmltext", "symmom/internal/words"},
	"symmom/internal/htmltext":      {},
	"symmom/internal/savedfile":     {"symmom/internal/files", "symmom/internal/observations", "symmom/internal/words"},
	"symmom/internal/faults":        {"symmom/internal/words"},
	"symmom/internal/interruptible": {},
	"symmom/internal/modelfile":     {"symmom/internal/gmm", "symmom/internal/likeness", "symmom/internal/linalg", "symmom/internal/formats", "symmom/internal/matfile", "symmom/internal/npy", "symmom/internal/numerals", "symmom/internal/files", "symmom/internal/observations", "symmom/internal/savedfile", "symmom/internal/words"},
	"symmom/internal/query":         {"symmom/internal/codes", "symmom/internal/columns", "symmom/internal/faults", "symmom/internal/numerals", "symmom/internal/observations"},
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
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestImportsPointOneWay(t *testing.T) {
	seen := 0
	used := map[[2]string]bool{} // prefixes, and what they may import
	const show = `{{.ImportPath}} {{join .Imports " "}}`
	lines := list(t, "-f", show, "./...")
	for _, line := range append(lines, listFor(t, []string{"GOOS=js", "GOARCH=wasm"}, "-f", show, "./lite/...")...) {
		fields := strings.Fields(line)
		pkg, rules := fields[0], []string(nil)
		found, longest := false, ""
		for prefix, r := range allowed {
			prefix = strings.TrimSuffix(prefix, "/")
			if len(prefix) > len(longest) && (pkg == prefix || prefix != "symmom" && strings.HasPrefix(pkg, prefix+"/")) {
				rules, found, longest = r, true, prefix
			}
		}
		if !found {
			t.Errorf("%s has no rule: say in this test what it may import", pkg)
		}
		for _, imp := range fields[1:] {
			if !strings.HasPrefix(imp, "symmom/") {
				continue
			}
			seen++
			ok := false
			for _, r := range rules {
				if imp == r || strings.HasPrefix(imp, r+"/") {
					ok = true
					used[[2]string{longest, r}] = true
				}
			}
			if !ok {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d imports seen: this test looks at nothing", seen)
	}
	for prefix, rules := range allowed {
		for _, r := range rules {
			if !used[[2]string{strings.TrimSuffix(prefix, "/"), r}] {
				t.Errorf("nothing in %s imports %s: leave that out", prefix, r)
			}
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

// The map of the source, the table in ARCHITECTURE.md, has all packages but programs, and
// nothing that is not there.
func TestMapIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
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
			name = strings.TrimSpace(name)
			_, public := os.Stat("../../" + name)
			_, internal := os.Stat("../../internal/" + name)
			if public != nil && internal != nil {
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
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != "../.." && (strings.HasPrefix(name, ".") || name == "bin") {
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
		doc.Dir = "../.."
		out, err := doc.Output()
		if err != nil {
			t.Fatal(err)
		}
		examples := ""
		files, err := filepath.Glob("../../" + dir + "/*_test.go")
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
