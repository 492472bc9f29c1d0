package widgets

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// String returns the values of the controls, how to set one, and the result of the
// last run.
func (x *Interaction) String() string { return x.TextAbove(x.Text()) }

// TextAbove returns the values of the controls, and how to set one, above a result as
// text.
func (x *Interaction) TextAbove(result string) string {
	if x.err != nil {
		return "error: " + x.err.Error()
	}
	var b strings.Builder
	names, labels := 0, 0
	for _, c := range x.controls {
		names, labels = max(names, utf8.RuneCountInString(c.name)), max(labels, utf8.RuneCountInString(c.label()))
	}
	for _, c := range x.controls {
		fmt.Fprintf(&b, "%-*s = %-*s   (%s)\n", names, c.name, labels, c.label(), c.want())
	}
	if len(x.controls) > 0 {
		c := x.controls[0]
		fmt.Fprintf(&b, "To set one: x.Set(%q, %s), where x is this value, or _ right after it.\n", c.name, c.example())
	}
	if result != "" {
		b.WriteString("\n" + result)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Line returns the names and values of the controls in one line.
func (x *Interaction) Line() string {
	var all []string
	for _, c := range x.controls {
		all = append(all, c.name+" "+c.label())
	}
	return strings.Join(all, ", ")
}

// Text returns the result of the last run as text, or the error with which it ended.
func (x *Interaction) Text() string {
	values, err := x.Result()
	var lines []string
	for _, v := range values {
		lines = append(lines, fmt.Sprint(v))
	}
	if err != nil {
		lines = append(lines, "error: "+err.Error())
	}
	return strings.Join(lines, "\n")
}

// example returns another value than the present one, as Go writes it.
func (c *Control) example() string {
	c.mu.Lock()
	at := c.at
	c.mu.Unlock()
	var v any
	switch c.kind {
	case KindCheck:
		v = at == 0
	case KindSelect:
		v = c.options[(int(at)+1)%len(c.options)]
	case KindButton:
		v = int(at) + 1
	case KindText:
		v = "some text"
	default:
		next, ok := c.place(at+c.step, true)
		if !ok {
			next = c.from
		}
		v = c.value(next)
	}
	return fmt.Sprintf("%#v", v)
}

// HTML returns a still picture for notebooks that have no controls, and for stored
// ones: the values and the result of the last run.
func (x *Interaction) HTML() string {
	values, err := x.Result()
	var b strings.Builder
	for _, v := range values {
		b.WriteString(page(v))
	}
	if err != nil {
		b.WriteString("<pre>" + html.EscapeString("error: "+err.Error()) + "</pre>")
	}
	return x.HTMLAbove(b.String())
}

// HTMLAbove returns the values of the controls above a result in HTML.
func (x *Interaction) HTMLAbove(result string) string {
	if x.err != nil {
		return "<pre>" + html.EscapeString(x.String()) + "</pre>"
	}
	var b strings.Builder
	b.WriteString(`<div class="symmom-still-controls"><p>`)
	for i, c := range x.controls {
		if i > 0 {
			b.WriteString(" &#160; ")
		}
		fmt.Fprintf(&b, "%s <b>%s</b>", html.EscapeString(c.name), html.EscapeString(c.label()))
	}
	b.WriteString("</p>" + result + "</div>")
	return b.String()
}

// page returns a value in HTML, in the best form that it offers.
func page(v any) (text string) {
	defer func() {
		if r := recover(); r != nil { // in a method of the value
			text = "<pre>" + html.EscapeString(fmt.Sprintf("%T that cannot be shown: %v", v, r)) + "</pre>"
		}
	}()
	switch x := v.(type) {
	case interface{ HTML() string }:
		return x.HTML()
	case interface{ SVG() string }:
		return `<img src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(x.SVG())) + `">`
	}
	return "<pre>" + html.EscapeString(fmt.Sprint(v)) + "</pre>"
}
