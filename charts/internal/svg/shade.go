package svg

import "strings"

// shades are the properties by which a style sheet reaches a second colour.
var shades = []struct{ attr, property string }{{"fill", "--f"}, {"stroke", "--s"}, {"stop-color", "--c"}}

// Shade notes the colours of another drawing of the same picture in the style
// of each element that differs: --f for fill, --s for stroke and --c for
// stop-color. Where the two have other elements nothing is noted.
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

// Recolor does what Shade does, with the second colour of each colour in place
// of another drawing. It reports whether it knew all of them; with one that it
// does not know nothing is noted.
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
