//go:build e2e

package spark_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"symmom/kernel/notebook"
)

// runNotebook runs cluster.ipynb on the cluster at an address.
func runNotebook(t *testing.T, address string) {
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "SPARK_REMOTE="+address)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	symmom, saved := filepath.Join(dir, "symmom"), filepath.Join(dir, "cluster.ipynb")
	run("go", "build", "-o", symmom, "../cmd/symmom")
	run(symmom, "run", "cluster.ipynb", "--save", saved)
	if to := os.Getenv("SYMMOM_NOTEBOOK"); to != "" { // what it shows is to be stored
		run("cp", saved, to)
	}
	raw, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Read(saved, raw)
	if err != nil {
		t.Fatal(err)
	}
	printed := ""
	for _, c := range nb.Cells {
		for _, o := range c.Outputs() {
			printed += o.Text("text")
		}
	}
	for what, least := range map[string]float64{
		`of (\d+) variables`:                    60,
		`score (\S+)`:                           .99,
		`the error falls by (\S+) up to rank 5`: .01,
		`within (\S+) of the true means`:        0,
	} {
		m := regexp.MustCompile(what).FindStringSubmatch(printed)
		if m == nil {
			t.Errorf("nothing printed matches %s: %s", what, printed)
			continue
		}
		if x, err := strconv.ParseFloat(m[1], 64); err != nil || x < least || strings.HasPrefix(what, "within") && x > .05 {
			t.Errorf("%q: want at least %v", m[0], least)
		}
	}
}
