package main

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"symmom/kernel/notebook"
)

// addTutorials adds a page for each notebook, with what it shows.
func (s *site) addTutorials() error {
	files, err := filepath.Glob(filepath.Join(s.root, "notebooks", "*.ipynb"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no notebooks in %s", filepath.Join(s.root, "notebooks"))
	}
	for _, file := range files {
		name := filepath.Base(file)
		s.sources["notebooks/"+name] = "/tutorials/" + slug(name) + ".html"
	}
	var series []*page
	var list []entry
	for _, file := range files {
		p, err := s.tutorial("notebooks/" + filepath.Base(file))
		if err != nil {
			return err
		}
		series = append(series, p)
		list = append(list, entry{"/" + p.path, p.title, p.summary})
	}
	lead := "Each is a notebook, shown with what it printed and drew when it was last run. All of them run in your browser."
	s.add(&page{path: "tutorials/index.html", title: "Tutorials", summary: lead, section: "Tutorials", wide: true,
		lead: template.HTML(lead), body: entries(list)})
	for _, p := range series {
		s.add(p)
	}
	chain(series)
	return nil
}

var framed = regexp.MustCompile(`(?s)<iframe [^>]*srcdoc='([^']*)'`)

// named finds notebooks that a text names.
var named = regexp.MustCompile(`<code>(\d\d-[a-z-]+)</code>`)

func (s *site) tutorial(file string) (*page, error) {
	data, err := s.read(file)
	if err != nil {
		return nil, err
	}
	nb, err := notebook.Read(file, data)
	if err != nil {
		return nil, err
	}
	base := path.Base(file)
	p := &page{path: "tutorials/" + slug(base) + ".html", section: "Tutorials"}
	p.lead = template.HTML(fmt.Sprintf(`<a class="button" href="/lite/notebooks/index.html?path=%s">Run it here</a> <a class="button plain" href="/lite/lab/index.html?path=%s">in JupyterLab</a>`, base, base))
	ids, pictures := map[string]bool{"main": true}, 0
	body, err := notebook.Renderer{
		Markdown: func(c *notebook.Cell) (string, error) {
			doc, err := s.markdown(file, []byte(c.Source()), ids)
			if err != nil {
				return "", err
			}
			p.contents = append(p.contents, doc.headings...)
			p.title, p.summary = cmp.Or(p.title, doc.title), cmp.Or(p.summary, shorten(doc.summary, 200))
			return string(doc.body), nil
		},
		Code: func(source string) string { return codeBlock(source, "go") },
		Output: func(o notebook.Output) (string, bool, error) {
			shown, done, err := s.output(o, fmt.Sprintf("%s-%d", slug(base), pictures+1))
			if strings.Contains(shown, "<img") {
				pictures++
			}
			return shown, done, err
		},
	}.Body(nb)
	if err != nil {
		return nil, err
	}
	body = named.ReplaceAllStringFunc(body, func(code string) string {
		if target := s.sources["notebooks/"+named.FindStringSubmatch(code)[1]+".ipynb"]; target != "" {
			return `<a href="` + target + `">` + code + `</a>`
		}
		return code
	})
	p.body = template.HTML(body)
	return p, nil
}

// output writes the pictures of a notebook as files of the site, and refuses what the site
// cannot show.
func (s *site) output(o notebook.Output, name string) (shown string, done bool, err error) {
	switch rich := o.Data("text/html"); {
	case o.Type() == "error":
		return "", false, fmt.Errorf("the stored output is an error")
	case still.MatchString(rich):
		picture, err := s.chart(name, rich, nil)
		if m := framed.FindStringSubmatch(rich); m != nil && err == nil { // a report, of which the picture is the first
			picture += fmt.Sprintf(`<p><a href="/pictures/%s.html">The whole report</a></p>`, name)
			err = s.write("pictures/"+name+".html", []byte(html.UnescapeString(m[1])))
		}
		return picture, true, err
	case o.Data("image/png") != "":
		data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(o.Data("image/png")))
		if err != nil {
			return "", false, err
		}
		picture, err := s.picture("pictures/"+name+".png", data, o.Data("text/plain"))
		return picture, true, err
	case strings.Contains(rich, "<script") || strings.Contains(rich, "<iframe"):
		return "", false, fmt.Errorf("an output that this page cannot show: %.60q", rich)
	}
	return "", false, nil
}
