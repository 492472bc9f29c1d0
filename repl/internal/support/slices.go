package support

import (
	"cmp"
	"iter"
	"math"
	"reflect"
	"slices"
	"sort"

	"symmom/repl/internal/boxed"
)

// Operations that generic library functions leave to compiled code.

// clearValue implements the builtin clear.
func clearValue(x any) {
	if v := reflect.ValueOf(x); v.IsValid() {
		v.Clear()
	}
}

// appendValue implements the builtin append of one element.
func appendValue(list, elem any) any {
	return reflect.Append(reflect.ValueOf(list), reflect.ValueOf(elem)).Interface()
}

// appendSlice implements the builtin append of a slice.
func appendSlice(list, more any) any {
	return reflect.AppendSlice(reflect.ValueOf(list), reflect.ValueOf(more)).Interface()
}

// sortSlice implements slices.Sort for a slice of any ordered type.
func sortSlice(x any) {
	switch x := x.(type) {
	case []int:
		slices.Sort(x)
		return
	case []float64:
		slices.Sort(x)
		return
	case []string:
		slices.Sort(x)
		return
	}
	v := reflect.ValueOf(x)
	sort.Slice(x, func(i, j int) bool {
		a, b := v.Index(i), v.Index(j)
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.CanFloat():
			return cmp.Less(a.Float(), b.Float())
		}
		return a.String() < b.String()
	})
}

// negative tells the zero that min takes and max does not from the other.
func negative(x any) bool {
	v := reflect.ValueOf(x)
	return v.CanFloat() && math.Signbit(v.Float())
}

// pull implements iter.Pull without the values, which the cells' iter.Pull keeps.
func (r *Runtime) pull(seq func(yield func() bool)) (next func(), stop func()) {
	step, stop := iter.Pull(func(yield func(struct{}) bool) {
		seq(func() bool { return yield(struct{}{}) })
	})
	return func() { step() }, stop
}

// iterated returns the panic of a function that goes on after the body of a loop over it
// was left by code, as package lower numbers that: by a panic, a break, the loop's end,
// another statement.
func iterated(code int) any {
	switch code {
	case 0:
		return boxed.RuntimeError("runtime error: range function continued iteration after loop body panic")
	case 2:
		return boxed.RuntimeError("runtime error: range function continued iteration after whole loop exit")
	}
	return boxed.RuntimeError("runtime error: range function continued iteration after function for loop body returned false")
}

// iterationPanic returns the panic of a loop whose function kept a panic of the body to
// itself.
func iterationPanic() any {
	return boxed.RuntimeError("runtime error: range function recovered a loop body panic and did not resume panicking")
}
