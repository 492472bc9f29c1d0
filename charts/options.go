package charts

import (
	"fmt"
	"reflect"
)

// atMostOne returns the options of a variadic parameter, or the zero value, which
// means the defaults, if there are none.
func atMostOne[T any](options []T) (o T, err error) {
	if len(options) > 1 {
		return o, fmt.Errorf("give at most one %s", reflect.TypeFor[T]().Name())
	}
	if len(options) == 1 {
		o = options[0]
	}
	return o, nil
}
