package syntax

// AliasMark precedes the version in the inner name of a redeclared object, and
// LocalMark the version in the name of a variable inside a function. Both are
// letters, so that the names are Go identifiers.
const (
	AliasMark = "ʹ"
	LocalMark = "ʺ"
)
