package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// TestValues compares with the toolchain how values of many types, alone and in others, are
// printed, logged and written as JSON and XML.
func TestValues(t *testing.T) {
	slow.Test(t)
	lines := 0
	for part := range slices.Chunk(slices.Concat(printedValues, writtenValues), 20) {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(valuesProgram(part)), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "run", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, shortened(string(out)))
		}
		o := run(t, file)
		got, want := strings.Split(o.output, "\n"), strings.Split(string(out), "\n")
		if len(got) != len(want) {
			t.Errorf("%d lines, want %d; %v %s\n%s", len(got), len(want), o.refused, o.wrong, got[max(0, len(got)-6):])
		}
		wrong, about := 0, ""
		for i := range min(len(got), len(want)) {
			if strings.HasPrefix(want[i], "# ") {
				about = want[i]
			}
			if g, w := anyAddress(got[i]), anyAddress(want[i]); g != w {
				if wrong++; wrong <= 5 {
					t.Errorf("%s\n%s, want\n%s", about, shortened(g), shortened(w))
				}
			}
			lines++
		}
	}
	t.Logf("%d lines", lines)
}

// address matches one in hexadecimal or decimal digits, and the blanks before it where it
// is written with a width.
var address = regexp.MustCompile(` *(0x[0-9a-f]{5,}|[0-9a-f]{8,})`)

func anyAddress(line string) string { return address.ReplaceAllString(line, " ADDRESS") }

