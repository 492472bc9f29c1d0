package repl

import (
	"fmt"
	"testing"

	"symmom/repl/internal/yaegi"
)

// Slots at the top level of the interpreter stay where they are while cells come
// and go: goroutines use them without a lock.
func TestPlacesStay(t *testing.T) {
	s := newSession(t)
	s.must(t, "x := 1")
	places, _ := yaegi.Globals(s.interp)
	if used := len(yaegi.GlobalTypes(s.interp)); used == 0 || len(*places) < used+yaegi.Spare/2 {
		t.Fatalf("%d places for %d variables: the interpreter has another form", len(*places), used)
	}
	first, used := &(*places)[0], len(yaegi.GlobalTypes(s.interp))
	for i := range 30 {
		s.must(t, fmt.Sprintf("v%d := x\nfunc f%[1]d() int { return v%[1]d }\nf%[1]d()", i))
	}
	if now := len(yaegi.GlobalTypes(s.interp)); now <= used {
		t.Errorf("%d variables after 30 cells, %d before", now, used)
	}
	if &(*places)[0] != first {
		t.Error("the places have moved")
	}
	for i := 0; len(yaegi.GlobalTypes(s.interp)) <= used+yaegi.Spare; i++ {
		s.must(t, fmt.Sprintf("w%d := v1\nw%[1]d", i))
	}
	if &(*places)[0] == first {
		t.Error("the places have not moved: nobody has made more")
	}
	if got := s.must(t, "f7() + w3"); got != "2" {
		t.Error(got)
	}
}
