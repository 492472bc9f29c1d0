package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// page is a value that a browser displays: a figure or a report of charts.
type page interface {
	Page() string
	Save(path string) error
	Err() error
}

// pages displays values of package charts in a terminal: each is saved as a page and,
// if there is a display, opened in the browser.
type pages struct {
	dir    string   // where they are saved; made on first use
	opener []string // command that opens a page, nil if none
	count  int
}

// noBrowserEnv prevents the browser from being opened if it is set.
const noBrowserEnv = "SYMMOM_NO_BROWSER"

// newPages returns pages and determines whether a browser can be opened.
func newPages(wanted bool) *pages {
	p := &pages{}
	if !wanted || os.Getenv(noBrowserEnv) != "" {
		return p
	}
	var candidates [][]string
	switch runtime.GOOS {
	case "darwin":
		candidates = [][]string{{"open"}}
	case "windows":
		candidates = [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		if os.Getenv("WSL_DISTRO_NAME") != "" {
			candidates = append(candidates, []string{"wslview"})
		}
		if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
			candidates = append(candidates, []string{"xdg-open"}, []string{"gio", "open"})
		}
	}
	for _, c := range candidates {
		if _, err := exec.LookPath(c[0]); err == nil {
			p.opener = c
			break
		}
	}
	return p
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// show saves a page and opens it, or reports where it is.
func (p *pages) show(v page, title string) string {
	if p.dir == "" {
		dir, err := os.MkdirTemp("", "symmom-charts-")
		if err != nil {
			return "the chart could not be saved: " + err.Error()
		}
		p.dir = dir
	}
	p.count++
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if len(name) > 40 {
		name = strings.TrimRight(name[:40], "-")
	}
	path := filepath.Join(p.dir, strings.Trim(fmt.Sprintf("%d-%s", p.count, name), "-")+".html")
	if err := v.Save(path); err != nil {
		return "the chart could not be saved: " + err.Error()
	}
	if p.opener != nil {
		cmd := exec.Command(p.opener[0], append(p.opener[1:], path)...)
		if err := cmd.Start(); err == nil {
			go func() { _ = cmd.Wait() }() // the browser's exit status does not matter
			return "opened in the browser: " + path
		}
	}
	return "saved as a page: " + path
}
