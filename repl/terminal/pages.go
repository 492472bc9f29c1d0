package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"symmom/internal/system/browser"
)

// page is a value that a browser displays, such as a figure or a report of charts.
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
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if len(name) > 40 {
		name = strings.TrimRight(name[:40], "-")
	}
	return p.open("chart", "page", name+".html", v.Save)
}

// showPNG is show for a picture.
func (p *pages) showPNG(data []byte) string {
	return p.open("picture", "file", "picture.png", func(path string) error { return os.WriteFile(path, data, 0o600) })
}

// open saves something under a name of its own and opens it, or reports where it is.
func (p *pages) open(what, form, name string, save func(path string) error) string {
	failed := func(err error) string { return "the " + what + " could not be saved: " + err.Error() }
	if p.dir == "" {
		dir, err := os.MkdirTemp("", "symmom-charts-")
		if err != nil {
			return failed(err)
		}
		p.dir = dir
	}
	p.count++
	path := filepath.Join(p.dir, strings.Replace(fmt.Sprintf("%d-%s", p.count, name), "-.", ".", 1))
	if err := save(path); err != nil {
		return failed(err)
	}
	if p.opener.Open(path) {
		return "opened in the browser: " + path
	}
	return "saved as a " + form + ": " + path
}
