package syntax

// SupportName is the name in lowered code of package support, SupportPath the path
// under which the interpreter imports it.
const (
	SupportName = "__repl"
	SupportPath = "repl"
)

// LargeAllocation is the size in bytes from which an allocation of a cell is compared with
// the free memory first.
const LargeAllocation = 64 << 20
