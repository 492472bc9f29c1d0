package syntax

// AliasMark stands before the version in the inner name of something that was
// declared again, localMark in that of a variable within a function. They are
// letters, so that the names are names for Go too.
const (
	AliasMark = "ʹ"
	LocalMark = "ʺ"
)
