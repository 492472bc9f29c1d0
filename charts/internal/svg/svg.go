package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"symmom/charts/internal/typeset"
)

// Node is an element. Text precedes its children.
type Node struct {
	Name  string
	Attrs []Attr
	Kids  []*Node
	Text  string
}

// Attr is an attribute; xlink:href has the name href.
type Attr struct{ Name, Value string }

// New returns an element with attributes given as alternating names and values.
func New(name string, namesAndValues ...string) *Node {
	n := &Node{Name: name}
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		n.Attrs = append(n.Attrs, Attr{namesAndValues[i], namesAndValues[i+1]})
	}
	return n
}

// Add appends children.
func (n *Node) Add(kids ...*Node) *Node {
	n.Kids = append(n.Kids, kids...)
	return n
}

// Get returns the value of an attribute, "" if there is none.
func (n *Node) Get(name string) string {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Set sets an attribute, or removes it if the value is "".
func (n *Node) Set(name, value string) {
	for i, a := range n.Attrs {
		if a.Name == name {
			if value == "" {
				n.Attrs = append(n.Attrs[:i], n.Attrs[i+1:]...)
			} else {
				n.Attrs[i].Value = value
			}
			return
		}
	}
	if value != "" {
		n.Attrs = append(n.Attrs, Attr{name, value})
	}
}

// Parse parses a document, in which characters that XML does not allow, such as those of
// a name, are left out.
func Parse(text string) (*Node, error) {
	d := xml.NewDecoder(strings.NewReader(printable(text)))
	var open []*Node
	var root *Node
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if root == nil {
				return nil, errors.New("svg: empty")
			}
			return root, nil
		}
		if err != nil {
			return nil, fmt.Errorf("svg: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			n := &Node{Name: t.Name.Local}
			for _, a := range t.Attr {
				name := a.Name.Local
				if a.Name.Space == "xml" || a.Name.Space == "http://www.w3.org/XML/1998/namespace" {
					name = "xml:" + name
				}
				if a.Name.Space != "xmlns" && name != "xmlns" {
					n.Attrs = append(n.Attrs, Attr{name, a.Value})
				}
			}
			if len(open) > 0 {
				open[len(open)-1].Add(n)
			} else if root == nil {
				root = n
			}
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				if n := open[len(open)-1]; n.Name == "text" || n.Name == "tspan" || n.Name == "title" || n.Name == "style" {
					n.Text += string(t)
				}
			}
		}
	}
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// String returns the element as text, one child per line.
func (n *Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *Node) write(b *strings.Builder) {
	b.WriteString("<" + n.Name)
	for _, a := range n.Attrs {
		b.WriteString(" " + a.Name + `="` + escape.Replace(printable(a.Value)) + `"`)
	}
	if n.Text == "" && len(n.Kids) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteString(">" + escape.Replace(printable(n.Text)))
	for _, k := range n.Kids {
		b.WriteByte('\n')
		k.write(b)
	}
	if len(n.Kids) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("</" + n.Name + ">")
}

// printable removes characters that XML cannot represent.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Clean turns the output of ECharts into a still picture: it removes what is for
// the pointer and what is invisible, and places text by its baseline, which every
// viewer supports.
func Clean(n *Node) {
	var kept []*Node
	for _, k := range n.Kids {
		Clean(k)
		inDefs := n.Name == "clipPath" || n.Name == "defs"
		if k.Name == "style" || !inDefs && (invisible(k) || k.Name == "g" && len(k.Kids) == 0) {
			continue
		}
		kept = append(kept, k)
	}
	n.Kids = kept
	var attrs []Attr
	for _, a := range n.Attrs {
		switch {
		case a.Name == "class", a.Name == "pointer-events", strings.HasPrefix(a.Name, "ecmeta_"):
		case a.Name == "style" && n.Name == "text":
			attrs = append(attrs, styled(a.Value)...)
		case a.Name == "dominant-baseline":
		default:
			attrs = append(attrs, a)
		}
	}
	central := n.Get("dominant-baseline") == "central"
	n.Attrs = attrs
	dots(n)
	circle(n)
	thin(n)
	if central {
		size := number(n.Get("font-size"), 12)
		y := number(n.Get("y"), 0) + typeset.Central*size
		n.Set("y", strconv.FormatFloat(math.Round(y*100)/100, 'f', -1, 64))
		Fit(n)
	}
}

// Fit sets the length of a text to its length in Liberation Sans, so that it takes
// the same space in a viewer with a different font.
func Fit(n *Node) {
	if len(n.Text) < 3 {
		return
	}
	w := typeset.Width(n.Text, number(n.Get("font-size"), 12), isBold(n.Get("font-weight")))
	n.Set("textLength", strconv.FormatFloat(math.Round(w*10)/10, 'f', -1, 64))
	n.Set("lengthAdjust", "spacingAndGlyphs")
}

func isBold(weight string) bool { return weight == "bold" || number(weight, 400) >= 600 }

// styled converts a style to attributes, except the common font, which the picture
// sets.
func styled(style string) []Attr {
	var attrs []Attr
	for _, s := range strings.Split(style, ";") {
		name, value, _ := strings.Cut(s, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if name == "" || name == "font-family" && value == typeset.Family {
			continue
		}
		if name == "font-size" {
			value = strings.TrimSuffix(value, "px")
		}
		attrs = append(attrs, Attr{name, value})
	}
	return attrs
}

// invisible reports whether a shape without children leaves no mark.
func invisible(n *Node) bool {
	switch n.Name {
	case "path", "rect", "polygon", "polyline", "line", "circle", "ellipse", "text":
	default:
		return false
	}
	if n.Name == "text" && strings.TrimSpace(n.Text) == "" && len(n.Kids) == 0 {
		return true
	}
	opacity := number(n.Get("opacity"), 1)
	fill := n.Get("fill") != "none" && number(n.Get("fill-opacity"), 1) > 0
	stroke := n.Get("stroke") != "" && n.Get("stroke") != "none" &&
		number(n.Get("stroke-opacity"), 1) > 0 && number(n.Get("stroke-width"), 1) > 0
	return opacity == 0 || !fill && !stroke
}

// number parses a number; if it cannot, it returns otherwise.
func number(s string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "px"), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return otherwise
	}
	return v
}
