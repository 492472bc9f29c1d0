package notebook

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// ansi finds the sequences of terminals: those that set colours (the parameters are the
// group), and others.
var ansi = regexp.MustCompile(`\x1b(?:\[([0-9;:]*)m|\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)`)

// colours are the names of the classes.
var colours = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// Plain returns a text without the sequences of terminals.
func Plain(s string) string { return ansi.ReplaceAllString(s, "") }

// coloured returns a text with the colours of terminals as HTML.
func coloured(s string) string {
	var b strings.Builder
	style := ansiStyle{}
	put := func(piece string) {
		if piece == "" {
			return
		}
		open, end := style.tag()
		b.WriteString(open + html.EscapeString(piece) + end)
	}
	at := 0
	for _, m := range ansi.FindAllStringSubmatchIndex(s, -1) {
		put(s[at:m[0]])
		at = m[1]
		if m[2] >= 0 {
			style.set(strings.FieldsFunc(s[m[2]:m[3]], func(r rune) bool { return r == ';' || r == ':' }))
		}
	}
	put(s[at:])
	return b.String()
}

// ansiStyle is what the sequences have set.
type ansiStyle struct {
	bold, dim, italic, underline bool
	front, back                  string // "red", "bright-red", "#ff0000" or ""
}

func (s *ansiStyle) set(codes []string) {
	if len(codes) == 0 {
		codes = []string{"0"}
	}
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		switch {
		case err != nil:
		case n == 0:
			*s = ansiStyle{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.underline = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.underline = false
		case n >= 30 && n <= 37:
			s.front = colours[n-30]
		case n >= 90 && n <= 97:
			s.front = "bright-" + colours[n-90]
		case n >= 40 && n <= 47:
			s.back = colours[n-40]
		case n >= 100 && n <= 107:
			s.back = "bright-" + colours[n-100]
		case n == 39:
			s.front = ""
		case n == 49:
			s.back = ""
		case n == 38 || n == 48:
			colour, used := extended(codes[i+1:])
			if i += used; n == 38 {
				s.front = colour
			} else {
				s.back = colour
			}
		}
	}
}

// extended reads a colour of 256 or of three numbers, and how many codes it has.
func extended(codes []string) (colour string, used int) {
	var n []int
	for _, c := range codes {
		v, _ := strconv.Atoi(c)
		n = append(n, min(max(v, 0), 255))
	}
	switch {
	case len(n) >= 4 && n[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", n[1], n[2], n[3]), 4
	case len(n) < 2 || n[0] != 5:
		return "", len(n)
	case n[1] < 8:
		return colours[n[1]], 2
	case n[1] < 16:
		return "bright-" + colours[n[1]-8], 2
	case n[1] >= 232:
		g := 8 + 10*(n[1]-232)
		return fmt.Sprintf("#%02x%02x%02x", g, g, g), 2
	}
	level := func(v int) int { return min(v, 1)*55 + 40*v }
	v := n[1] - 16
	return fmt.Sprintf("#%02x%02x%02x", level(v/36), level(v/6%6), level(v%6)), 2
}

// tag returns what opens and closes an element of the style; nothing if there is none.
func (s ansiStyle) tag() (open, end string) {
	var classes, css []string
	for i, on := range []bool{s.bold, s.dim, s.italic, s.underline} {
		if on {
			classes = append(classes, "ansi-"+[]string{"bold", "dim", "italic", "underline"}[i])
		}
	}
	for _, c := range []struct{ colour, class, property string }{{s.front, "ansi-", "color"}, {s.back, "ansi-on-", "background"}} {
		switch {
		case strings.HasPrefix(c.colour, "#"):
			css = append(css, c.property+":"+c.colour)
		case c.colour != "":
			classes = append(classes, c.class+c.colour)
		}
	}
	if len(classes)+len(css) == 0 {
		return "", ""
	}
	open = "<span"
	if len(classes) > 0 {
		open += ` class="` + strings.Join(classes, " ") + `"`
	}
	if len(css) > 0 {
		open += ` style="` + strings.Join(css, ";") + `"`
	}
	return open + ">", "</span>"
}
