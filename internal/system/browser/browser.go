// Package browser opens pages in the user's browser, if there is one.
package browser

import (
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"runtime"
)

// NoneEnv prevents that a browser is opened if it is set.
const NoneEnv = "SYMMOM_NO_BROWSER"

// Opener is a command that opens a file in the browser; nil if there is none.
type Opener []string

// Find finds the command, which needs a screen.
func Find() Opener {
	if os.Getenv(NoneEnv) != "" {
		return nil
	}
	var candidates []Opener
	switch runtime.GOOS {
	case "darwin":
		candidates = []Opener{{"open"}}
	case "windows":
		candidates = []Opener{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		if os.Getenv("WSL_DISTRO_NAME") != "" {
			candidates = append(candidates, Opener{"wslview"})
		}
		if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
			candidates = append(candidates, Opener{"xdg-open"}, Opener{"gio", "open"})
		}
	}
	for _, c := range candidates {
		if _, err := exec.LookPath(c[0]); err == nil {
			return c
		}
	}
	return nil
}

// Open has a file opened, and reports whether the command could be started.
func (o Opener) Open(path string) bool {
	if o == nil {
		return false
	}
	cmd := exec.Command(o[0], append(o[1:len(o):len(o)], path)...)
	if cmd.Start() != nil {
		return false
	}
	go func() { _ = cmd.Wait() }() // the browser's exit status does not matter
	return true
}

// OpenAddress has an address opened that holds a secret: other users can see the
// arguments of commands, so it stands in a file that only this one can read, until remove
// is called. Without a browser it does nothing.
func OpenAddress(address string) (remove func()) {
	opener := Find()
	if opener == nil {
		return func() {}
	}
	f, err := os.CreateTemp("", "symmom-*.html") // of mode 600
	if err != nil {
		return func() {}
	}
	_, err = fmt.Fprintf(f, `<!doctype html><meta charset="utf-8"><title>symmom</title><meta http-equiv="refresh" content="0;url=%[1]s"><a href="%[1]s">symmom</a>`+"\n", html.EscapeString(address))
	if errors.Join(err, f.Close()) == nil {
		opener.Open(f.Name())
	}
	return func() { _ = os.Remove(f.Name()) }
}
