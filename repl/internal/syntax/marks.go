package syntax

// AliasMark precedes the version in the inner name of something that was declared
// again, LocalMark that in the name of a variable inside a function. Both are
// letters, so that the names are Go identifiers.
const (
	AliasMark = "ʹ"
	LocalMark = "ʺ"
)
