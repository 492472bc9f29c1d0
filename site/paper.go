package main

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"

	"symmom/paper"
)

// drawnHere are the experiments whose figures are drawn anew for the site: those that take
// less than a second, by the default method.
var drawnHere = []string{"cost", "mixture", "recovery"}

// addPaper adds the comparison with the paper. Below the headings of experiments come
// their figures. If paper-results holds the run that the comparison was written by, its
// pages, which have all figures, are there as well.
func (s *site) addPaper() error {
	const source = "paper/RESULTS.md"
	p, err := s.documentPage(source, "Paper")
	if err != nil {
		return err
	}
	p.path = "paper.html"
	shown := map[string]string{}
	for _, name := range drawnHere {
		result, err := paper.Run(context.Background(), name, paper.Settings{Method: paper.MethodBest})
		if err != nil {
			return err
		}
		shown[name] = "<p>What the paper draws, drawn while this site was built:</p>"
		for i, f := range result.Figures {
			picture, err := s.figure(fmt.Sprintf("paper-%s-%d", name, i+1), f)
			if err != nil {
				return err
			}
			shown[name] += picture
		}
	}
	if err := s.wholeRun(source, shown); err != nil {
		return err
	}
	body := string(p.body)
	for name, figures := range shown {
		heading := "<code>symmom paper " + name + "</code></h2>\n"
		if strings.Count(body, heading) != 1 {
			return fmt.Errorf("%s has no heading of the experiment %s", source, name)
		}
		body = strings.Replace(body, heading, heading+figures, 1)
	}
	p.body = template.HTML(body)
	s.add(p)
	return nil
}

// wholeRun copies the pages of a run of all experiments, and adds links to them.
func (s *site) wholeRun(source string, shown map[string]string) error {
	words, err := s.read(source)
	if err != nil {
		return err
	}
	const folder = "paper-results"
	if theirs, err := s.read(path.Join(folder, paper.WordsFile)); err != nil || !bytes.Equal(theirs, words) {
		return nil
	}
	for _, e := range paper.List() {
		data, err := os.ReadFile(filepath.Join(s.root, folder, e.Name+".html"))
		if err == nil {
			err = s.write("pictures/paper-"+e.Name+".html", data)
		}
		if err != nil {
			return err
		}
		shown[e.Name] += fmt.Sprintf(`<p><a href="/pictures/paper-%s.html">All figures and tables of this run</a></p>`, e.Name)
	}
	return nil
}
