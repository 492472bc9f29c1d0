package boxed

// Shows are the methods by which a value shows itself, in the order in which they
// are tried. They take nothing and return a string or bytes, and optionally an
// error.
var Shows = []struct {
	Method, Mime string
	Instead      string // not tried if there is this form already
}{
	{"HTML", "text/html", ""},
	// A notebook keeps one picture beside the page of a chart, and not every reader
	// of notebooks draws SVG.
	{"PNG", "image/png", ""},
	{"SVG", "image/svg+xml", "image/png"},
	{"Markdown", "text/markdown", ""},
	{"LaTeX", "text/latex", ""},
	{"JSON", "application/json", ""},
}
