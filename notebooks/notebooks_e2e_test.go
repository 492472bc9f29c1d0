//go:build e2e

package notebooks

import (
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"symmom/kernel/notebook"
)

// The numbers that a notebook is about, with bounds that hold for each kernel on
// any machine: scores are from the paper's claims and from the tests of the digits,
// and counts of starts allow for different rounding.
var bounds = map[string][]struct {
	what     string // the first group is the number
	min, max float64
}{
	"00-tour.ipynb":                 {{`(\d+) components of 500 variables`, 5, 5}},
	"01-explicit-or-implicit.ipynb": {{`d=4 .*relative error (\S+) and`, 0, 1}},
	"02-initialisation.ipynb":       {{`turned +a single start finds it in +(\d+) of 10`, 8, 10}},
	"03-mixture-means.ipynb": {
		{`σ = 0.0001 .*at the true rank: .* score (\S+)`, .9998, 1},
		{`σ = 0.001 .*at the true rank: .* score (\S+)`, .9998, 1},
		{`σ = 0.01 .*at the true rank: .* score (\S+)`, .9998, 1},
		{`σ = 0.1 .*at the true rank: .* score (\S+)`, .985, 1},
	},
	"04-massive.ipynb": {
		{`f = \S+ +score (\S+) +\S+ s +gradient`, .999, 1},
		{`passes over the data: (\d+)`, 1, 15},
		{`s = 1000 .* score (\S+)`, .99, 1},
	},
	"05-your-own-data.ipynb": {
		{`component 1 is kind 3, cosine (\S+)`, .995, 1},
		{`component 2 is kind 1, cosine (\S+)`, .995, 1},
		{`component 3 is kind 2, cosine (\S+)`, .995, 1},
	},
	"06-digits.ipynb": {
		{`the third moment: score against the class means: (\S+)`, .975, 1},
		{`the fourth moment: score against the class means: (\S+)`, .978, 1},
	},
	"07-mixtures.ipynb": { // scikit-learn's .1588 is stored beside
		{`error of the means: (\S+),`, 0, .1588},
		{`right labels: (\S+) of all`, .6, 1},
	},
	"08-unmixing-signals.ipynb": {
		{`source 1 is signal 3, correlation (\S+),`, .995, 1},
		{`source 2 is signal 1, correlation (\S+),`, .995, 1},
		{`source 3 is signal 2, correlation (\S+),`, .995, 1},
		{`source 4 is signal 4, correlation (\S+),`, .995, 1},
	},
	"09-topics.ipynb": {
		{`distance (\S+), cosine`, 0, .07},
		{`concentration (\S+)\n`, .95, 1.1},
		{`: 10 words: .*, (\S+) polished`, .985, 1},
		{`: 300 words: .*, (\S+) polished`, .999, 1},
		{`(\d+)% topic \d+: \[address .*http`, 75, 95},
		{`topics 12: perplexity (\S+)`, 1200, 1340},
	},
	"10-where-em-fails.ipynb": { // scikit-learn's .354 is stored beside
		{`distinct indices: score (\S+)`, .995, 1},
		{`error of the means: (\S+),`, 0, .05},
	},
}

// maxBytes is the maximum size of a stored notebook: what code hosts show in a
// preview.
const maxBytes = 2 << 20

func TestNotebooks(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set to a Python with scripts/requirements.txt; run make check")
	}
	dir := t.TempDir()
	command := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "share", "jupyter"), "JUPYTER_PREFER_ENV_PATH=0",
			"IPYTHONDIR="+filepath.Join(dir, "ipython"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	symmom := filepath.Join(dir, "bin", "symmom")
	command("go", "build", "-o", symmom, "../cmd/symmom")
	command("gophernotes/build.sh", filepath.Join(dir, "bin", "gophernotes"))
	command(symmom, "kernel", "install", "--prefix", dir, "--gophernotes")

	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) != len(bounds) {
		t.Fatalf("%d notebooks here (%v), bounds for %d", len(paths), err, len(bounds))
	}
	for _, kernel := range []string{"symmom", "gophernotes-symmom"} {
		t.Run(kernel, func(t *testing.T) {
			out := filepath.Join(dir, kernel)
			if err := os.Mkdir(out, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				if kernel == "symmom" {
					command(symmom, "run", path, "--save", filepath.Join(out, path), "--quiet")
				} else {
					command(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--ExecutePreprocessor.timeout=600",
						"--ExecutePreprocessor.kernel_name="+kernel, "--output-dir", out, path)
				}
				t.Run(path, func(t *testing.T) {
					stored, fresh := read(t, path), read(t, filepath.Join(out, path))
					check(t, stored, fresh, kernel == "symmom")
					all := printed(fresh)
					for _, b := range bounds[path] {
						m := regexp.MustCompile(b.what).FindStringSubmatch(all)
						if m == nil {
							t.Errorf("nothing printed matches %s", b.what)
							continue
						}
						if x, err := strconv.ParseFloat(m[1], 64); err != nil || x < b.min || x > b.max {
							t.Errorf("%q: want between %v and %v", m[0], b.min, b.max)
						}
					}
				})
			}
		})
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil {
			t.Error(err)
		} else if info.Size() > maxBytes {
			t.Errorf("%s: %d bytes, want at most %d", path, info.Size(), maxBytes)
		}
	}
}

