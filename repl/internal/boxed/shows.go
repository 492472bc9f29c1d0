package boxed

// Shows are the methods by which a value provides its representations, in the order
// in which they are tried. They have no parameters and return a string or bytes, and
// optionally an error.
var Shows = []struct {
	Method, Mime string
	Instead      string // not tried if this representation exists already
}{
	{"HTML", "text/html", ""},
	// A notebook stores one picture in addition to the page of a chart, and not every
	// notebook reader draws SVG.
	{"PNG", "image/png", ""},
	{"SVG", "image/svg+xml", "image/png"},
	{"Markdown", "text/markdown", ""},
	{"LaTeX", "text/latex", ""},
	{"JSON", "application/json", ""},
}
