package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// TestPublishAs: a program in another module, that of the README, gets symmom by
// its public path from a proxy, and runs.
func TestPublishAs(t *testing.T) {
	slow.Test(t)
	const module, version = "example.org/somebody/symmom", "v0.1.0"
	dir := t.TempDir()
	source, proxy, foreign := filepath.Join(dir, "source"), filepath.Join(dir, "proxy"), filepath.Join(dir, "foreign")
	if err := Rewrite("../../..", source, module); err != nil {
		t.Fatal(err)
	}
	if err := Proxy(source, proxy, module, version); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(source, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, program, found := strings.Cut(string(readme), "\n```go\npackage main\n")
	if !found {
		t.Fatal("the README has no program")
	}
	program, _, _ = strings.Cut(program, "```\n")
	program = "package main\n" + program
	if !strings.Contains(program, `"`+module+`/symmom"`) {
		t.Fatalf("the program does not import the public path:\n%s", program)
	}
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	apart := append(os.Environ(), "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOWORK=off", "GOMODCACHE="+filepath.Join(dir, "cache"),
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"))
	run := func(dir string, env []string, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(foreign, apart, "mod", "init", "example.com/program")
	run(foreign, apart, "get", module+"/symmom@"+version)
	// Where other modules lie decides whether they are compiled again.
	run(foreign, nil, "mod", "edit", "-replace", module+"="+source)
	out := run(foreign, nil, "run", "-mod=mod", ".")
	t.Logf("%s\n%s", program, out)
	if !strings.Contains(out, "Fit of rank 10 to the 4th moment") {
		t.Error("the program shows no fit")
	}
	// Nothing is left of the old path in what is compiled.
	if out := run(source, nil, "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}} {{join .TestImports \" \"}} {{join .XTestImports \" \"}}", "./..."); regexp.MustCompile(`(?m)(^| )symmom(/| |$)`).MatchString(out) {
		t.Errorf("the old path is still there:\n%s", out)
	}
}

func TestPublishAsRefuses(t *testing.T) {
	for _, module := range []string{"symmom", "symmom/symmom", "example.org/other", "example.org/a b/symmom"} {
		if err := Rewrite("../../..", t.TempDir(), module); err == nil {
			t.Errorf("%q was taken", module)
		}
	}
}
