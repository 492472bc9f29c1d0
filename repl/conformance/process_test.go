package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"symmom/repl"
)

// A program runs in a process of its own, so that one that hangs or kills it harms
// no others. The process is this test, started again.
const (
	programEnv = "SYMMOM_CONFORMANCE_PROGRAM"
	secondsEnv = "SYMMOM_CONFORMANCE_SECONDS"

	addresses = 6 << 30          // bytes of address space
	maxOutput = 16 << 20         // bytes
	noticed   = 10 * time.Second // for a killed process to release its output
)

var (
	wasm  = flag.String("wasm", "", "this test, compiled for js/wasm, whose sessions run the programs in Node.js")
	every = flag.Int("every", 1, "run every n-th program")
)

var seconds = flag.Int("seconds", 60, "processor time for a program, and a third of its time on the clock; what passes takes a few seconds")

// refusal is what a process reports of a program that was refused.
type refusal struct{ Kind, Message string }

func TestMain(m *testing.M) {
	if name := os.Getenv(programEnv); name != "" {
		os.Exit(runProgram(name))
	}
	if os.Getenv(randomEnv) != "" {
		os.Exit(runRandom())
	}
	if os.Getenv(endingsEnv) != "" {
		os.Exit(runEndings())
	}
	flag.Parse()
	os.Exit(m.Run())
}

// runProgram is `symmom repl --unrestricted FILE`, but reports the error that
// refuses a program on file descriptor 3.
func runProgram(name string) int {
	limit, err := strconv.ParseUint(os.Getenv(secondsEnv), 10, 64)
	if err == nil {
		err = setLimits(limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	report, err := openReport()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	err = runFile(name)
	var e *repl.Error
	if errors.As(err, &e) && (e.Kind == "syntax" || e.Kind == "compile" || e.Kind == "import") {
		if err := json.NewEncoder(report).Encode(refusal{e.Kind, e.Message}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 99
		}
	}
	var exit *repl.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Code
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 98
	}
	return 0
}

// outcome is the outcome of a program.
type outcome struct {
	output  string // of both streams
	exit    int    // -1 if killed by a signal
	refused *refusal
	wrong   string // why it did not end by itself, or ""
}

var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// node is the program that a command of this name starts, by way of a script if it was installed
// with pip. By any other name than node, Go's net/http asks it to fetch, and not the servers that
// tests start in the same process.
var node = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("node", "--print", "process.execPath").Output()
	return strings.TrimSpace(string(out)), err
})

// run runs a program file in a new process.
func run(t *testing.T, file string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Duration(*seconds)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	if *wasm != "" {
		root, err := goroot()
		if err != nil {
			t.Fatal(err)
		}
		program, err := node()
		if err != nil {
			t.Fatal(err)
		}
		cmd = exec.CommandContext(ctx, program, filepath.Join(root, "lib", "wasm", "wasm_exec_node.js"), *wasm)
		cmd.Args[0] = "node"
	}
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), programEnv+"="+file, fmt.Sprintf("%s=%d", secondsEnv, *seconds))
	cmd.WaitDelay = noticed
	out := &limited{limit: maxOutput, full: cancel}
	cmd.Stdout, cmd.Stderr = out, out
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	refusals := make(chan *refusal, 1)
	go func() {
		var f refusal
		if json.NewDecoder(r).Decode(&f) == nil {
			refusals <- &f
		}
		close(refusals)
	}()
	err = cmd.Wait()
	o := outcome{output: out.String(), exit: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	switch {
	case out.overflow:
		o.wrong = "prints without end"
		return o
	case ctx.Err() != nil:
		o.wrong = "hangs"
		return o
	case o.exit == -1:
		o.wrong = "is killed: " + cmd.ProcessState.String()
		return o
	case err != nil && !errors.As(err, &exit):
		o.wrong = "does not end: " + err.Error()
		return o
	}
	o.refused = <-refusals
	return o
}

// limited keeps what is written, up to a limit.
type limited struct {
	bytes.Buffer
	limit    int
	full     func()
	overflow bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.limit {
		l.overflow = true
		l.full()
		return len(p), nil
	}
	return l.Buffer.Write(p)
}
