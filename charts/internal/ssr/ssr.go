package ssr

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Chart is the argument of symmomStatic in page/static.js.
type Chart struct {
	Options   string   // JSON, with functions as {"$function": i}
	Functions []string // sources
	Colors    map[string]string
	Dark      bool
	Font      string
	Width     int
	Height    int
	ID        string // prefix of the ids in the SVG
	Marks     int    // how many marks to list at most
}

// Picture is the result of symmomStatic.
type Picture struct {
	SVG    string
	Height int
	Marks  string // JSON; "" if no marks were requested
}

// Renderer is an interpreter that has loaded the scripts. It draws one chart at a
// time; its methods may be called concurrently.
type Renderer struct {
	mu     sync.Mutex
	engine *engine

	// the last drawings by the digest of the chart without its marks, the latest at
	// the end: a notebook asks for the same picture several times
	recent []drawn
}

type drawn struct {
	key     [sha256.Size]byte
	marks   int
	picture Picture
}

const kept = 16

// New loads the scripts, which define echarts, symmom and symmomStatic. width
// measures a line of text.
func New(width func(text string, size float64, bold bool) float64, scripts ...string) (*Renderer, error) {
	e, err := newEngine(func(text, font string) float64 {
		size, bold := parseFont(font)
		return width(text, size, bold)
	}, scripts)
	if err != nil {
		return nil, err
	}
	return &Renderer{engine: e}, nil
}

// setMeasure makes ECharts measure text with symmomWidth. It uses the width of 国 as the
// height of a line.
const setMeasure = `echarts.setPlatformAPI({ measureText: function (text, font) { return { width: symmomWidth(String(text), font || "") }; } })`

// errUndefined is the error of scripts that do not define what they should.
var errUndefined = errors.New("the scripts do not define symmomStatic")

// Draw draws a chart.
func (r *Renderer) Draw(c Chart) (p Picture, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		// whatever a user's function does to the interpreter becomes an error
		if v := recover(); v != nil {
			err = fmt.Errorf("drawing: %v", v)
		}
	}()
	bare := c
	bare.Marks = 0
	key := sha256.Sum256(fmt.Appendf(nil, "%#v", bare))
	for _, d := range r.recent {
		if d.key == key && (d.marks == c.Marks || c.Marks == 0) {
			return d.picture, nil
		}
	}
	if p, err = r.engine.draw(c); err != nil {
		return p, err
	}
	r.recent = append(r.recent, drawn{key, c.Marks, p})
	if len(r.recent) > kept {
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	return p, nil
}

var fontSize = regexp.MustCompile(`([0-9.]+)px`)

// parseFont parses the size and weight of a CSS font.
func parseFont(font string) (size float64, bold bool) {
	size = 12 // the default of ECharts
	if m := fontSize.FindStringSubmatch(font); m != nil {
		if v, err := strconv.ParseFloat(m[1], 64); err == nil {
			size = v
		}
	}
	for _, w := range []string{"bold", "600", "700", "800", "900"} {
		bold = bold || strings.Contains(font, w+" ")
	}
	return size, bold
}
