package yaegi

import (
	"reflect"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Spare is how many places the top of the interpreter has beyond those in use.
const Spare = 512

// MakeGlobals gives what was compiled its places at the top of the interpreter,
// before it runs. yaegi would do so itself, by moving all places whenever
// there are more; goroutines of earlier cells look for theirs meanwhile. With
// some to spare the places move once in some hundred cells. In a version that
// has another form, nothing is done.
func MakeGlobals(i *interp.Interpreter) {
	places, lock := Globals(i)
	kinds := GlobalTypes(i)
	if len(*places) == 0 {
		return
	}
	if len(*places) < len(kinds) {
		more := make([]reflect.Value, len(kinds)+max(Spare, len(kinds)/8))
		copy(more, *places)
		lock.Lock()
		*places = more
		lock.Unlock()
	}
	for j := len(kinds) - 1; j >= 0 && !(*places)[j].IsValid(); j-- {
		(*places)[j] = reflect.New(kinds[j]).Elem()
	}
}

// GlobalTypes are the types of the places at the top.
func GlobalTypes(i *interp.Interpreter) []reflect.Type {
	top := reflect.ValueOf(i).Elem().FieldByName("universe")
	if top.Kind() == reflect.Pointer && !top.IsNil() && top.Elem().Kind() == reflect.Struct {
		if f := top.Elem().FieldByName("types"); f.IsValid() && f.Type() == reflect.TypeFor[[]reflect.Type]() {
			return *(*[]reflect.Type)(unsafe.Pointer(f.UnsafeAddr()))
		}
	}
	return nil
}
