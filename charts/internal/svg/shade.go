package svg

import "strings"

// shades are the custom properties by which a style sheet applies the second
// colour.
var shades = []struct{ attr, property string }{{"fill", "--f"}, {"stroke", "--s"}, {"stop-color", "--c"}}

// Shade records the colours of another drawing of the same picture in the style of
// each element that differs: --f for fill, --s for stroke and --c for stop-color.
// Elements that differ in other ways are skipped.
func Shade(n, other *Node) {
	if n.Name != other.Name || len(n.Kids) != len(other.Kids) {
		return
	}
	var style []string
	for _, s := range shades {
		a, b := n.Get(s.attr), other.Get(s.attr)
		if a != b && b != "" && !strings.HasPrefix(b, "url(") && !strings.ContainsAny(b, ";{}") {
			style = append(style, s.property+":"+b)
		}
	}
	if len(style) > 0 {
		n.Set("style", strings.Join(style, ";"))
	}
	for i, k := range n.Kids {
		Shade(k, other.Kids[i])
	}
}

// Recolor does the same as Shade, with a map from each colour to its second colour
// in place of another drawing. It reports whether the map holds all colours; if
// not, nothing is recorded.
func Recolor(n *Node, second map[string]string) bool {
	if !known(n, second) {
		return false
	}
	recolor(n, second)
	return true
}

func known(n *Node, second map[string]string) bool {
	for _, s := range shades {
		switch c := n.Get(s.attr); {
		case c == "", c == "none", c == "transparent", strings.HasPrefix(c, "url("):
		case second[c] == "":
			return false
		}
	}
	for _, k := range n.Kids {
		if !known(k, second) {
			return false
		}
	}
	return true
}

func recolor(n *Node, second map[string]string) {
	var style []string
	for _, s := range shades {
		if a := n.Get(s.attr); second[a] != "" && second[a] != a {
			style = append(style, s.property+":"+second[a])
		}
	}
	if len(style) > 0 {
		n.Set("style", strings.Join(style, ";"))
	}
	for _, k := range n.Kids {
		recolor(k, second)
	}
}
