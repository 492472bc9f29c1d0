package paper

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"symmom/charts"
	"symmom/internal/store/atomicfile"
)

// Names of files in a directory of results.
const (
	StateFile = "paper-cells.jsonl" // the finished cells
	IndexFile = "index.html"
	WordsFile = "RESULTS.md"
)

// resultsText is RESULTS.md with the tables left out: the comparison in words.
//
//go:embed results.md.tmpl
var resultsText string

var resultsTemplate = template.Must(template.New("results").
	Funcs(template.FuncMap{"section": func(string) string { return "" }}).Parse(resultsText))

// Save writes the result to dir as a page and as JSON, named after the
// experiment. Each file is written atomically.
func (r *Result) Save(dir string) error {
	if err := r.SaveJSON(filepath.Join(dir, r.Name+".json")); err != nil {
		return err
	}
	return r.Report().Save(filepath.Join(dir, r.Name+".html"))
}

// SaveAll writes all results to dir, with index.html, which links and summarizes
// them, and RESULTS.md, the comparison with the paper.
func SaveAll(dir string, results []*Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the directory of the results: %w", err)
	}
	for _, r := range results {
		if err := r.Save(dir); err != nil {
			return err
		}
	}
	if err := index(results).Save(filepath.Join(dir, IndexFile)); err != nil {
		return err
	}
	words, err := Words(results)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, WordsFile)
	if err := atomicfile.Write(path, []byte(words)); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// Agreement returns how many claims hold, such as "5 of 6", or "-" for a quick run.
func (r *Result) Agreement() string {
	if r.Quick {
		return "-"
	}
	n := 0
	for _, c := range r.Claims {
		n += boolean(c.Agrees)
	}
	return fmt.Sprintf("%d of %d", n, len(r.Claims))
}

// index returns the page that links the others.
func index(results []*Result) *charts.Report {
	p := charts.NewReport("The paper, reproduced")
	p.Subtitle = "Tables and figures of Sherman and Kolda, Estimating Higher-Order Moments Using Symmetric Tensor Decomposition (2020)"
	var links []string
	var rows [][]string
	var notes []string
	for _, r := range results {
		links = append(links, r.Title+" ("+r.Item+")", r.Name+".html", "its numbers as JSON", r.Name+".json")
		rows = append(rows, []string{r.Title, r.Item, fmt.Sprintf("%d of %d", r.Finished, r.Cells), r.Agreement()})
		for _, n := range r.unfit() {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
	}
	for _, n := range notes {
		p.Text(n)
	}
	p.Links(2, links...)
	p.Table("What was computed, and how many of the paper's statements held", []string{"experiment", "in the paper", "cells", "statements"}, rows)
	p.Text("RESULTS.md, beside this page, compares in words.")
	if len(results) > 0 {
		p.Footer = strings.Join(summary(results), "; ")
	}
	return p
}

// summary describes the machine, the dates and the loads of several results.
func summary(results []*Result) []string {
	all := &Result{Machine: results[0].Machine, Seed: results[0].Seed, Method: results[0].Method}
	for _, r := range results {
		for _, d := range r.Dates {
			all.Dates = span(all.Dates, d, compareTimes)
		}
		for _, l := range r.Loads {
			all.Loads = span(all.Loads, l, compareLoads)
		}
	}
	return all.about()
}

// Words returns RESULTS.md: the comparison in words, maintained by hand, with the
// tables of these results inserted.
func Words(results []*Result) (string, error) {
	byName := map[string]*Result{}
	for _, r := range results {
		byName[r.Name] = r
	}
	t, err := resultsTemplate.Clone()
	if err != nil {
		return "", err
	}
	t.Funcs(template.FuncMap{"section": func(name string) string {
		r, ok := byName[name]
		if !ok {
			return "This run left it out.\n"
		}
		return r.Markdown()
	}})
	var b strings.Builder
	var about []string
	if len(results) > 0 {
		about = summary(results)
	}
	if err := t.Execute(&b, struct{ About []string }{about}); err != nil {
		return "", fmt.Errorf("%s: %w", WordsFile, err)
	}
	return b.String(), nil
}
