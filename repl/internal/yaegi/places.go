package yaegi

import (
	"reflect"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Spare is the number of slots at the top level of the interpreter beyond those in
// use.
const Spare = 512

// MakeGlobals adds slots for the variables of compiled code before it runs. yaegi
// would do so itself, moving all slots whenever it needs more, while other cells and
// goroutines of earlier ones use theirs, which the race detector reports, though they
// find the same variables in both. With spare slots they move when no other code runs,
// except after a hundred cells in the meantime. If the version differs, MakeGlobals
// does nothing.
func MakeGlobals(i *interp.Interpreter, alone bool) {
	places, lock := Globals(i)
	kinds := GlobalTypes(i)
	lock.Lock() // a cell that ends empties the place of its body
	defer lock.Unlock()
	if len(*places) == 0 {
		return
	}
	if spare := len(*places) - len(kinds); spare < 0 || alone && spare < Spare/2 {
		more := make([]reflect.Value, len(kinds)+max(Spare, len(kinds)/8))
		copy(more, *places)
		*places = more
	}
	for j := len(kinds) - 1; j >= 0 && !(*places)[j].IsValid(); j-- {
		(*places)[j] = reflect.New(kinds[j]).Elem()
	}
}

// GlobalTypes returns the types of the slots at the top level.
func GlobalTypes(i *interp.Interpreter) []reflect.Type {
	top := reflect.ValueOf(i).Elem().FieldByName("universe")
	if top.Kind() == reflect.Pointer && !top.IsNil() && top.Elem().Kind() == reflect.Struct {
		if f := top.Elem().FieldByName("types"); f.IsValid() && f.Type() == reflect.TypeFor[[]reflect.Type]() {
			return *(*[]reflect.Type)(unsafe.Pointer(f.UnsafeAddr()))
		}
	}
	return nil
}
