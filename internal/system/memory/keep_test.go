package memory

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestKeep(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	debug.SetMemoryLimit(math.MaxInt64)
	t.Setenv("GOMEMLIMIT", "off")
	if Keep(); debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Error("GOMEMLIMIT is not heeded")
	}
	t.Setenv("GOMEMLIMIT", "")
	before := Free()
	Keep()
	got, after := float64(debug.SetMemoryLimit(-1)), Free()
	// Free memory changes from call to call with the load of the machine: by a half at most here.
	if got < .45*math.Min(before, after) || got > 1.8*math.Max(before, after) {
		t.Errorf("the collector keeps to %g bytes, of %g to %g that are free", got, before, after)
	}
}
