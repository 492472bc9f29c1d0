package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"symmom/internal/browser"
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
	dir    string // where they are saved; made on first use, and left to the browser
	opener browser.Opener
	count  int
}

// newPages returns pages and determines whether a browser can be opened.
func newPages(wanted bool) *pages {
	p := &pages{}
	if wanted {
		p.opener = browser.Find()
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
	if p.opener.Open(path) {
		return "opened in the browser: " + path
	}
	return "saved as a page: " + path
}
