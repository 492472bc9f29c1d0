package svg

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// Recolor returns rules of style that do the same as Shade, with a map from each colour to its
// second colour in place of another drawing. It reports whether the map holds all colours.
func Recolor(n *Node, second map[string]string) (rules string, known bool) {
	used := map[string]bool{}
	if !colors(n, second, used) {
		return "", false
	}
	return strings.Join(slices.Sorted(maps.Keys(used)), ""), true
}

// colors adds the rules of an element and what is in it.
func colors(n *Node, second map[string]string, used map[string]bool) bool {
	for _, s := range shades {
		switch c := n.Get(s.attr); {
		case c == "", c == "none", c == "transparent", strings.HasPrefix(c, "url("), second[c] == c:
		case second[c] == "":
			return false
		default:
			used[fmt.Sprintf("[%s='%s']{%s:%s}", s.attr, c, s.attr, second[c])] = true
		}
	}
	for _, k := range n.Kids {
		if !colors(k, second, used) {
			return false
		}
	}
	return true
}
