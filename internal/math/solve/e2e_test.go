//go:build e2e

package solve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// TestAgainstSciPy compares values reached and evaluations with SciPy's
// L-BFGS-B. SYMMOM_PYTHON names a Python that has numpy and scipy.
func TestAgainstSciPy(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set; set it to the Python of an environment with numpy and scipy")
	}
	problems := map[string]problem{}
	for _, p := range standardProblems() {
		problems[p.name] = p
	}
	for _, p := range hockSchittkowski() {
		problems[p.name] = p.problem
	}
	c := cubeSum(20, 4)
	problems[c.name] = c
	c.lower = make([]float64, len(c.x0))
	problems["cubeSum nonnegative"] = c

	for _, run := range []struct {
		name string
		s    Settings
		// factor bounds the evaluations from above, as a multiple of SciPy's,
		// after ten for free. The paths agree at first except for the first step
		// (at most 1 here), then rounding takes them apart.
		factor float64
		tol    float64 // of f, relative above 1
	}{
		// The defaults stop at a gradient of 1e-4, so values differ by its
		// square over the least curvature.
		{"default", Settings{}, 1.3, 1e-5},
		{"tight", tight, 1.3, 1e-10},
	} {
		t.Run(run.name, func(t *testing.T) {
			s, err := check(c.fn(), c.x0, run.s)
			if err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			cmd := exec.Command(python, "testdata/scipy_lbfgsb.py",
				strconv.FormatFloat(max(s.RelativeDecrease, 0), 'g', -1, 64), strconv.FormatFloat(s.GradientTolerance, 'g', -1, 64))
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", python, err, stderr.Bytes())
			}
			dec := json.NewDecoder(bytes.NewReader(out))
			total, totalSciPy, seen := 0, 0, 0
			for {
				var want struct {
					Name                    string
					F                       float64
					X                       []float64
					Evaluations, Iterations int
					Message                 string
				}
				if err := dec.Decode(&want); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				p, ok := problems[want.Name]
				if !ok {
					t.Fatalf("no problem %q", want.Name)
				}
				seen++
				g := make([]float64, len(p.x0))
				if f := p.fg(want.X, g); !(math.Abs(f-want.F) <= 1e-12*max(1, math.Abs(f))) {
					t.Errorf("%s is another problem: f = %v at SciPy's minimum, SciPy has %v", want.Name, f, want.F)
				}
				s.Lower, s.Upper = p.lower, p.upper
				got, err := LBFGS(p.fn(), p.x0, s)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%-20s f %-13.8g SciPy %-13.8g iterations %d/%d evaluations %d/%d %v | %s",
					want.Name, got.F, want.F, got.Iterations, want.Iterations, got.Evaluations, want.Evaluations, got.Status, want.Message)
				if got.F > want.F+run.tol*max(1, math.Abs(want.F)) {
					t.Errorf("%s: f = %v, SciPy reaches %v", want.Name, got.F, want.F)
				}
				if float64(got.Evaluations) > run.factor*float64(want.Evaluations)+10 {
					t.Errorf("%s: %d evaluations, SciPy %d", want.Name, got.Evaluations, want.Evaluations)
				}
				total += got.Evaluations
				totalSciPy += want.Evaluations
			}
			if seen != 13 {
				t.Errorf("%d problems were compared, want 13", seen)
			}
			t.Logf("evaluations together: %d, SciPy %d", total, totalSciPy)
		})
	}
}
