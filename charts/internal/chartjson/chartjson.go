// Package chartjson writes the options of go-echarts charts as JSON, for scripts.
package chartjson

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
	"github.com/go-echarts/go-echarts/v2/types"
)

// Optioned has the methods that every chart type of go-echarts has besides Charter.
type Optioned interface {
	components.Charter
	JSON() map[string]interface{}
}

// Short rounds the numbers of some JSON to six digits, more than a chart can show.
func Short(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case c == '"':
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			b.WriteString(text[i:end])
		case c == '-' || c >= '0' && c <= '9':
			for end < len(text) && strings.IndexByte("0123456789.eE+-", text[end]) >= 0 {
				end++
			}
			n := text[i:end]
			if x, err := strconv.ParseFloat(n, 64); err == nil && strings.Contains(n, ".") {
				if short := strconv.FormatFloat(x, 'g', 6, 64); len(short) < len(n) {
					n = short
				}
			}
			b.WriteString(n)
		default:
			b.WriteByte(c)
		}
		i = end
	}
	return b.String()
}

// Shared holds data that several charts of a figure have, once.
type Shared struct {
	Data  []string
	index map[string]int
}

// sharedBytes is the length from which data are put there.
const sharedBytes = 200

// Refer replaces the data in some options by {"$data": i}, which stands for the i-th of them.
func (s *Shared) Refer(options string) string {
	const key = `"data":[`
	var b strings.Builder
	for {
		at := strings.Index(options, key)
		if at < 0 {
			return b.String() + options
		}
		at += len(key) - 1
		var data json.RawMessage
		if err := json.NewDecoder(strings.NewReader(options[at:])).Decode(&data); err != nil || len(data) < sharedBytes {
			b.WriteString(options[:at+1]) // text in a name, or a few numbers
			options = options[at+1:]
			continue
		}
		i, known := s.index[string(data)]
		if !known {
			if s.index == nil {
				s.index = map[string]int{}
			}
			i = len(s.Data)
			s.index[string(data)], s.Data = i, append(s.Data, string(data))
		}
		fmt.Fprintf(&b, `%s{"$data":%d}`, options[:at], i)
		options = options[at+len(data):]
	}
}

// Functions collects the JavaScript functions among chart options. JSON cannot
// contain functions: each is replaced by {"$function": i}, for which the page
// substitutes the i-th function of the list. A name in the data can never become a
// function in this way, since a string stays a string unless the same text was
// given to go-echarts as a types.FuncStr.
type Functions struct {
	Sources []string
	index   map[string]int
}

// functionMark is the text that opts.FuncOpts puts before and after a function.
const functionMark = "__f__"

// Source returns the JavaScript of a function among chart options.
func Source(f types.FuncStr) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(f), functionMark), functionMark)
}

// validating guards go-echarts' Validate, which modifies the chart: a figure may be
// shown in several places at once.
var validating sync.Mutex

// Options returns a chart's options as JSON that is safe inside a script
// element: encoding/json writes <, > and & as escapes.
func (l *Functions) Options(c components.Charter) (template.JS, error) {
	o, ok := c.(Optioned)
	if !ok || reflect.ValueOf(c).IsZero() {
		return "", fmt.Errorf("a %T does not give its options", c)
	}
	validating.Lock()
	defer validating.Unlock()
	o.Validate()
	values := o.JSON()
	before := len(l.Sources)
	mine := map[string]bool{}
	l.collect(reflect.ValueOf(values), mine)
	raw, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	if len(mine) == 0 && before == len(l.Sources) {
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

// collect adds every types.FuncStr within v that is marked as a function.
func (l *Functions) collect(v reflect.Value, mine map[string]bool) {
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
					l.index[s] = len(l.Sources)
					l.Sources = append(l.Sources, Source(types.FuncStr(s)))
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
		keys := v.MapKeys() // in order, so that equal charts give equal pages
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			l.collect(v.MapIndex(k), mine)
		}
	}
}

// insert replaces the chart's own functions with references.
func (l *Functions) insert(v any, mine map[string]bool) any {
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

// Script returns the list as a script, in which no </script or <!-- can end or
// change its element.
func (l *Functions) Script() string {
	if len(l.Sources) == 0 {
		return ""
	}
	src := "window.symmomFunctions=[\n" + strings.Join(l.Sources, ",\n") + "\n];"
	return strings.NewReplacer("</", `<\/`, "<!--", `<\!--`).Replace(src)
}
