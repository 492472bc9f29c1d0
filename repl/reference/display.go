package reference

// Display declares the package that exists only in cells; package repl implements it.
const Display = `// Package display shows values while a cell runs, and in other forms than text: HTML,
// Markdown, pictures. It exists only in sessions.
//
//	h := display.Show("0%")
//	h.Update("100%")
//	display.HTML("<b>done</b>")
package display

// Handle is something that a cell displays.
type Handle struct{ session int }

// Update replaces what is displayed by v. A terminal displays v below.
func (h *Handle) Update(v any)

// Rich is a formatted piece of output, such as HTML.
type Rich struct{ mime string }

// Show displays values, one below the other. The handle replaces the last of them.
func Show(values ...any) *Handle

// Clear removes what the cell has displayed: at once or, with Clear(true), when
// something new is displayed, which flickers less.
func Clear(wait ...bool)

// Out returns the value of the expression at the end of a cell, by its number.
func Out(cell int) any

// Captured is what a cell below %%capture has printed and shown.
type Captured struct {
	Stdout, Stderr string // what it has printed
	Shown          []any  // what it has displayed, and its value
}

// String returns what the cell has printed.
func (c *Captured) String() string

// Show prints and displays the output as the cell would have done.
func (c *Captured) Show()

// Output returns what the cell above has printed and shown; %%capture NAME stands for it.
func Output() *Captured

// Compiled returns a function of a cell below %%compile, which declares it with this.
func Compiled(number int) any

// HTML returns text that notebooks show as HTML.
func HTML(text string) Rich

// Markdown returns text that notebooks show as Markdown.
func Markdown(text string) Rich

// LaTeX returns text that notebooks typeset.
func LaTeX(text string) Rich

// SVG returns a picture.
func SVG(text string) Rich

// PNG returns a picture.
func PNG(data []byte) Rich

// JSON returns the JSON of v, which notebooks show as a tree.
func JSON(v any) (Rich, error)
`
