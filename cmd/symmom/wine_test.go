//go:build wine

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWine runs the binary for Windows under Wine: scripts/nightly.sh wine.
func TestWine(t *testing.T) {
	dir := t.TempDir()
	exe := filepath.Join(dir, "symmom.exe")
	build := exec.Command("go", "build", "-trimpath", "-o", exe, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wine, err := filepath.Abs("../../scripts/wine.sh")
	if err != nil {
		t.Fatal(err)
	}
	try := func(args ...string) (string, error) {
		t.Helper()
		c := exec.Command(wine, append([]string{exe}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		t.Logf("symmom %s\n%s", strings.Join(args, " "), out)
		return string(out), err
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := try(args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}

	if v := must("version"); !strings.Contains(v, "windows/amd64") {
		t.Error("the version does not name Windows")
	}
	demo := must("demo", "--html", "page.html")
	if page := read("page.html"); !strings.Contains(demo, "score           0.98") || !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
		t.Errorf("the demo's score is not .98, or its page is not whole (%d bytes)", len(page))
	}

	must("generate", "gmm", "--n", "20", "--components", "3", "--per-component", "100", "--sigma", ".1", "--out", "data.npy", "--truth", "truth.npy")
	decompose := func(more ...string) []string {
		return append([]string{"decompose", "data.npy", "-d", "3", "-r", "3", "--truth", "truth.npy"}, more...)
	}
	must(decompose("--save", "model.json")...)
	first := read("model.json")
	must(decompose("--save", "model.json", "--seed", "2")...)
	if second := read("model.json"); first == second || !strings.Contains(second, `"seed": 2`) {
		t.Error("the saved model was not replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*model.json?*")); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
	if out, err := try(decompose("--save", `nowhere\model.json`)...); err == nil || !strings.Contains(out, "there is no directory nowhere") {
		t.Error("a directory that is not there")
	}
	must("evaluate", "data.npy", "--model", "model.json")
	cells := must("repl", "-e", `fit := symmom.Load("data.npy").Moment(3).Decompose(3)`, "-e", `fmt.Println(fit)`)
	if !strings.Contains(cells, "Fit of rank 3") {
		t.Error("the session shows no fit")
	}

	// Ctrl-C typed in a terminal, which script(1) provides.
	line := wine + " " + exe + " " + strings.Join(decompose("--starts", "1000000", "--save", "best.json", "--quiet"), " ")
	c := exec.Command("script", "--quiet", "--return", "--command", line, filepath.Join(dir, "typescript"))
	c.Dir = dir
	keys, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(15 * time.Second) // Wine may take most of it
	if _, err := io.WriteString(keys, "\x03"); err != nil {
		t.Fatal(err)
	}
	typed := time.Now()
	stop := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	_ = c.Wait()
	stop.Stop()
	t.Logf("ended %v after Ctrl-C with %d:\n%s", time.Since(typed).Round(time.Millisecond), c.ProcessState.ExitCode(), out.String())
	if code := c.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if !strings.Contains(read("best.json"), `"status": "interrupted"`) {
		t.Error("the best fit was not saved")
	}
}
