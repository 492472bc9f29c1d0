package support

import "reflect"

// selecting chooses a case of a select statement. Each case is given by three
// arguments: the channel, the location of the value received or sent, and whether it
// is a send. It returns the index of the case, or -1 for default.
func (r *Runtime) selecting(hasDefault bool, args ...any) (int, bool) {
	cases := make([]reflect.SelectCase, 0, len(args)/3+1)
	for i := 0; i < len(args); i += 3 {
		c := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(args[i])}
		if args[i+2].(bool) {
			c.Dir, c.Send = reflect.SelectSend, reflect.ValueOf(args[i+1]).Elem()
		}
		cases = append(cases, c)
	}
	if hasDefault {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
	} else {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.session.Stopped())})
	}
	i, v, ok := reflect.Select(cases)
	switch {
	case i < len(cases)-1:
	case hasDefault:
		return -1, false
	default: // the code is being stopped, see yaegi.Control
		return -1, false
	}
	if cases[i].Dir == reflect.SelectRecv {
		reflect.ValueOf(args[3*i+1]).Elem().Set(v)
	}
	return i, ok
}
