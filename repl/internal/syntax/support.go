package syntax

// SupportName is the name of package support in lowered code, SupportPath the path
// under which the interpreter imports it.
const (
	SupportName = "__repl"
	SupportPath = "repl"
)

// TickName is the variable in which lowered code counts iterations and calls until its
// next breath, where it takes any.
const TickName = SupportName + "Tick"

// LargeAllocation is the minimum size in bytes of an allocation by a cell that is
// first compared with the free memory.
const LargeAllocation = 64 << 20
