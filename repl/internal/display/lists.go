package display

import (
	"fmt"
	"reflect"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
)

// mostParts is how many numbers a cell of a table shows: of more only how many there are.
const mostParts = 6

// ownList returns a list of structs of this module for a terminal: as a table, such as the
// starts of a fit, or where they have a text of their own, such as warnings, one below the
// other. It is "" for any other value: other structs are shown as fmt prints them.
func ownList(v any) string {
	x := reflect.ValueOf(v)
	if x.Kind() != reflect.Slice || x.Len() == 0 {
		return ""
	}
	e := x.Type().Elem()
	speaking := e.Implements(reflect.TypeFor[fmt.Stringer]())
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	head, fields := exported(e)
	if !own(e) || len(head) == 0 {
		return ""
	}
	if speaking {
		var texts []string
		for _, i := range edges(x.Len(), tableRows) {
			if i < 0 {
				texts = append(texts, "...")
				continue
			}
			texts = append(texts, describe(x.Index(i).Interface()))
		}
		return strings.Join(texts, "\n")
	}
	w := plaintable.New()
	row, aligned := pretty.Row{""}, []pretty.ColumnConfig{{Number: 1, Align: text.AlignRight}}
	for j, name := range head {
		row = append(row, name)
		if k := e.Field(fields[j]).Type.Kind(); k >= reflect.Int && k <= reflect.Float64 {
			aligned = append(aligned, pretty.ColumnConfig{Number: j + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.AppendHeader(row)
	w.SetColumnConfigs(aligned)
	for _, i := range edges(x.Len(), tableRows) {
		if i < 0 {
			w.AppendRow(pretty.Row{"..."})
			continue
		}
		row = pretty.Row{fmt.Sprint(i)}
		for j := range fields {
			row = append(row, Shorten(structCell(x.Index(i), fields[j]), lineWidth))
		}
		w.AppendRow(row)
	}
	return w.Render()
}

// module is the path of this module, whatever it is published as, with a slash.
var module = strings.TrimSuffix(reflect.TypeFor[Rich]().PkgPath(), "repl/internal/display")

// own reports whether a type is declared in this module.
func own(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), module) }

// exported returns the names and the numbers of the exported fields of a struct.
func exported(t reflect.Type) (head []string, fields []int) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			head, fields = append(head, t.Field(i).Name), append(fields, i)
		}
	}
	return head, fields
}

// structCell is the text of a field of a struct, or of what points to one.
func structCell(v reflect.Value, field int) string {
	v = reflect.Indirect(v)
	if !v.IsValid() {
		return "nil"
	}
	f := v.Field(field)
	if k := f.Kind(); !own(v.Type()) || k != reflect.Slice && k != reflect.Map {
		return cellText(f)
	}
	switch {
	case f.Len() == 0:
		return ""
	case f.Len() > mostParts || f.Kind() == reflect.Slice && holds(f.Type().Elem()):
		return words.Plural(f.Len(), "element")
	case f.Type() == reflect.TypeFor[[]float64]():
		return fmt.Sprintf("%.6g", f.Interface())
	}
	return cellText(f)
}
