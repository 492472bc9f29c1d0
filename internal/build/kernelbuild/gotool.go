package kernelbuild

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// goTool runs the go command in a directory.
type goTool struct {
	dir   string
	env   []string
	flags []string // of commands that compile
}

// findGo checks that there is a go command that can build symmom, whose go.mod
// requires version.
func findGo(ctx context.Context, dir, required string) (*goTool, error) {
	g := &goTool{dir: dir, env: append(os.Environ(), "GOWORK=off", "GOOS=", "GOARCH=", "GO111MODULE=on"), flags: []string{"-mod=mod"}}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("kernel build: there is no go command in the PATH; building needs Go %s or later: https://go.dev/dl", required)
	}
	out, err := g.run(ctx, "env", "-json", "GOVERSION", "GOTOOLCHAIN")
	if err != nil {
		return nil, err
	}
	var have struct{ GOVERSION, GOTOOLCHAIN string }
	if err := json.Unmarshal(out, &have); err != nil {
		return nil, fmt.Errorf("kernel build: go env printed %q, want JSON", out)
	}
	// Go 1.21 and later fetch the version that go.mod requires, unless that is switched
	// off.
	local := strings.HasPrefix(have.GOTOOLCHAIN, "local") || older(have.GOVERSION, "1.21")
	if older(have.GOVERSION, required) && local {
		return nil, fmt.Errorf("kernel build: the go command is %s, want %s or later: https://go.dev/dl", have.GOVERSION, required)
	}
	return g, nil
}

var goVersion = regexp.MustCompile(`^(?:go)?(\d+)\.(\d+)(?:\.(\d+))?`)

// older compares versions of Go, with or without the prefix; an unknown one, of a
// development tree, is not older.
func older(have, want string) bool {
	a, b := goVersion.FindStringSubmatch(have), goVersion.FindStringSubmatch(want)
	if a == nil || b == nil {
		return false
	}
	for i := 1; i < len(a); i++ {
		m, _ := strconv.Atoi(a[i]) // digits, or empty for 0
		n, _ := strconv.Atoi(b[i])
		if m != n {
			return m < n
		}
	}
	return false
}

// run runs the go command and returns what it prints. An error has what go says on one
// line.
func (g *goTool) run(ctx context.Context, args ...string) ([]byte, error) {
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = g.dir, g.env, &out, &stderr
	ownGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		return out.Bytes(), nil
	}
	message := g.oneLine(stderr.String())
	if message == "" {
		message = err.Error()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		message = err.Error()
	}
	return nil, &goError{args[0], message}
}

// goError is an error of the go command.
type goError struct{ command, message string }

func (e *goError) Error() string { return "kernel build: go " + e.command + ": " + e.message }

// oneLine returns the first error in the output of the go command. Lines that begin
// with a tab or a space go on with the line before.
func (g *goTool) oneLine(text string) string {
	var out string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		rest := strings.TrimSpace(strings.TrimPrefix(line, "go: "))
		switch {
		case rest == "" || strings.HasPrefix(rest, "downloading ") || strings.HasPrefix(rest, "finding ") || strings.HasPrefix(rest, "added ") ||
			strings.HasPrefix(rest, "upgraded ") || strings.HasPrefix(rest, "downgraded ") || strings.HasPrefix(rest, "warning:") || strings.HasPrefix(line, "# "):
		case out == "":
			out = rest
		case line[0] == '\t' || line[0] == ' ' || strings.HasSuffix(out, ":"):
			out += " " + rest
		default:
			return strings.ReplaceAll(out, g.dir+string(os.PathSeparator), "")
		}
	}
	return strings.ReplaceAll(out, g.dir+string(os.PathSeparator), "")
}

// requirements returns the versions of the modules that go.mod requires.
func (g *goTool) requirements(ctx context.Context) (map[string]string, error) {
	out, err := g.run(ctx, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, fmt.Errorf("kernel build: go mod edit: %w", err)
	}
	versions := map[string]string{}
	for _, r := range mod.Require {
		versions[r.Path] = r.Version
	}
	return versions, nil
}
