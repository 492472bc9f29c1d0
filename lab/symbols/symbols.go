// Package symbols gives the interpreter the contents of symmom, charts, datasets and paper,
// as symmom/repl/symbols does for the packages that every session has. Run go generate after
// changing an exported name.
package symbols

import (
	_ "embed"
	"reflect"
)

// Types holds the types of the packages, for go/types: a zip of export data.
//
//go:embed zz_types.zip
var Types []byte

//go:generate go run symmom/repl/symbols/gen symmom/symmom symmom/charts symmom/datasets symmom/paper

// All returns the tables by import path with the package's name at the end.
func All() map[string]map[string]reflect.Value {
	return map[string]map[string]reflect.Value{
		"symmom/symmom/symmom":     symmomSymbols(),
		"symmom/charts/charts":     chartsSymbols(),
		"symmom/datasets/datasets": datasetsSymbols(),
		"symmom/paper/paper":       paperSymbols(),
	}
}
