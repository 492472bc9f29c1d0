package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed page
var assets embed.FS

// site is the site while it is built.
type site struct {
	root, out, modules, lite string

	pages   []*page
	sources map[string]string // file of the source -> page made from it
	scripts *scripts
	layout  *template.Template
	links   int
}

// page is a page of the site. In its body, addresses that begin with a slash count from
// the top of the site.
type page struct {
	path     string // from the top of the site, with slashes
	title    string
	summary  string // a sentence for search engines and lists
	section  string // the name of its section
	lead     template.HTML
	body     template.HTML
	contents []heading // what "On this page" lists
	wide     bool      // without that list

	previous, next *page
}

// heading is a heading with an address.
type heading struct {
	Level    int
	ID, Text string
}

// section is an entry of the menu.
type section struct{ Name, Path string }

var sections = []section{
	{"Guide", "/guide/index.html"},
	{"Tutorials", "/tutorials/index.html"},
	{"Gallery", "/gallery.html"},
	{"Reference", "/reference/index.html"},
	{"Paper", "/paper.html"},
	{"Benchmarks", "/benchmarks/index.html"},
	{"How it is built", "/design/index.html"},
}

// start reads the layout and the scripts.
func (s *site) start() error {
	var err error
	if s.layout, err = template.New("layout.tmpl").ParseFS(assets, "page/*.tmpl"); err != nil {
		return err
	}
	if s.scripts, err = newScripts(s.modules); err != nil {
		return err
	}
	s.sources = map[string]string{}
	for _, group := range []documents{guide, benchmarks, design} {
		files, err := s.filesOf(group)
		if err != nil {
			return err
		}
		for _, d := range files {
			s.sources[d.source] = "/" + group.folder + "/" + d.name + ".html"
		}
	}
	s.sources["paper/RESULTS.md"] = "/paper.html"
	style, err := s.style()
	if err != nil {
		return err
	}
	if err := s.write("style.css", style); err != nil {
		return err
	}
	for _, name := range []string{"site.js", "search.js", "logo.svg"} {
		data, err := assets.ReadFile("page/" + name)
		if err == nil {
			err = s.write(name, data)
		}
		if err != nil {
			return err
		}
	}
	var peek []byte // tells the values of charts, and saves them, as in notebooks
	for _, name := range []string{"keep.js", "peek.js"} {
		part, err := s.read("charts/internal/assets/page/" + name)
		if err != nil {
			return err
		}
		peek = append(peek, part...)
	}
	if err := s.write("lib/peek.js", peek); err != nil {
		return err
	}
	for from, to := range map[string]string{
		"minisearch/dist/umd/index.js": "lib/minisearch.js",
		"minisearch/LICENSE.txt":       "lib/minisearch-license.txt",
		"katex/dist/katex.min.css":     "lib/katex.css",
		"katex/LICENSE":                "lib/katex-license.txt",
		"katex/dist/fonts/*.woff2":     "lib/fonts",
	} {
		if err := s.copy(filepath.Join(s.modules, from), to); err != nil {
			return err
		}
	}
	return nil
}

// read returns a file of the source.
func (s *site) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
}

// write writes a file of the site.
func (s *site) write(name string, data []byte) error {
	name = filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// copy copies a file, or those of a pattern into a folder.
func (s *site) copy(from, to string) error {
	names, err := filepath.Glob(from)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s is missing: scripts/site.sh installs it", from)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		target := to
		if strings.Contains(from, "*") {
			target = path.Join(to, filepath.Base(name))
		}
		if err := s.write(target, data); err != nil {
			return err
		}
	}
	return nil
}

// copyLite copies JupyterLite.
func (s *site) copyLite() error {
	if _, err := os.Stat(filepath.Join(s.lite, "repl", "index.html")); err != nil {
		return fmt.Errorf("JupyterLite is missing, make lite builds it: %w", err)
	}
	return os.CopyFS(filepath.Join(s.out, "lite"), os.DirFS(s.lite))
}

// add adds a page.
func (s *site) add(p *page) { s.pages = append(s.pages, p) }

// chain lets the pages of a series lead to each other.
func chain(series []*page) {
	for i := 1; i < len(series); i++ {
		series[i].previous, series[i-1].next = series[i-1], series[i]
	}
}

var rooted = regexp.MustCompile(`(\s(?:href|src|srcset|data-index|data-live)=")/`)

// writePages lays the pages out and writes them, with the index of the search.
func (s *site) writePages() error {
	for _, p := range s.pages {
		text, err := s.render(p)
		if err != nil {
			return err
		}
		if err := s.write(p.path, text); err != nil {
			return err
		}
	}
	index, err := s.searchIndex()
	if err != nil {
		return err
	}
	return s.write("lib/search.json", index)
}

// render lays a page out.
func (s *site) render(p *page) ([]byte, error) {
	var b bytes.Buffer
	err := s.layout.Execute(&b, map[string]any{
		"Title": p.title, "Summary": p.summary, "Section": p.section, "Sections": sections, "Lead": p.lead, "Body": p.body,
		"Contents": p.contents, "Wide": p.wide, "Previous": link(p.previous), "Next": link(p.next), "Home": p.path == "index.html",
		"Math": strings.Contains(string(p.body), `class="katex`),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	up := strings.Repeat("../", strings.Count(p.path, "/"))
	if up == "" {
		up = "./"
	}
	return rooted.ReplaceAll(b.Bytes(), []byte("${1}"+up)), nil
}

// link is a neighbour in the layout.
func link(p *page) *section {
	if p == nil {
		return nil
	}
	return &section{p.title, "/" + p.path}
}

// exists reports whether the source has a file.
func (s *site) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
	return !errors.Is(err, fs.ErrNotExist)
}
