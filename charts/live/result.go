package live

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"symmom/charts"
	"symmom/symmom"
)

// result is what the page shows, with its report, which is made when it is asked for.
type result struct {
	version int
	job     Job
	found   Found
	report  func() *charts.Report
	page    func() string
}

func newResult(version int, job Job, found Found) *result {
	r := &result{version: version, job: job, found: found, report: sync.OnceValue(found.Report)}
	r.page = sync.OnceValue(func() string { return r.report().Page() })
	return r
}

// interrupted reports whether the job was stopped before its end.
func (r *result) interrupted() bool { return errors.Is(r.found.Err(), symmom.ErrInterrupted) }

// name describes the result.
func (r *result) name() string {
	if r.interrupted() {
		return r.job.String() + " (interrupted)"
	}
	return r.job.String()
}

// line describes the result in a line.
func (r *result) line() string { return r.job.String() + ", " + r.found.Facts() }

// resultView is a result as sent to the page.
type resultView struct {
	Version     int      `json:"version"`
	Name        string   `json:"name"`
	Line        string   `json:"line"`
	Interrupted bool     `json:"interrupted"`
	Warnings    []string `json:"warnings"`
}

func (r *result) view() *resultView {
	return &resultView{Version: r.version, Name: r.job.String(), Line: r.found.Facts(), Interrupted: r.interrupted(), Warnings: append([]string{}, r.found.Notes()...)}
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// file returns a name for a file of the result.
func (r *result) file(ext string) string {
	base := filepath.Base(r.found.Source())
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.Trim(notInNames.ReplaceAllString(base+"-"+r.name(), "-"), "-") + ext
}
