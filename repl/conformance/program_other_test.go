//go:build !js

package conformance

import (
	"context"
	"os"

	"symmom/lab"
	"symmom/repl/terminal"
)

func openReport() (*os.File, error) { return os.NewFile(3, "report"), nil }

func runFile(name string) error {
	return terminal.Run(context.Background(), terminal.Options{Library: lab.Library(), Args: []string{name}, Unrestricted: true, NoBrowser: true})
}
