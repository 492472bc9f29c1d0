package compiled

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/compiled/wire"
)

//go:embed run/serve.go wire/stream.go
var sources embed.FS

// module is the path of this package, below which the two import each other in cells, too.
var module = path.Dir(reflect.TypeFor[wire.Stream]().PkgPath())

// Go is the oldest version that can compile a cell: the language of sessions.
const Go = "1.26"

// Error is what the compiler says about a cell.
type Error struct {
	Line, Column int // of the cell
	Message      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// Available returns an error that says what to do where cells cannot be compiled.
func Available() error {
	if runtime.GOOS == "js" {
		return errors.New("a page in a browser cannot compile; use a session on a machine with Go")
	}
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("there is no go command in the PATH; compiling needs Go " + Go + " or later: https://go.dev/dl")
	}
	return nil
}

// passed are the variables of the environment that the go command and the program need.
var passed = []string{"PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "GOCACHE", "GOROOT",
	"TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TZ", "LANG", "LC_ALL", "GOMAXPROCS", "GOMEMLIMIT", "GOGC"}

func environment() []string {
	var out []string
	for _, name := range passed {
		if v, there := os.LookupEnv(name); there {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// build compiles a cell in a directory.
func build(ctx context.Context, dir, source string, names []string) (program string, err error) {
	if err := Available(); err != nil {
		return "", err
	}
	files := map[string]string{
		"go.mod":  "module " + module + "\n\ngo " + Go + "\n",
		wire.File: "package main;" + source,
		"main.go": fmt.Sprintf("package main\n\nimport _compiled_run %q\n\nfunc main() { _compiled_run.Serve(%s) }\n",
			module+"/run", strings.Join(names, ", ")),
	}
	if err := os.CopyFS(dir, sources); err != nil {
		return "", err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	program = filepath.Join(dir, "cell.exe") // Windows wants the ending
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program)
	cmd.Dir = dir
	cmd.Env = append(environment(), "GOENV=off", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOTOOLCHAIN=local", "GOPROXY=off",
		"CGO_ENABLED=0", "GOTMPDIR="+dir, "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	cmd.Cancel = func() error { // it removes what it has made
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // Windows has no signals
	}
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", interruptible.Err
	case err != nil:
		return "", explained(said.String(), err)
	}
	return program, nil
}

var (
	inCell = regexp.MustCompile(`(?m)^(?:\.[/\\])?` + regexp.QuoteMeta(wire.File) + `:(\d+):(?:(\d+):)? (.*)$`)
	noPath = regexp.MustCompile(`^package (\S+) is not in std|^no required module provides package ([^\s;]+)|^cannot find module providing package ([^\s:]+)`)
)

// explained returns the first error in what the go command said.
func explained(said string, err error) error {
	m := inCell.FindStringSubmatch(said)
	if m == nil {
		for line := range strings.Lines(said) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				return errors.New(line)
			}
		}
		return err
	}
	line, _ := strconv.Atoi(m[1]) // digits
	column, _ := strconv.Atoi(m[2])
	message := m[3]
	if m := noPath.FindStringSubmatch(message); m != nil {
		message = "a compiled cell can import the standard library only, and package " + cmp.Or(m[1], m[2], m[3]) + " is not in it"
	}
	return &Error{line, column, message}
}
