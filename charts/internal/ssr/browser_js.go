package ssr

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
)

// In a browser its own engine runs the scripts. It cannot be stopped from here.

// engine is an object of the browser with the functions of the scripts.
type engine struct{ page js.Value }

// newEngine loads the scripts in a function, where nothing waits and nothing is random.
func newEngine(width func(text, font string) float64, scripts []string) (*engine, error) {
	measure := js.FuncOf(func(_ js.Value, args []js.Value) any { return width(args[0].String(), args[1].String()) })
	source := `
var seed = 1, random = function () { seed = seed * 16807 % 2147483647; return (seed - 1) / 2147483646; };
var Math = Object.create(globalThis.Math, { random: { value: random } });
var setTimeout = function () { return 0; }, clearTimeout = setTimeout, setInterval = setTimeout, clearInterval = setTimeout;
var exports, module, define, window, document, self, navigator, process;
` + strings.Join(scripts, "\n;\n") + `
;` + setMeasure + `;
return { draw: function (chart) {
	seed = 1;
	try {
		chart = JSON.parse(chart);
		chart.functions = chart.functions.map(function (source, i) {
			try { return eval("(" + source + "\n)"); } catch (e) { throw "function " + (i + 1) + " of the options: " + e; }
		});
		var p = symmomStatic(chart);
		return { svg: String(p.svg), height: p.height | 0, marks: String(p.marks) };
	} catch (e) { return { error: String(e) }; }
} };`
	page, err := call(func() js.Value { return js.Global().Get("Function").New("symmomWidth", source).Invoke(measure) })
	if err != nil {
		return nil, fmt.Errorf("reading the scripts: %w", err)
	}
	return &engine{page}, nil
}

// draw draws a chart.
func (e *engine) draw(c Chart) (p Picture, err error) {
	text, err := json.Marshal(map[string]any{
		"options": c.Options, "functions": append([]string{}, c.Functions...), "colors": c.Colors, "dark": c.Dark,
		"font": c.Font, "width": c.Width, "height": c.Height, "id": c.ID, "marks": c.Marks,
	})
	if err != nil {
		return p, err
	}
	v, err := call(func() js.Value { return e.page.Call("draw", string(text)) })
	if err != nil {
		return p, err
	}
	if failed := v.Get("error"); !failed.IsUndefined() {
		return p, errors.New(failed.String())
	}
	return Picture{SVG: v.Get("svg").String(), Height: v.Get("height").Int(), Marks: v.Get("marks").String()}, nil
}

// call makes an error of an exception.
func call(f func() js.Value) (v js.Value, err error) {
	defer func() {
		if e, is := recover().(js.Error); is {
			err = e
		}
	}()
	return f(), nil
}
