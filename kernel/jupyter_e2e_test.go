//go:build e2e

package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Tests of the kernel with Jupyter's own programs. SYMMOM_PYTHON names the Python
// that has them (scripts/requirements.txt).

// python returns that Python.
func python(t testing.TB) string {
	t.Helper()
	p := os.Getenv("SYMMOM_PYTHON")
	if p == "" {
		t.Fatal("SYMMOM_PYTHON does not name a Python with Jupyter; make check sets it")
	}
	return p
}

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "symmom-kernel")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "symmom")
	cmd := exec.Command("go", "build", "-o", path, "symmom/cmd/symmom")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

// jupyter is an installation of the kernel in the test's own directories.
func jupyter(t testing.TB, install ...string) (env []string) {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	env = append(os.Environ(), "HOME="+dir, "JUPYTER_PREFER_ENV_PATH=0", "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "run"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"), "IPYTHONDIR="+filepath.Join(dir, "ipython"), "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"PATH="+filepath.Dir(python(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd := exec.Command(program, append([]string{"kernel", "install"}, install...)...)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return env
}

// inTime returns a command that is stopped if it takes too long.
func inTime(t testing.TB, env []string, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	return cmd
}

// TestConformance runs jupyter_kernel_test on this kernel and, as the
// control, on ipykernel.
func TestConformance(t *testing.T) {
	env := jupyter(t)
	for _, kernel := range []struct {
		name         string
		skips, tries int
	}{
		{"symmom", 0, 1},
		// History by range: it answers with session 0. What it logs at the start
		// sometimes overtakes the welcome that a test expects first.
		{"python3", 1, 3},
	} {
		t.Run(kernel.name, func(t *testing.T) {
			var report string
			for range kernel.tries {
				if report = conformance(t, env, kernel.name, kernel.skips); report == "" {
					return
				}
				t.Log(report)
			}
			t.Error("failed each time")
		})
	}
}

// conformance runs the tests and returns what is wrong, or "".
func conformance(t *testing.T, env []string, name string, skips int) string {
	cmd := inTime(t, env, python(t), filepath.Join("testdata", "conformance.py"), name)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var got struct {
		Ran             int
		Failed, Skipped []string
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		return fmt.Sprintf("%v %v\n%s%s", runErr, err, &stdout, &stderr)
	}
	if got.Ran < 13 || len(got.Failed) > 0 || len(got.Skipped) != skips || runErr != nil {
		return fmt.Sprintf("%d ran, %d failed, skipped: %q\n%s", got.Ran, len(got.Failed), got.Skipped, &stderr)
	}
	return ""
}

