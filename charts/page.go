package charts

import (
	"encoding/json"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// panelHeight of a chart in pixels.
const panelHeight = 360

var pages = template.Must(template.New("page").Parse(pageTemplate))

// optioned is what every chart type of go-echarts has beside Charter.
type optioned interface {
	components.Charter
	JSON() map[string]interface{}
}

// document is what the page template takes. Everything that comes from a
// user is a plain string in it, which html/template escapes for its place;
// only scripts of this package, option JSON and pictures made of numbers
// are marked as safe.
type document struct {
	Title, Subtitle, Footer string
	Framed, Figure          bool
	Policy                  string
	Style                   template.CSS
	ECharts, Draw           template.JS
	Packed                  template.HTML
	Unpack, Functions, Peek template.JS
	Blocks                  []docBlock
}

type docBlock struct {
	block
	Still  template.HTML // in place of the figure, where it is drawn already
	Panels []panel
	Error  string
}

// panel is one chart on a page.
type panel struct {
	ID      string
	Label   string
	Height  int
	Options template.JS
}

// render makes the page; framed is the form for notebooks.
func (r *Report) render(framed bool) (string, error) {
	d := document{
		Title: r.Title, Subtitle: r.Subtitle, Footer: r.Footer,
		Framed: framed, Figure: r.figure,
		Style: template.CSS(style),
	}
	var functions functionList
	panels, stills := 0, 0
	for _, b := range r.blocks {
		db := docBlock{block: b}
		if f := b.Figure; f != nil && f.err != nil {
			db.Error = f.err.Error()
		} else if f != nil {
			if framed && !f.Live {
				// what only a browser can draw is left to it
				if still, _, err := f.still(); err == nil {
					db.Still = template.HTML(still) // of ECharts and our own, parsed and written by us
					stills++
					d.Blocks = append(d.Blocks, db)
					continue
				}
			}
			for _, c := range f.charts {
				panels++
				p := panel{ID: "chart-" + strconv.Itoa(panels), Label: f.String(), Height: heightOf(c)}
				var err error
				if p.Options, err = functions.options(c); err != nil {
					return "", fmt.Errorf("charts: options of chart %d of %q: %w", panels, oneLine(f.Title), err)
				}
				db.Panels = append(db.Panels, p)
			}
		}
		d.Blocks = append(d.Blocks, db)
	}

	var scripts []string
	if panels > 0 {
		d.Draw = template.JS(drawScript)
		scripts = append(scripts, drawScript, echartsScript)
		if framed {
			d.Packed, d.Unpack = template.HTML(packedScript()), template.JS(unpackScript)
			scripts = append(scripts, unpackScript)
		} else {
			d.ECharts = template.JS(echartsScript)
		}
		if src := functions.script(); src != "" {
			d.Functions = template.JS(src)
			scripts = append(scripts, src)
		}
	}
	if stills > 0 {
		d.Peek = template.JS(peekScript)
		scripts = append(scripts, peekScript)
	}
	d.Policy = policy(scripts)

	var b strings.Builder
	b.Grow(1 << 20)
	if err := pages.Execute(&b, d); err != nil {
		return "", fmt.Errorf("charts: page: %w", err)
	}
	return b.String(), nil
}

// policy is the page's content security policy: no request of any kind, and
// no script but these. Styles are free because ECharts styles its tooltips.
func policy(scripts []string) string {
	p := "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src"
	if len(scripts) == 0 {
		p += " 'none'"
	}
	for _, s := range scripts {
		p += " " + sourceHash(s)
	}
	return p
}

// heightOf is a chart's own height where it was set in pixels.
func heightOf(c components.Charter) int {
	v := reflect.Indirect(reflect.ValueOf(c)).FieldByName("Initialization")
	if v.IsValid() {
		if in, ok := v.Interface().(opts.Initialization); ok {
			if h, err := strconv.Atoi(strings.TrimSuffix(in.Height, "px")); err == nil && h > 0 {
				return h
			}
		}
	}
	return panelHeight
}

// functionList gathers the JavaScript functions among chart options. JSON
// cannot carry a function: an option that is one becomes {"$function": i},
// and the page puts back the i-th of the list. A name in the data can never
// become a function this way, since a string stays a string unless the same
// text was given to go-echarts as a types.FuncStr.
type functionList struct {
	sources []string
	index   map[string]int
}

// functionMark is what opts.FuncOpts puts before and after a function.
const functionMark = "__f__"

// validating guards go-echarts' Validate, which writes to the chart: a figure
// may be shown in several places at once.
var validating sync.Mutex

// options returns a chart's options as JSON that is safe inside a script
// element: encoding/json writes <, > and & as escapes.
func (l *functionList) options(c components.Charter) (template.JS, error) {
	o, ok := c.(optioned)
	if !ok || reflect.ValueOf(c).IsZero() {
		return "", fmt.Errorf("a %T does not give its options", c)
	}
	validating.Lock()
	defer validating.Unlock()
	o.Validate()
	values := o.JSON()
	before := len(l.sources)
	mine := map[string]bool{}
	l.collect(reflect.ValueOf(values), mine)
	raw, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	if len(mine) == 0 && before == len(l.sources) {
		return template.JS(raw), nil
	}
	var tree any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return "", err
	}
	raw, err = json.Marshal(l.insert(tree, mine))
	return template.JS(raw), err
}

// collect adds every types.FuncStr below v that is marked as a function.
func (l *functionList) collect(v reflect.Value, mine map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[types.FuncStr]() {
			s := v.String()
			if len(s) > 2*len(functionMark) && strings.HasPrefix(s, functionMark) && strings.HasSuffix(s, functionMark) {
				mine[s] = true
				if _, ok := l.index[s]; !ok {
					if l.index == nil {
						l.index = map[string]int{}
					}
					l.index[s] = len(l.sources)
					l.sources = append(l.sources, strings.TrimSuffix(strings.TrimPrefix(s, functionMark), functionMark))
				}
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			l.collect(v.Elem(), mine)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			l.collect(v.Field(i), mine)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			l.collect(v.Index(i), mine)
		}
	case reflect.Map:
		keys := v.MapKeys() // in order, so that the same charts give the same page
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			l.collect(v.MapIndex(k), mine)
		}
	}
}

// insert puts references in the place of the chart's own functions.
func (l *functionList) insert(v any, mine map[string]bool) any {
	switch v := v.(type) {
	case string:
		if mine[v] {
			return map[string]int{"$function": l.index[v]}
		}
	case []any:
		for i := range v {
			v[i] = l.insert(v[i], mine)
		}
	case map[string]any:
		for k := range v {
			v[k] = l.insert(v[k], mine)
		}
	}
	return v
}

// script is the list as a script; </script and <!-- cannot end or change
// the element that it stands in.
func (l *functionList) script() string {
	if len(l.sources) == 0 {
		return ""
	}
	src := "window.symmomFunctions=[\n" + strings.Join(l.sources, ",\n") + "\n];"
	return strings.NewReplacer("</", `<\/`, "<!--", `<\!--`).Replace(src)
}
