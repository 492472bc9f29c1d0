package main

import (
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"os"
	"path"
	"strings"
)

// documents is a section made of Markdown files.
type documents struct {
	folder, name, title, lead string
	files                     []documentFile
}

// documentFile is a Markdown file and the name of its page; or all that a pattern matches,
// with the name of each for the asterisk in that of the page, and after its title.
type documentFile struct{ source, name, of string }

// filesOf returns the files of d, those that patterns match in the order of their names.
func (s *site) filesOf(d documents) (files []documentFile, err error) {
	for _, f := range d.files {
		if !strings.Contains(f.source, "*") {
			files = append(files, f)
			continue
		}
		found, err := fs.Glob(os.DirFS(s.root), f.source)
		if err != nil {
			return nil, err
		}
		for _, source := range found {
			name := strings.TrimSuffix(path.Base(source), path.Ext(source))
			files = append(files, documentFile{source, strings.Replace(f.name, "*", name, 1), " (" + name + ")"})
		}
	}
	return files, nil
}

var guide = documents{"guide", "Guide", "Guide", "What symmom does and how to use it.", []documentFile{
	{source: "README.md", name: "overview"},
	{source: "docs/howto/tables.md", name: "tables"},
	{source: "docs/howto/notebooks.md", name: "notebooks"},
	{source: "docs/howto/library.md", name: "library"},
	{source: "docs/howto/topics.md", name: "topics"},
	{source: "docs/howto/urls.md", name: "urls"},
	{source: "docs/howto/spark.md", name: "spark"},
	{source: "docs/howto/exchange.md", name: "exchange"},
	{source: "docs/howto/packages.md", name: "packages"},
	{source: "python/README.md", name: "python"},
	{source: "docs/explanation/method.md", name: "method"},
	{source: "docs/explanation/trust.md", name: "trust"},
	{source: "docs/reference/cells.md", name: "cells"},
	{source: "docs/reference/environment.md", name: "environment"},
	{source: "lite/README.md", name: "browser"},
	{source: "docker/README.md", name: "docker"},
	{source: "CHANGELOG.md", name: "changes"},
}}

var benchmarks = documents{"benchmarks", "Benchmarks", "Benchmarks",
	"What was measured, on which machine and beside which other programs, including what fell short.", []documentFile{
		{source: "bench/RESULTS.md", name: "results"},
		{source: "bench/results/*.md", name: "*"},
		{source: "bench/SOLVERS.md", name: "solvers"},
		{source: "bench/MIXTURES.md", name: "mixtures"},
		{source: "bench/LADDER.md", name: "ladder"},
		{source: "bench/TOPICS.md", name: "topic-models"},
		{source: "paper/LITERATURE.md", name: "literature"},
		{source: "bench/RANKS.md", name: "ranks"},
		{source: "bench/ESTIMATES.md", name: "estimates"},
		{source: "bench/FITS.md", name: "fits"},
		{source: "bench/ADVICE.md", name: "advice"},
		{source: "bench/TABLES.md", name: "tables"},
		{source: "bench/SMALL.md", name: "small"},
		{source: "bench/PACE.md", name: "pace"},
		{source: "bench/KERNEL.md", name: "kernel"},
		{source: "bench/NEON.md", name: "neon"},
	}}

var design = documents{"design", "How it is built", "How it is built", "For those who want to read or change the source.", []documentFile{
	{source: "ARCHITECTURE.md", name: "architecture"},
	{source: "CONTRIBUTING.md", name: "contributing"},
	{source: "site/README.md", name: "site"},
	{source: "SECURITY.md", name: "security"},
	{source: "charts/internal/assets/echarts/README.md", name: "echarts"},
}}

func (s *site) addGuide() error      { return s.addDocuments(guide) }
func (s *site) addBenchmarks() error { return s.addDocuments(benchmarks) }
func (s *site) addDesign() error     { return s.addDocuments(design) }

// addDocuments adds a page for each file and one that lists them.
func (s *site) addDocuments(d documents) error {
	var series []*page
	var list []entry
	files, err := s.filesOf(d)
	if err != nil {
		return err
	}
	for _, f := range files {
		p, err := s.documentPage(f.source, d.name)
		if err != nil {
			return err
		}
		p.path = d.folder + "/" + f.name + ".html"
		p.title += f.of
		series = append(series, p)
		list = append(list, entry{"/" + p.path, p.title, p.summary})
	}
	s.add(&page{path: d.folder + "/index.html", title: d.title, summary: d.lead, section: d.name, wide: true,
		lead: template.HTML(html.EscapeString(d.lead)), body: entries(list)})
	for _, p := range series {
		s.add(p)
	}
	chain(series)
	return nil
}

// documentPage makes a page of a Markdown file.
func (s *site) documentPage(source, section string) (*page, error) {
	text, err := s.read(source)
	if err != nil {
		return nil, err
	}
	doc, err := s.markdown(source, text, map[string]bool{"main": true})
	if err != nil {
		return nil, err
	}
	if source == "README.md" {
		doc.title = "Overview" // its title is the name of the project
	}
	if doc.title == "" {
		return nil, fmt.Errorf("%s has no title", source)
	}
	return &page{title: doc.title, summary: shorten(doc.summary, 200), section: section, body: doc.body, contents: doc.headings}, nil
}

// entry is a line of a list of pages.
type entry struct{ Path, Title, Text string }

func entries(list []entry) template.HTML {
	var b strings.Builder
	b.WriteString(`<ul class="entries">` + "\n")
	for _, e := range list {
		fmt.Fprintf(&b, `<li><a href="%s">%s</a><p>%s</p></li>`+"\n", e.Path, html.EscapeString(e.Title), html.EscapeString(e.Text))
	}
	b.WriteString("</ul>\n")
	return template.HTML(b.String())
}

// shorten cuts a text at the end of a sentence, or at a word, below n bytes.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if i := strings.LastIndex(text[:n], ". "); i > 40 {
		return text[:i+1]
	}
	if i := strings.LastIndexByte(text[:n], ' '); i > 0 {
		return strings.TrimRight(text[:i], ",;:") + " …"
	}
	return text
}
