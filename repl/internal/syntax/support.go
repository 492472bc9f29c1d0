package syntax

// SupportName is the package, in cells only, of the functions that lowered
// code calls: see support.go.
const (
	SupportName = "__repl"
	SupportPath = "repl"
)

// LookedAt is the number of bytes from which what a cell makes in one piece is
// held against the free memory before.
const LookedAt = 64 << 20
