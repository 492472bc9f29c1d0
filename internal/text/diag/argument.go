package diag

import "fmt"

// Argument is the error of an argument that cannot be used, found while work goes
// on.
type Argument struct {
	Name  string
	Value any
	Want  string
}

func (e *Argument) Error() string { return fmt.Sprintf("%s: got %v, want %s", e.Name, e.Value, e.Want) }
