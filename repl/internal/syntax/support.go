package syntax

// SupportName is the name in lowered code of package support, SupportPath the path
// under which the interpreter imports it.
const (
	SupportName = "__repl"
	SupportPath = "repl"
)

// LookedAt is the size in bytes from which an allocation of a cell is compared with
// the free memory first.
const LookedAt = 64 << 20