// writeNotebook writes a notebook of cells that have not run.
func writeNotebook(t testing.TB, path string, cells ...string) {
	t.Helper()
	var list []dict
	for i, c := range cells {
		list = append(list, dict{"cell_type": "code", "id": string(rune('a' + i)), "source": c, "metadata": dict{}, "outputs": []any{}, "execution_count": nil})
	}
	spec := dict{"name": "symmom", "display_name": "Go (symmom)", "language": "go"}
	data := encode(dict{"cells": list, "metadata": dict{"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5})
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// With --transport ipc a Jupyter server communicates with the kernel over sockets
// that belong to the user alone.
func TestJupyterOverIPC(t *testing.T) {
	env := jupyter(t, "--transport", "ipc")
	cmd := inTime(t, env, python(t), filepath.Join("testdata", "ipc.py"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	want := `{"transport": "ipc", "status": "ok", "shown": ["42"], "sockets": ["0o600"], "count": 5, "directory": "0o1700"}`
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%v %s, want %s\n%s", err, got, want, &stderr)
	}
}

func TestJupyterExecute(t *testing.T) {
	env := jupyter(t)
	path := filepath.Join(t.TempDir(), "moments.ipynb")
	cells := []string{
		"import \"fmt\"\nfor i := 0; i < 3; i++ {\n\tfmt.Println(i)\n}",
		"data := datasets.Uniform(5, 200, 1)\ndata.Moment(3).Decompose(2)",
		"mat.NewDense(1, 2, []float64{1, 2})",
	}
	writeNotebook(t, path, cells...)
	if out, err := inTime(t, env, python(t), "-m", "jupyter", "execute", path, "--inplace").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Count   int `json:"execution_count"`
			Outputs []struct {
				Type string `json:"output_type"`
				Text any
				Data map[string]any
			}
		}
	}
	if err := json.Unmarshal(data, &nb); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0\n 1\n 2\n", "Fit of rank 2", "1 x 2 matrix"} {
		o := nb.Cells[i].Outputs
		text := ""
		if len(o) == 1 {
			text = strings.Join(strings.Fields(string(encode(o[0].Text))+string(encode(o[0].Data["text/plain"]))), " ")
		}
		for _, part := range strings.Fields(want) {
			if !strings.Contains(text, part) {
				t.Errorf("cell %d: %s, want %s", i, text, want)
			}
		}
		if nb.Cells[i].Count != i+1 {
			t.Errorf("cell %d has number %d", i, nb.Cells[i].Count)
		}
	}
}

var tmuxServer = fmt.Sprintf("symmom-kernel-%d", os.Getpid())

// tmux runs a tmux command on the test's own server.
func tmux(t testing.TB, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("tmux", append([]string{"-L", tmuxServer}, args...)...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestJupyterConsole types into jupyter console.
func TestJupyterConsole(t *testing.T) {
	env := jupyter(t)
	tmux(t, env, "new-session", "-d", "-x", "120", "-y", "40", "-s", "console",
		python(t)+" -m jupyter console --kernel symmom --ZMQTerminalInteractiveShell.kernel_timeout=60"+
			// After a second without an answer, on a busy machine, Enter only begins a line.
			" --ZMQTerminalInteractiveShell.kernel_is_complete_timeout=60")
	alive := func() bool {
		cmd := exec.Command("tmux", "-L", tmuxServer, "has-session", "-t", "console")
		cmd.Env = env
		return cmd.Run() == nil
	}
	defer func() {
		if alive() {
			tmux(t, env, "kill-server")
		}
	}()
	screen := func() string { return tmux(t, env, "capture-pane", "-p", "-t", "console") }
	see := func(want string) {
		t.Helper()
		for begin := time.Now(); time.Since(begin) < patience; time.Sleep(100 * time.Millisecond) {
			if strings.Contains(screen(), want) {
				return
			}
		}
		t.Fatalf("no %q on the screen:\n%s", want, screen())
	}
	keys := func(k ...string) { tmux(t, env, append([]string{"send-keys", "-t", "console"}, k...)...) }
	see("In [1]:")
	keys("40 + 2", "Enter")
	see("Out[1]: 42")
	see("In [2]:")
	keys("mat.NewDen", "Tab") // there is one completion
	see("mat.NewDense")
	keys("(1, 1, nil)", "Enter")
	see("1 x 1 matrix")
	see("In [3]:")
	keys("nothing", "Enter")
	see("undefined: nothing")
	see("In [4]:")
	keys("println(6 * 7 * 100)", "Enter")
	see("4200")
	see("In [5]:")
	keys(`import "os"`, "Enter")
	see("In [6]:")
	// The console shows what a cell prints while it runs only if no status of an
	// earlier request arrives late (jupyter_console 6.6.3 takes any idle status for
	// the cell's), and Ctrl-C before it has sent the cell ends its own loop: a file
	// shows that the cell has begun.
	begun := filepath.Join(t.TempDir(), "begun")
	keys(fmt.Sprintf("os.WriteFile(%q, nil, 0600); for {}", begun), "Enter")
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(begun); err == nil {
			break
		}
		if time.Since(begin) > patience {
			t.Fatalf("the cell does not begin:\n%s", screen())
		}
	}
	for begin := time.Now(); time.Since(begin) < patience && !strings.Contains(screen(), "interrupted"); time.Sleep(time.Second) {
		keys("C-c")
	}
	see("interrupted")
	keys("C-u", "21 * 4", "Enter")
	see(": 84")
	keys("exit", "Enter")
	for begin := time.Now(); alive(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatalf("the console does not end:\n%s", tmux(t, env, "capture-pane", "-p", "-t", "console"))
		}
	}
}