func read(t *testing.T, path string) *notebook.Notebook {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Read(path, raw)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// check compares a fresh run with the stored one: the same cells print the same and
// show pictures in the same places. With full, the text that they show must also
// agree; gophernotes formats it differently, and does not say which files were written.
func check(t *testing.T, stored, fresh *notebook.Notebook, full bool) {
	t.Helper()
	for i, c := range fresh.Cells {
		if c.Type() != "code" {
			continue
		}
		where := strings.SplitN(strings.TrimSpace(c.Source()), "\n", 2)[0]
		for _, o := range c.Outputs() {
			if o.Type() == "error" {
				t.Errorf("%s: %s", where, o.Text("evalue"))
			}
		}
		was := stored.Cells[i]
		before := stream(was)
		if !full {
			before = regexp.MustCompile(`(?m)^wrote .*\n`).ReplaceAllString(before, "")
		}
		same(t, where, before, stream(c))
		if len(shown(was, "text/html")) != len(shown(c, "text/html")) {
			t.Errorf("%s: shows %d results in HTML, %d are stored", where, len(shown(c, "text/html")), len(shown(was, "text/html")))
		}
		if full {
			same(t, where, strings.Join(shown(was, "text/plain"), "\n"), strings.Join(shown(c, "text/plain"), "\n"))
		}
	}
}

// stream returns everything that a cell prints.
func stream(c *notebook.Cell) string {
	var b strings.Builder
	for _, o := range c.Outputs() {
		if o.Type() == "stream" {
			b.WriteString(o.Text("text"))
		}
	}
	return b.String()
}

// shown returns what a cell shows in a format, without the line that a long
// decomposition leaves: whether it is long depends on the machine.
func shown(c *notebook.Cell, format string) []string {
	var all []string
	for _, o := range c.Outputs() {
		if strings.HasPrefix(o.Data("text/plain"), "done: ") {
			continue
		}
		if s := o.Data(format); s != "" {
			all = append(all, html.UnescapeString(s))
		}
	}
	return all
}

// printed returns what all cells print, each line preceded by the heading above it.
func printed(nb *notebook.Notebook) string {
	var b strings.Builder
	heading := ""
	for _, c := range nb.Cells {
		if c.Type() == "markdown" {
			for _, line := range strings.Split(c.Source(), "\n") {
				if strings.HasPrefix(line, "#") {
					heading = strings.ToLower(strings.TrimLeft(line, "# "))
				}
			}
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(stream(c)), "\n") {
			b.WriteString(heading + ": " + line + "\n")
		}
	}
	return b.String()
}

var (
	// Parts that differ from run to run: times. Parts that differ between kinds of
	// processors: where the last steps of a search end.
	changing = regexp.MustCompile(`[\d.]+ (ns|µs|ms|s|min)\b|gradient( norm)? +\S+|[\d,]+ evaluations|bar [█▏▎▍▌▋▊▉ ]*`)
	numbers  = regexp.MustCompile(`-?\d[\d,]*(\.\d+)?(e[+-]\d+)?`)
)

// same compares two texts up to what changes, spaces and rounding: a hundredth
// of a number, as kernels for another processor have other last bits, with which
// a start may end in another of the optima that lie close to each other (seen:
// .2%). In a table of evaluations a whole number from 50 on may be off by a third,
// since their number depends on these bits too. Numbers below 1e-6, relative
// errors of exact fits, are noise.
func same(t *testing.T, where, stored, fresh string) {
	t.Helper()
	a, b := changing.ReplaceAllString(stored, "<>"), changing.ReplaceAllString(fresh, "<>")
	form := func(s string) string { return strings.Join(strings.Fields(numbers.ReplaceAllString(s, "#")), " ") }
	if form(a) != form(b) {
		t.Errorf("%s: another text than is stored:\n%s\nstored:\n%s", where, fresh, stored)
		return
	}
	counts := strings.Contains(a, "evaluations")
	x, y := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	for k := range x {
		p, _ := strconv.ParseFloat(strings.ReplaceAll(x[k], ",", ""), 64)
		q, _ := strconv.ParseFloat(strings.ReplaceAll(y[k], ",", ""), 64)
		slack := 1e-2
		if counts && p >= 50 && p == math.Trunc(p) {
			slack = 1. / 3
		}
		if math.Abs(p-q) > 1e-6+slack*math.Abs(p) {
			t.Errorf("%s: %s is stored as %s", where, y[k], x[k])
		}
	}
}
