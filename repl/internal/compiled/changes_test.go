package compiled

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

//go:embed mutate_test.go
var mutateSource string

// What Mutate writes to its arguments, compiled, is what it writes here.
func TestChangesCross(t *testing.T) {
	slow.Test(t)
	source := strings.Replace(mutateSource, "package compiled\n", "\n", 1)
	p, err := New(t.Context(), source, []string{"Mutate"}, Session{Context: t.Context, Stdout: io.Discard, Room: func(float64) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	mutate := p.Func(0, reflect.TypeOf(Mutate)).Interface().(func(uint64, []float64, []string, [][]int, []bool, [][]string, [][][]int8) int)
	rng := rand.New(rand.NewPCG(1, 2))
	make := func() []any {
		return []any{random(rng, reflect.TypeFor[[]float64]()), random(rng, reflect.TypeFor[[]string]()), random(rng, reflect.TypeFor[[][]int]()),
			random(rng, reflect.TypeFor[[]bool]()), random(rng, reflect.TypeFor[[][]string]()), random(rng, reflect.TypeFor[[][][]int8]())}
	}
	call := func(f func(uint64, []float64, []string, [][]int, []bool, [][]string, [][][]int8) int, seed uint64, a []any) int {
		return f(seed, a[0].([]float64), a[1].([]string), a[2].([][]int), a[3].([]bool), a[4].([][]string), a[5].([][][]int8))
	}
	for seed := range uint64(500) {
		a := make()
		b := make()
		for i := range a {
			b[i] = copied(reflect.ValueOf(a[i])).Interface()
		}
		n, m := call(mutate, seed, a), call(Mutate, seed, b)
		if n != m || !same(reflect.ValueOf(a), reflect.ValueOf(b)) {
			t.Fatalf("%d: compiled %d, %v\nhere %d, %v", seed, n, a, m, b)
		}
	}
}

// Slices that share memory are copies of each other in the program, and what it writes through
// each of them arrives.
func TestSharedMemory(t *testing.T) {
	slow.Test(t)
	p := compile(t, io.Discard, `func Write(a, b []int) (seen int) { a[0], b[0] = 10, 20; return a[1] }
func Rows(x [][]int) { x[0][1] = 5; x[1][1] = 6; x[2] = append(x[2], 7) }`, "Write", "Rows")
	write := function[func(a, b []int) int](p, 0)
	x := []int{1, 2, 3, 4}
	if seen := write(x, x[1:3]); seen != 2 || fmt.Sprint(x) != "[10 20 3 4]" {
		t.Errorf("%d, %v", seen, x)
	}
	x = []int{1, 2, 3, 4}
	if write(x[1:3], x); fmt.Sprint(x) != "[20 10 3 4]" {
		t.Error(x)
	}
	x = []int{1, 2, 3, 4, 5, 6}
	rows := [][]int{x[:2:2], x[2:4:4], x[4:]}
	function[func([][]int)](p, 1)(rows)
	if fmt.Sprint(x, rows) != "[1 5 3 6 5 6] [[1 5] [3 6] [5 6 7]]" {
		t.Error(x, rows)
	}
}

// Values of random types come back as they were.
func TestValuesCross(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var source strings.Builder
	var names []string
	var kinds []reflect.Type
	for i := range 60 {
		var in []reflect.Type
		var params, args, results []string
		for k := range 1 + rng.IntN(5) {
			typ := scalars[rng.IntN(len(scalars))]
			if i < len(scalars) && k == 0 {
				typ = scalars[i]
			}
			for range rng.IntN(4) {
				if typ != reflect.TypeFor[error]() {
					typ = reflect.SliceOf(typ)
				}
			}
			in = append(in, typ)
			params = append(params, fmt.Sprintf("a%d %s", k, typ))
			args = append(args, fmt.Sprintf("a%d", k))
			results = append(results, typ.String())
		}
		names = append(names, fmt.Sprint("F", i))
		kinds = append(kinds, reflect.FuncOf(in, in, false))
		fmt.Fprintf(&source, "func F%d(%s) (%s) { return %s }\n", i, strings.Join(params, ", "), strings.Join(results, ", "), strings.Join(args, ", "))
	}
	p := compile(t, io.Discard, source.String(), names...)
	for i, typ := range kinds {
		f := p.Func(i, typ)
		for range 20 {
			var args, before []reflect.Value
			for in := range typ.Ins() {
				v := reflect.New(in).Elem()
				if x := random(rng, in); x != nil {
					v.Set(reflect.ValueOf(x))
				}
				args, before = append(args, v), append(before, copied(v))
			}
			results := f.Call(args)
			for k := range args {
				if !same(results[k], before[k]) || !same(args[k], before[k]) {
					t.Fatalf("%s: %#v of %#v became %#v", typ, results[k], before[k], args[k])
				}
			}
		}
	}
}

var scalars = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[error](), reflect.TypeFor[int](), reflect.TypeFor[int8](),
	reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](),
	reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
}

// random returns a value of a type, often a special one.
func random(rng *rand.Rand, t reflect.Type) any {
	v := reflect.New(t).Elem()
	bits := rng.Uint64() >> rng.IntN(64)
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, rng.NormFloat64()}
	number := func() float64 { return special[rng.IntN(len(special))] }
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(bits&1 > 0)
	case reflect.String:
		v.SetString([]string{"", "\x00", "naïve", "\xff\xfe", strings.Repeat("long", 1000)}[rng.IntN(5)])
	case reflect.Interface:
		if rng.IntN(2) == 0 {
			return nil
		}
		return fmt.Errorf("error %d", bits)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(number())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(number(), number()))
	case reflect.Slice:
		if n := rng.IntN(7) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(t, n, n+rng.IntN(2)))
			for i := range n {
				v.Index(i).Set(reflect.ValueOf(random(rng, t.Elem())))
			}
		}
	default:
		if v.CanInt() {
			v.SetInt(int64(bits))
		} else {
			v.SetUint(bits)
		}
	}
	return v.Interface()
}

// copied returns a copy that shares no memory.
func copied(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice || v.IsNil() {
		return v
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		c.Index(i).Set(copied(v.Index(i)))
	}
	return c
}

// same is DeepEqual for which NaN equals itself, 0 is not -0, and errors are their texts.
func same(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case a.CanFloat():
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case a.CanComplex():
		return same(reflect.ValueOf(real(a.Complex())), reflect.ValueOf(real(b.Complex()))) && same(reflect.ValueOf(imag(a.Complex())), reflect.ValueOf(imag(b.Complex())))
	case a.Kind() == reflect.Interface && !a.IsNil() && !b.IsNil():
		if err, is := a.Interface().(error); is {
			return err.Error() == b.Interface().(error).Error()
		}
		return same(a.Elem(), b.Elem())
	case a.Kind() == reflect.Interface:
		return a.IsNil() == b.IsNil()
	}
	return a.Interface() == b.Interface()
}
