package symmom

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestZeroValues calls every method of zero values, with arguments that are zero values,
// too: nothing panics, and nothing is nil but what comes with an error.
func TestZeroValues(t *testing.T) {
	for _, zero := range []any{
		&Session{}, &Moment{}, &Fit{}, &Mixture{}, &ICA{}, // the stages
		&Model{}, &Score{}, &Sweep{}, &Evaluation{}, &MixtureErrors{},
		&RankSuggestion{}, &Summary{}, &Labels{}, &Agreement{}, &Description{}, &Diagnostics{},
	} {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			m := v.Method(i)
			t.Run(v.Type().Elem().Name()+"/"+v.Type().Method(i).Name, func(t *testing.T) {
				defer func() {
					if r := recover(); r != nil {
						t.Error("panics:", r)
					}
				}()
				var args []reflect.Value
				for k := range m.Type().NumIn() {
					switch in := m.Type().In(k); {
					case m.Type().IsVariadic() && k == m.Type().NumIn()-1:
					case in.Kind() == reflect.Pointer && strings.HasPrefix(in.Elem().PkgPath(), "symmom/"):
						args = append(args, reflect.New(in.Elem()))
					default:
						args = append(args, reflect.Zero(in))
					}
				}
				out := m.Call(args)
				if len(out) == 1 && out[0].Kind() == reflect.Pointer && out[0].IsNil() {
					t.Error("returns nil")
				}
			})
		}
	}
	for _, stage := range []interface{ Err() error }{&Session{}, &Moment{}, (&Session{}).Moment(3), (&Moment{}).Decompose(2)} {
		if !errors.Is(stage.Err(), ErrNoData) {
			t.Errorf("%T: %v", stage, stage.Err())
		}
	}
	if score, saved := (&Fit{}).Score(nil).Err(), (&Fit{}).Save(t.TempDir()+"/m.json"); score == nil || saved == nil {
		t.Errorf("an empty fit is scored (%v) and saved (%v)", score, saved)
	}
}
