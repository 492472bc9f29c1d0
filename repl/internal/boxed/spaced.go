package boxed

import (
	"reflect"
	"slices"
)

// Spaced returns the arguments of fmt.Sprint and the like with the strings between them
// that fmt adds, as it does not know that a box may hold a string: a space where neither
// neighbour is one.
func Spaced(args ...any) []any {
	isString := func(x any) bool { return reflect.ValueOf(Raw(x)).Kind() == reflect.String }
	if len(args) < 2 || !slices.ContainsFunc(args, func(x any) bool { _, own := Of(x); return own && isString(x) }) {
		return args
	}
	out := args[:1:1]
	for i, x := range args[1:] {
		between := ""
		if !isString(x) && !isString(args[i]) {
			between = " "
		}
		out = append(out, between, x)
	}
	return out
}
