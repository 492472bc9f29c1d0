//go:build e2e

package solve

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"
)

// TestAdamAgainstNumPy compares whole runs with the port of tt_opt_adam.m in
// testdata. SYMMOM_PYTHON names a Python that has numpy.
func TestAdamAgainstNumPy(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set; set it to the Python of an environment with numpy and scipy")
	}
	var stderr bytes.Buffer
	cmd := exec.Command(python, "testdata/adam.py", "1", "2", "7", "40", "300")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", python, err, stderr.Bytes())
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for range 5 {
		var want struct {
			N, Iterations int
			F             float64
			X, Trace      []float64
		}
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		p := &noisy{n: want.N}
		var trace []float64
		got, err := Adam(p.gradient, p.estimate, p.x0(), Settings{Recorder: func(it Iterate) { trace = append(trace, it.F) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("n=%d: f %v after %d iterations, NumPy %v after %d", want.N, got.F, got.Iterations, want.F, want.Iterations)
		if got.Status != Stalled || got.Iterations != want.Iterations || len(trace) != len(want.Trace) {
			t.Fatalf("n=%d: %v after %d iterations, %d estimates; NumPy %d, %d", want.N, got.Status, got.Iterations, len(trace), want.Iterations, len(want.Trace))
		}
		for i, v := range want.X {
			if !(math.Abs(got.X[i]-v) <= adamTol) {
				t.Errorf("n=%d: x[%d] = %v, NumPy %v", want.N, i, got.X[i], v)
			}
		}
		for i, v := range want.Trace {
			if !(math.Abs(trace[i]-v) <= adamTol*max(1, v)) {
				t.Errorf("n=%d: estimate %d is %v, NumPy %v", want.N, i, trace[i], v)
			}
		}
	}
}