// valuesProgram returns a program that shows values.
func valuesProgram(values []string) string {
	var b strings.Builder
	b.WriteString(valuesHead)
	verbs := strings.Fields("%v %+v %#v %T %s %d %q %x %p %6v %t")
	for i, v := range values {
		fmt.Fprintf(&b, "func show%d() {\n\tx := %s\n", i, v)
		for _, verb := range verbs { // of this type, and of any
			fmt.Fprintf(&b, "\tfmt.Printf(\"%s|\\n\", x)\n", verb)
		}
		b.WriteString("\tshow(x)\n\tfmt.Println(fmt.Sprint(x, 1, x), fmt.Sprintf(\"%[1]T %[1]v %*d %T\", 3, 4, x))\n" +
			"\tlog.Println(x)\n\tlog.Printf(\"%v %T\", x, x)\n\tlog.Print(x, x)\n")
		for _, within := range []string{"%s", "[]any{%s}", "map[string]any{\"k\": %s}", "struct{ F any }{%s}", "&struct{ f any }{%s}", "[1]any{%s}", "[][]any{{%s}}", "&[]any{%s}"} {
			fmt.Fprintf(&b, "\tshow("+within+")\n", v)
		}
		if !slices.Contains(printedValues, v) {
			b.WriteString("\twritten(x)\n")
		}
		if !strings.Contains(v, "cycle") && !slices.Contains(printedValues, v) { // where package xml would not end
			b.WriteString("\twrittenXML(x)\n")
		}
		b.WriteString("}\n\n")
	}
	fmt.Fprintf(&b, "var verbs = %#v\n\nfunc main() {\n\tlog.SetFlags(0)\n\tlog.SetOutput(os.Stdout)\n", verbs)
	for i, v := range values {
		fmt.Fprintf(&b, "\tfmt.Println(\"#\", %q)\n\tshow%d()\n", v, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// printedValues are values that TestValues does not write as JSON and XML.
var printedValues = strings.Split(strings.TrimSpace(`
Holder{E: Error{1}, A: Struct{}, S: Stringer{1}, R: Reader{5}, hidden: Error{2}, ha: Stringer{3}}
&Holder{A: []any{Error{1}}, hidden: &ErrorP{}}
Holder{R: Bytes2{1}}
HolderI{I: Doer{1}, i: Doer{2}, L: []Doing{Doer{3}, nil}}
[]io.Reader{Reader{1}, nil, strings.NewReader("x")}
[]sort.Interface{Sorted{2, 1}}
map[string]io.Reader{"r": Reader{2}}
[]any{[]error{Error{1}}, map[string]any{"x": []io.Reader{Reader{1}}}}
errors.Join(Error{1}, &ErrorP{2})
fmt.Errorf("w: %w", Error{3})
[][]error{{Error{1}}}
map[any]any{Struct{1, "a"}: 1}
map[error]int{Error{1}: 1}
map[Stringer]Error{{1}: {2}}
[]func(Struct){nil}
[]chan Struct{nil}
[]any{Struct{}, &Struct{}, Error{1}, Stringer{2}, nil, Slice{1}}
Func(nil)
Chan(nil)`), "\n")

// writtenValues are the others. What has cycle in it refers to itself.
var writtenValues = strings.Split(strings.TrimSpace(`
Struct{1, "b"}
&Struct{2, "c"}
Pointing{X: 1}
&Pointing{X: 2, Any: Struct{3, "d"}}
Pointing{next: &Pointing{}, Any: &Struct{}}
Slice{1, 2}
Slice(nil)
Structs{{1, "a"}}
Map{"k": {1, "v"}}
Map(nil)
Int(7)
Float(1.5)
Text("hi")
Bytes("ab")
Bool(true)
Array{{1, "x"}}
Embeds{Struct{1, "q"}, 2.5}
EmbedsHidden{hidden: hidden{Stringer{3}}}
Error{4}
&Error{5}
&ErrorP{6}
ErrorP{7}
ErrorS("bad")
Stringer{8}
&Stringer{9}
StringerP{1}
&StringerP{10}
StringerI(11)
Formats{12}
&Formats{12}
Syntax{13}
&Syntax{13}
Generic[int]{1, []int{2}}
Generic[Stringer]{Stringer{1}, []Stringer{{2}}}
&Generic[*Struct]{}
Doer{3}
[]Struct{{1, "a"}}
[]*Struct{nil}
[2]Stringer{{1}, {2}}
map[Int]string{2: "b", 1: "a"}
map[Struct]int{{2, "a"}: 1, {1, "b"}: 2}
[]*StringerP{{1}}
struct{ A Struct; b Stringer }{Struct{}, Stringer{2}}
&struct{ A Error; B any }{Error{1}, Stringer{2}}
map[string]any{"a": Struct{}, "b": Error{1}, "c": &Pointing{}}
[]error{Error{1}, &ErrorP{2}, nil, ErrorS("x")}
[]fmt.Stringer{Stringer{1}, &StringerP{2}, StringerI(3)}
map[string]error{"a": Error{1}}
[1]error{Error{3}}
&[]error{Error{4}}
[]Doing{Doer{1}}
(*Struct)(nil)
(*Error)(nil)
(*StringerP)(nil)
[]**Struct{nil}
new(*Struct)
&[]*Struct{nil}
map[string]Formats{"a": {2}}
struct{ F Formats; f Formats }{Formats{1}, Formats{2}}
[]time.Duration{1}
struct{ t time.Duration; s Slice }{3, nil}
[]Syntax{{1}}
JSON{1}
&JSON{2}
[]JSON{{3}}
map[string]any{"j": JSON{4}}
TextM{1}
[]*TextM{{2}}
map[TextM]int{{1}: 2}
&JSONFails{1}
[]*JSONFails{{1}}
struct{ J *JSONFails }{&JSONFails{}}
TextFails{1}
map[TextFails]int{{}: 1}
XML{1}
[]XML{{2}}
tree()
*tree()
[]*Tree{tree()}
cycle(1)
cycle(2)
*cycle(3)
[]*Cycle{cycle(2)}
cycleAny()
*cycleAny()
cycles()
Leaves{}
&Optional{Struct: &Struct{1, "a"}, Z: []any{Struct{2, "b"}}}
Optional{}
[]any{math.NaN()}
struct{ X chan Struct }{}`), "\n")

const valuesHead = `package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math"
	"os"
	"sort"
	"strings"
	"time"
)

var _, _, _, _ = sort.Sort, strings.ToUpper, time.Second, math.Pi

type Struct struct { A int; b string }
type Pointing struct { X int; next *Pointing; Any any }
type Slice []int
type Structs []Struct
type Map map[string]Struct
type Func func(int) int
type Chan chan int
type Int int
type Float float64
type Text string
type Bytes []byte
type Bool bool
type Array [2]Struct
type Embeds struct { Struct; Z float64 }
type hidden struct { V Stringer }
type EmbedsHidden struct { hidden; *Int }

type Error struct { Code int }
func (e Error) Error() string { return fmt.Sprint("Error", e.Code) }
type ErrorP struct { Code int }
func (e *ErrorP) Error() string { return fmt.Sprint("ErrorP", e.Code) }
type ErrorS string
func (e ErrorS) Error() string { return "ErrorS:" + string(e) }
type Stringer struct { N int }
func (s Stringer) String() string { return fmt.Sprint("Stringer", s.N) }
type StringerP struct { N int }
func (s *StringerP) String() string { return fmt.Sprint("StringerP", s.N) }
type StringerI int
func (s StringerI) String() string { return fmt.Sprint("StringerI", int(s)) }
type Formats struct { N int }
func (f Formats) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "Formats(%c %v %v %v %d)", verb, s.Flag('+'), w, ok, f.N)
}
type Syntax struct { N int }
func (g Syntax) GoString() string { return fmt.Sprint("Syntax!", g.N) }
type Generic[T any] struct { V T; l []T }
type Holder struct { E error; A any; S fmt.Stringer; R io.Reader; hidden error; ha any }
type Reader struct { X int }
func (r Reader) Read(b []byte) (int, error) { return 0, io.EOF }
type Bytes2 []byte
func (s Bytes2) Read(b []byte) (int, error) { return 0, io.EOF }
type Sorted []int
func (s Sorted) Len() int { return len(s) }
func (s Sorted) Less(i, j int) bool { return s[i] < s[j] }
func (s Sorted) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
type Doing interface { Do() int }
type Doer struct { K int }
func (d Doer) Do() int { return d.K }
func (d Doer) String() string { return "Doer" }
type HolderI struct { I Doing; i Doing; L []Doing }

type JSON struct { N int }
func (j JSON) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf("{\"json\":%d}", j.N)), nil }
type TextM struct { N int }
func (j TextM) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("text%d", j.N)), nil }
type JSONFails struct { N int }
func (j *JSONFails) MarshalJSON() ([]byte, error) { return nil, errors.New("no JSON") }
type TextFails struct { N int }
func (j TextFails) MarshalText() ([]byte, error) { return nil, errors.New("no text") }
type XML struct { N int }
func (j XML) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return e.EncodeElement(fmt.Sprint("x", j.N), start)
}

type Tree struct {
	Name   string ` + "`json:\"name\"`" + `
	Kids   []*Tree ` + "`json:\",omitempty\"`" + `
	parent *Tree
	Up     *Tree ` + "`json:\"-\" xml:\"-\"`" + `
	M      map[string]*Tree ` + "`xml:\"-\"`" + `
}
func tree() *Tree {
	t := &Tree{Name: "a"}
	k := &Tree{Name: "b", parent: t, Up: t}
	t.Kids = []*Tree{k, {Name: "c", Up: k, parent: k}}
	t.M = map[string]*Tree{"k": k}
	return t
}
type Cycle struct { Next *Cycle; V int }
func cycle(n int) *Cycle {
	first := &Cycle{V: 1}
	c := first
	for i := 1; i < n; i++ {
		c.Next = &Cycle{V: i}
		c = c.Next
	}
	c.Next = first
	return first
}
type CycleA struct { B *CycleB; C any }
type CycleB struct { A *CycleA }
func cycleAny() *CycleA {
	a := &CycleA{}
	a.C = map[string]any{"a": []any{a}}
	return a
}
func cycles() *CycleB {
	a := &CycleA{B: &CycleB{}}
	a.B.A = a
	return a.B
}
type Leaves struct { F func() ` + "`json:\",omitempty\" xml:\"-\"`; G func() `json:\"-\" xml:\"-\"`" + ` }
type Optional struct { *Struct; St2 struct{ X Int } ` + "`json:\"st2\"`; Z any `json:\"z,omitempty\"`" + ` }

func show(x any) {
	for _, v := range verbs {
		fmt.Println(v, fmt.Sprintf(v, x))
	}
	fmt.Println(x)
	fmt.Printf("%v %#v\n", errors.Join(fmt.Errorf("%v %T", x, x)), []any{x})
}

func output(b []byte, err error) { fmt.Println(string(b), err) }

func written(x any) {
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "\t")
	fmt.Println(e.Encode(x))
	output(json.Marshal(x))
	output(json.MarshalIndent([]any{x, map[string]any{"x": x}, struct{ X any }{x}}, ">", " "))
	var b bytes.Buffer
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "time" {
			return slog.Attr{}
		}
		return a
	}}
	slog.New(slog.NewTextHandler(os.Stdout, options)).Info("m", "x", x)
	slog.New(slog.NewJSONHandler(&b, options)).Info("m", "x", x)
	if !strings.Contains(b.String(), "!ERROR") { // json names a type of the session there
		fmt.Println(b.String())
	}
}

func writtenXML(x any) {
	output(xml.Marshal(x))
	output(xml.MarshalIndent(x, "", " "))
	for _, encode := range []func(e *xml.Encoder) error{
		func(e *xml.Encoder) error { return e.Encode(x) },
		func(e *xml.Encoder) error { return e.EncodeElement(x, xml.StartElement{Name: xml.Name{Local: "el"}}) },
	} {
		var b bytes.Buffer
		if err := encode(xml.NewEncoder(&b)); err == nil { // else the beginning is there too
			fmt.Println(b.String())
		}
	}
}

`
