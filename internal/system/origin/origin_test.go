package origin

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"testing"
)

type named struct{}

func name(ctx context.Context) any { return ctx.Value(named{}) }

func as(x string) context.Context { return context.WithValue(context.Background(), named{}, x) }

// A goroutine has the origin of the one that started it, as long as the call lasts.
func TestGoroutinesHaveTheOriginOfTheirStarter(t *testing.T) {
	if Context() != context.Background() || Label() != "" {
		t.Error("there is an origin before any was set")
	}
	there, end := make(chan context.Context), make(chan bool)
	With(as("a"), func() {
		go func() {
			there <- Context()
			<-end
			there <- Context()
		}()
		if got := name(<-there); got != "a" {
			t.Errorf("a goroutine has the origin %v, want a", got)
		}
		With(as("b"), func() {
			if got := name(Context()); got != "b" {
				t.Errorf("the origin within is %v, want b", got)
			}
		})
		if got := name(Context()); got != "a" {
			t.Errorf("the origin is %v afterwards, want a", got)
		}
		var b bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil || !strings.Contains(b.String(), Label()) {
			t.Errorf("no %s in the profile: %v\n%s", Label(), err, &b)
		}
	})
	close(end)
	if got := <-there; got != context.Background() {
		t.Errorf("after the call the goroutine has the origin %v", got)
	}
	if Context() != context.Background() {
		t.Error("the origin has outlived the call")
	}
}
