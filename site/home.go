package main

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"symmom/charts"
	"symmom/datasets"
)

// first is the cell of the first page. The page shows its body, and the browser runs it;
// what it prints is kept by a stand-in for package fmt.
func first(fmt *kept) *charts.Figure {
	digits := datasets.Digits() // 1,797 images of 8 x 8 pixels
	fit := digits.Moment(4).Decompose(10)
	fmt.Printf("score %.4f\n", fit.Score(datasets.DigitMeans()).Value)
	return charts.Images(fit.Model.Factors, 8, 8)
}

// kept stores printed output.
type kept struct{ bytes.Buffer }

// Printf is fmt.Printf.
func (k *kept) Printf(format string, a ...any) { fmt.Fprintf(&k.Buffer, format, a...) }

// console is the address of a console that runs a cell.
func console(code string) string {
	return "/lite/repl/index.html?kernel=symmom&promptCellPosition=bottom&showBanner=0&code=" + url.QueryEscape(code)
}

// addHome makes the first page.
func (s *site) addHome() error {
	code, err := bodies("home.go")
	if err != nil {
		return err
	}
	var printed kept
	picture, err := s.figure("first", first(&printed))
	if err != nil {
		return err
	}
	size, err := s.download()
	if err != nil {
		return err
	}
	n, _ := datasets.DigitMeans().Dims()
	t, err := template.New("home.tmpl").ParseFS(assets, "page/home.tmpl")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Code": template.HTML(codeBlock(code["first"], "go")), "Picture": template.HTML(picture),
		"Printed": strings.TrimSpace(printed.String()), "Live": console(code["first"]), "Download": size,
		"Observations": grouped(datasets.Digits().Observations()), "Entries": grouped(n * n * n * n),
		"Score": strings.TrimSpace(strings.TrimPrefix(printed.String(), "score ")), "Tutorials": s.count("notebooks/*.ipynb"),
	})
	if err != nil {
		return err
	}
	s.add(&page{path: "index.html", title: "symmom", wide: true, body: template.HTML(b.String()),
		summary: "An interactive laboratory for higher-order moments, in Go: decompose the moments of a table into a few symmetric rank-one terms, score them and look at them."})
	return nil
}

// download says how much a browser loads for the session: the program in its smaller form.
func (s *site) download() (string, error) {
	least := int64(0)
	err := filepath.WalkDir(filepath.Join(s.lite, "extensions"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".br" {
			var info fs.FileInfo
			if info, err = os.Stat(name); err == nil {
				least = info.Size()
			}
		}
		return err
	})
	if err == nil && least == 0 {
		err = fmt.Errorf("%s has no compressed program", s.lite)
	}
	return fmt.Sprintf("%.0f MB", float64(least)/1e6), err
}

func (s *site) count(pattern string) int {
	names, _ := filepath.Glob(filepath.Join(s.root, pattern)) // the patterns are valid
	return len(names)
}

// grouped writes a number with a comma at each thousand.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
