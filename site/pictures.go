package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	_ "image/png"
	"path"
	"regexp"
	"strings"

	"symmom/charts"
)

// picture writes a PNG file and returns an element that shows it.
func (s *site) picture(name string, data []byte, alt string) (string, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := s.write(name, data); err != nil {
		return "", err
	}
	return fmt.Sprintf(`<img src="/%s" width="%d" height="%d" alt="%s" loading="lazy">`, name, size.Width, size.Height, html.EscapeString(alt)), nil
}

// still finds the picture in the form that charts has for notebooks: an SVG that holds
// the colours of light and dark pages, and the values of its marks.
var still = regexp.MustCompile(`<img class="symmom-still" alt="([^"]*)" data-title="([^"]*)" width="(\d+)" height="(\d+)"[^>]* data-marks="([^"]*)"(?: data-live="[^"]*")? src="data:image/svg\+xml;base64,([^"]*)">`)

var hint = regexp.MustCompile(`\s*\(Save\(&#34;[^)]*\)[^)]*\)$`)

// chart writes the picture in a chart's form for notebooks and returns an element that
// shows it. narrow, if there is one, is the same chart for narrow screens.
func (s *site) chart(name, notebookForm string, narrow []byte) (string, error) {
	m := still.FindStringSubmatch(notebookForm)
	if m == nil {
		return "", fmt.Errorf("%s: no picture in what charts shows in a notebook", name)
	}
	data, err := base64.StdEncoding.DecodeString(m[6])
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	name = "pictures/" + name
	if err := s.write(name+".svg", data); err != nil {
		return "", err
	}
	class, source := "chart", ""
	if narrow != nil {
		if err := s.write(name+"-narrow.svg", narrow); err != nil {
			return "", err
		}
		size := sizes.FindSubmatch(narrow)
		source = fmt.Sprintf(`<source media="(max-width: 640px)" srcset="/%s-narrow.svg" width="%s" height="%s">`, name, size[1], size[2])
	} else {
		class += " fixed"
	}
	return fmt.Sprintf(`<div class="%s"><picture>%s<img class="still" src="/%s.svg" width="%s" height="%s" alt="%s" data-title="%s" data-marks="%s" loading="lazy"></picture></div>`,
		class, source, name, m[3], m[4], hint.ReplaceAllString(m[1], ""), m[2], m[5]), nil
}

var (
	sizes = regexp.MustCompile(`<svg[^>]* width="(\d+)" height="(\d+)"`)
	ids   = regexp.MustCompile(`( id="|url\(#|href="#)`)
	start = regexp.MustCompile(`^<\?xml[^>]*>\s*`)
)

const narrowWidth = 420

// narrow draws a chart for narrow screens: one SVG that shows one of two drawings,
// for light and dark pages.
func narrow(f *charts.Figure) ([]byte, error) {
	draw := func(theme string) string {
		g := *f
		g.Theme, g.Width = theme, narrowWidth
		return start.ReplaceAllString(g.SVG(), "")
	}
	light := draw("light")
	dark := ids.ReplaceAllString(draw("dark"), "${1}dark-")
	m := sizes.FindStringSubmatch(light)
	if m == nil {
		return nil, fmt.Errorf("chart %q: an SVG without a size", f.Title)
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s"><style>@media (prefers-color-scheme:dark){.light{display:none}}@media not (prefers-color-scheme:dark){.dark{display:none}}</style><g class="light">%s</g><g class="dark">%s</g></svg>`,
		m[1], m[2], m[1], m[2], light, dark), nil
}

// figure is a chart as an element, wide and narrow.
func (s *site) figure(name string, f *charts.Figure) (string, error) {
	if err := f.Err(); err != nil {
		return "", fmt.Errorf("chart %s: %w", name, err)
	}
	small, err := narrow(f)
	if err != nil {
		return "", err
	}
	return s.chart(name, f.HTML(), small)
}

// slug is a name for files.
func slug(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }
