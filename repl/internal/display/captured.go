package display

// Captured is what a cell below %%capture has printed and shown.
type Captured struct {
	Stdout, Stderr string // what it has printed
	Shown          []any  // its value, and what it has displayed

	again func(*Captured)
}

// NewCaptured returns the output of a cell, which show prints and displays.
func NewCaptured(stdout, stderr string, shown []any, show func(*Captured)) *Captured {
	return &Captured{stdout, stderr, shown, show}
}

// String returns what the cell has printed.
func (c *Captured) String() string { return c.Stdout + c.Stderr }

// Show prints and displays the output as the cell would have done.
func (c *Captured) Show() { c.again(c) }
