package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// lines is a text of a notebook, which may be a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var parts []string
	if err := json.Unmarshal(data, (*string)(l)); err == nil {
		return nil
	}
	err := json.Unmarshal(data, &parts)
	*l = lines(strings.Join(parts, ""))
	return err
}

type notebook struct {
	Cells []struct {
		Type    string `json:"cell_type"`
		Source  lines
		Outputs []output
	}
}

type output struct {
	Type string `json:"output_type"`
	Name string
	Text lines
	Data map[string]lines
}

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
	var nb notebook
	if err := json.Unmarshal(data, &nb); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	base := path.Base(file)
	p := &page{path: "tutorials/" + slug(base) + ".html", section: "Tutorials"}
	p.lead = template.HTML(fmt.Sprintf(`<a class="button" href="/lite/notebooks/index.html?path=%s">Run it here</a> <a class="button plain" href="/lite/lab/index.html?path=%s">in JupyterLab</a>`, base, base))
	var b strings.Builder
	ids, pictures := map[string]bool{"main": true}, 0
	for i, cell := range nb.Cells {
		if cell.Type == "markdown" {
			doc, err := s.markdown(file, []byte(cell.Source), ids)
			if err != nil {
				return nil, err
			}
			p.contents = append(p.contents, doc.headings...)
			if p.title == "" {
				p.title = doc.title
			}
			if p.summary == "" {
				p.summary = shorten(doc.summary, 200)
			}
			b.WriteString(string(doc.body))
			continue
		}
		if strings.TrimSpace(string(cell.Source)) == "" {
			continue
		}
		b.WriteString(`<div class="cell">` + "\n" + codeBlock(string(cell.Source), "go"))
		for _, o := range cell.Outputs {
			shown, err := s.output(o, fmt.Sprintf("%s-%d", slug(base), pictures+1))
			if err != nil {
				return nil, fmt.Errorf("%s, cell %d: %w", file, i+1, err)
			}
			if strings.Contains(shown, "<img") {
				pictures++
			}
			b.WriteString(shown)
		}
		b.WriteString("</div>\n")
	}
	body := named.ReplaceAllStringFunc(b.String(), func(code string) string {
		if target := s.sources["notebooks/"+named.FindStringSubmatch(code)[1]+".ipynb"]; target != "" {
			return `<a href="` + target + `">` + code + `</a>`
		}
		return code
	})
	p.body = template.HTML(body)
	return p, nil
}

// output shows what a cell printed or displayed, in the richest form that is there.
func (s *site) output(o output, name string) (string, error) {
	switch rich := string(o.Data["text/html"]); {
	case o.Type == "error":
		return "", fmt.Errorf("the stored output is an error")
	case o.Text != "":
		return `<pre class="output">` + html.EscapeString(strings.TrimRight(string(o.Text), "\n")) + "</pre>\n", nil
	case still.MatchString(rich):
		picture, err := s.chart(name, rich, nil)
		if m := framed.FindStringSubmatch(rich); m != nil && err == nil { // a report, of which the picture is the first
			picture += fmt.Sprintf(`<p><a href="/pictures/%s.html">The whole report</a></p>`, name)
			err = s.write("pictures/"+name+".html", []byte(html.UnescapeString(m[1])))
		}
		return picture, err
	case o.Data["image/png"] != "":
		data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(o.Data["image/png"])))
		if err != nil {
			return "", err
		}
		return s.picture("pictures/"+name+".png", data, string(o.Data["text/plain"]))
	case rich != "":
		if strings.Contains(rich, "<script") || strings.Contains(rich, "<iframe") {
			return "", fmt.Errorf("an output that this page cannot show: %.60q", rich)
		}
		return `<div class="output scroll">` + rich + "</div>\n", nil
	}
	return `<pre class="output">` + html.EscapeString(strings.TrimRight(string(o.Data["text/plain"]), "\n")) + "</pre>\n", nil
}
