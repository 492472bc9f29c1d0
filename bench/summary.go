package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	gcpu "github.com/shirou/gopsutil/v4/cpu"

	"symmom/internal/store/atomicfile"
)

// resultsDir holds a page for each processor: figures of one say nothing of another.
const resultsDir = "bench/results"

var (
	notWord = regexp.MustCompile(`[^a-z0-9]+`)
	dated   = regexp.MustCompile(`(?m)^- (\d{4}-\d\d-\d\d, .*)$`) // the line on the machine
)

// processorName returns the name of a processor for files. Intel's are all of family 6,
// which is left out; AMD's family 25 is Zen 3, without AVX-512, and Zen 4, with it.
func processorName(p gcpu.InfoStat) string {
	brand := strings.NewReplacer("(R)", "", "(TM)", "").Replace(p.ModelName)
	if at := strings.Index(brand, "@"); at >= 0 { // the frequency
		brand = brand[:at]
	}
	name := strings.TrimSuffix(strings.Trim(notWord.ReplaceAllString(strings.ToLower(brand), "-"), "-"), "-processor")
	switch {
	case name == "":
		return "unknown"
	case p.Family == "":
		return name
	case p.Family == "6":
		return name + "-model-" + p.Model
	}
	return name + "-family-" + p.Family + "-model-" + p.Model
}

// thisProcessor is the name of the processor that this runs on.
func thisProcessor() string {
	if info, err := gcpu.Info(); err == nil && len(info) > 0 {
		return processorName(info[0])
	}
	return "unknown"
}

// page is the part of the report on a processor that the summary shows.
type page struct {
	name, about string
	goals       []goal
}

// readPage reads the targets of a report.
func readPage(name, text string) page {
	p := page{name: name}
	if day := dated.FindStringSubmatch(text); day != nil {
		p.about = day[1]
	}
	_, targets, _ := strings.Cut(text, "\n## Targets\n")
	targets, _, _ = strings.Cut(targets, "\n## ")
	rows := strings.Split(strings.TrimSpace(targets), "\n")
	for _, row := range rows[min(2, len(rows)):] { // the header and the line under it
		cells := strings.Split(strings.Trim(row, "|"), "|")
		if len(cells) != 4 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		p.goals = append(p.goals, goal{what: cells[0], target: cells[1], got: cells[2], met: cells[3] == "pass"})
	}
	return p
}

// summarize writes the targets of all pages beside each other.
func summarize(w io.Writer, pages []page) error {
	var b strings.Builder
	b.WriteString("# Benchmarks, processor by processor\n\nWritten by `scripts/bench.sh peers`, which measures the processor that it runs on, from the pages in `bench/results`. Figures of different processors, and of different days, are not to be compared; each has its own NumPy beside it. A ratio of an evaluation below its target but without FAIL reaches 85% of what the registers alone do, which meets the target too; the page says so. A row that only older pages have is a target no more.\n\n")
	header := []string{"what", "target"}
	var rows [][]string
	for i, p := range pages {
		fmt.Fprintf(&b, "- [%s](results/%s.md): %s\n", p.name, p.name, p.about)
		header = append(header, p.name)
		for _, g := range p.goals {
			at := slices.IndexFunc(rows, func(r []string) bool { return r[0] == g.what && r[1] == g.target })
			if at < 0 {
				at = len(rows)
				rows = append(rows, append([]string{g.what, g.target}, slices.Repeat([]string{"-"}, len(pages))...))
			}
			rows[at][2+i] = g.got
			if !g.met {
				rows[at][2+i] += " **FAIL**"
			}
		}
	}
	b.WriteString("\n")
	table(&b, header, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSummary writes the summary of the pages in dir to a file beside it.
func writeSummary(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	var pages []page
	for _, name := range names { // sorted
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages = append(pages, readPage(strings.TrimSuffix(filepath.Base(name), ".md"), string(text)))
	}
	return atomicfile.WriteFunc(filepath.Join(filepath.Dir(dir), "RESULTS.md"), func(w io.Writer) error { return summarize(w, pages) })
}
