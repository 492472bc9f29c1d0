package ssr

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// A chart of 10,000 points takes less than a second and a few dozen nested calls; a
// function given by the user may never end.
const (
	timeout  = 30 * time.Second
	maxCalls = 5000
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
	mu   sync.Mutex
	vm   *goja.Runtime
	draw goja.Callable
	wait time.Duration // for one chart

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
// measures a line of text. It takes a third of a second.
func New(width func(text string, size float64, bold bool) float64, scripts ...string) (*Renderer, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	// nothing waits, and nothing is random
	noTimer := func(goja.FunctionCall) goja.Value { return vm.ToValue(0) }
	for _, name := range []string{"setTimeout", "clearTimeout", "setInterval", "clearInterval"} {
		if err := vm.Set(name, noTimer); err != nil {
			return nil, err
		}
	}
	for i, s := range scripts {
		if _, err := vm.RunScript("script "+strconv.Itoa(i+1), s); err != nil {
			return nil, fmt.Errorf("reading script %d: %w", i+1, err)
		}
	}
	err := vm.Set("symmomWidth", func(text, font string) float64 {
		size, bold := parseFont(font)
		return width(text, size, bold)
	})
	if err != nil {
		return nil, err
	}
	// ECharts uses the width of 国 as the height of a line
	_, err = vm.RunString(`echarts.setPlatformAPI({ measureText: function (text, font) { return { width: symmomWidth(String(text), font || "") }; } })`)
	if err != nil {
		return nil, err
	}
	draw, ok := goja.AssertFunction(vm.Get("symmomStatic"))
	if !ok {
		return nil, errors.New("the scripts do not define symmomStatic")
	}
	return &Renderer{vm: vm, draw: draw, wait: timeout}, nil
}

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
	random := rand.New(rand.NewSource(1))
	r.vm.SetRandSource(random.Float64)
	timer := time.AfterFunc(r.wait, func() { r.vm.Interrupt(fmt.Sprintf("not done after %v", r.wait)) })
	defer func() {
		timer.Stop()
		r.vm.ClearInterrupt()
	}()

	functions := make([]any, len(c.Functions))
	for i, src := range c.Functions {
		if functions[i], err = r.vm.RunString("(" + src + "\n)"); err != nil {
			return p, fmt.Errorf("function %d of the options: %w", i+1, short(err))
		}
	}
	v, err := r.draw(goja.Undefined(), r.vm.ToValue(map[string]any{
		"options": c.Options, "functions": r.vm.NewArray(functions...), "colors": c.Colors, "dark": c.Dark,
		"font": c.Font, "width": c.Width, "height": c.Height, "id": c.ID, "marks": c.Marks,
	}))
	if err != nil {
		return p, short(err)
	}
	o := v.ToObject(r.vm)
	p = Picture{SVG: o.Get("svg").String(), Height: int(o.Get("height").ToInteger()), Marks: o.Get("marks").String()}
	r.recent = append(r.recent, drawn{key, c.Marks, p})
	if len(r.recent) > kept {
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	return p, nil
}

// short removes the position in a minified script from a message.
func short(err error) error {
	var stopped *goja.InterruptedError
	if errors.As(err, &stopped) {
		return fmt.Errorf("%v", stopped.Value())
	}
	var deep *goja.StackOverflowError
	if errors.As(err, &deep) {
		return fmt.Errorf("more than %d function calls within each other", maxCalls)
	}
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return errors.New(ex.Value().String())
	}
	return err
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
