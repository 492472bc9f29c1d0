//go:build e2e

package spark_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// notebook runs cluster.ipynb, in symmom's kernel, on the cluster at an address.
func notebook(t *testing.T, address string) {
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "share", "jupyter"), "JUPYTER_PREFER_ENV_PATH=0",
			"IPYTHONDIR="+filepath.Join(dir, "ipython"), "SPARK_REMOTE="+address)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	symmom := filepath.Join(dir, "bin", "symmom")
	run("go", "build", "-o", symmom, "../cmd/symmom")
	run(symmom, "kernel", "install", "--prefix", dir)
	run(os.Getenv("SYMMOM_PYTHON"), "../notebooks/execute.py", "symmom", dir, "cluster.ipynb")
	if to := os.Getenv("SYMMOM_NOTEBOOK"); to != "" { // what it shows is to be stored
		run("cp", filepath.Join(dir, "cluster.ipynb"), to)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "cluster.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Outputs []struct {
				Type  string `json:"output_type"`
				Text  any    `json:"text"` // a string or a list of lines
				Error string `json:"evalue"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(raw, &nb); err != nil {
		t.Fatal(err)
	}
	printed := ""
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Type == "error" {
				t.Errorf("a cell fails: %s", o.Error)
			}
			switch text := o.Text.(type) {
			case string:
				printed += text
			case []any:
				for _, line := range text {
					printed += line.(string)
				}
			}
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
