//go:build e2e

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/chromium"
)

// TestWheel installs the wheel of this platform as people do, in an environment where
// scikit-learn and Jupyter are, runs the tour in JupyterLab, with the kernel that came with
// it, and the tests of the estimators, and removes it without a trace.
func TestWheel(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON names no Python; make check sets it")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "VERSION=0.1.0", "HOME="+dir, "JUPYTER_PREFER_ENV_PATH=1", "JUPYTERLAB_DIR="+filepath.Join(filepath.Dir(python), "..", "share", "jupyter", "lab"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	dist, venv := filepath.Join(dir, "dist"), filepath.Join(dir, "venv")
	// With the flags of go test, whose packages are compiled already.
	run("go", "build", "-o", filepath.Join(dist, "symmom_linux_amd64_v1", "symmom"), "./cmd/symmom")
	run("scripts/wheels.sh", dist)
	wheels, err := filepath.Glob(filepath.Join(dist, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels: %v, %v", wheels, err)
	}

	// An environment of its own, which sees the packages of the other.
	run(python, "-m", "venv", venv)
	in := func(name string) string { return filepath.Join(venv, "bin", name) }
	packages := func(python string) string {
		return strings.TrimSpace(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
	}
	if err := os.WriteFile(filepath.Join(packages(in("python")), "others.pth"), []byte(packages(python)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := func() string {
		lines := strings.Split(run("find", venv, "-not", "-type", "d", "-not", "-name", "*.pyc"), "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	before := files()
	run(in("pip"), "install", "--no-index", "--no-deps", wheels[0])

	if out := run(in("symmom"), "version"); !strings.HasPrefix(out, "symmom ") {
		t.Errorf("symmom version prints %q", out)
	}
	if out := run(in("python"), "-m", "jupyter_client.kernelspecapp", "list"); !strings.Contains(out, venv+"/share/jupyter/kernels/symmom") {
		t.Errorf("Jupyter lists\n%s", out)
	}
	lab := run(in("python"), "internal/build/release/testdata/lab.py", venv, chromium.Path(t), "notebooks/00-tour.ipynb")
	if !strings.Contains(lab, "Go (symmom)") || !strings.Contains(lab, "Score 0.9") || strings.Contains(lab, "\nerror ") {
		t.Errorf("the tour in JupyterLab:\n%.4000s", lab)
	}
	t.Log(run(in("python"), "python/tests/test_symmom.py"))

	run(in("pip"), "uninstall", "--yes", "symmom")
	if after := files(); after != before { // empty folders remain, as of other packages
		t.Errorf("uninstalling leaves files: before\n%s\nafter\n%s", before, after)
	}
}

func goEnv(t *testing.T, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
