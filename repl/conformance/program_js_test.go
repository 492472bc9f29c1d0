package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"

	"symmom/lab"
	"symmom/repl"
)

// Node.js has the file descriptor, Go for js/wasm does not know it.
func openReport() (*os.File, error) { return os.OpenFile("/dev/fd/3", os.O_WRONLY, 0) }

// runFile runs a program as package terminal does, which needs a terminal's library.
func runFile(name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s, err := repl.New(repl.Config{Library: lab.Library(), Args: []string{name}, Unrestricted: true})
	if err != nil {
		return err
	}
	_, err = s.EvalScript(context.Background(), name, string(source), func(repl.Result) {})
	var exit *repl.ExitError
	if err == nil || errors.As(err, &exit) {
		return err
	}
	var e *repl.Error
	if errors.As(err, &e) {
		fmt.Fprintln(os.Stderr, "symmom:", e.Report())
	} else {
		fmt.Fprintln(os.Stderr, "symmom:", err)
	}
	return &repl.ExitError{Code: 1, Err: err}
}
