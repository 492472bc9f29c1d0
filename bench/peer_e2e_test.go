//go:build e2e

package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/norm"
	"symmom/symmom"
)

// trial returns a bench on small problems, with a peer.
func trial(t *testing.T) *bench {
	t.Helper()
	b := &bench{ctx: t.Context(), dir: t.TempDir(), core: lastCore(), quick: true, rounds: 1, seconds: 1e-3}
	var err error
	if b.peer, err = startPeer(context.Background(), os.Getenv("SYMMOM_PYTHON"), b.dir, peerSource, b.core, 1); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.peer.close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Every variant of the peer computes what symmom computes: contest fails
// where they differ by more than the rounding of the sums.
func TestPeerComputesTheSame(t *testing.T) {
	b := trial(t)
	s := &section{}
	for _, q := range []problem{{3, 9, 130, 4, 1, 1, 1, .1}, {4, 6, 700, 2, 1, 1, 0, 0}, {5, 6, 70, 2, 1, 0, 0, 0}} {
		set, err := b.uniform(q.n, q.p)
		if err != nil {
			t.Fatal(err)
		}
		x, err := b.load(set)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.implicitRows(s, q, x); err != nil {
			t.Error(q, err)
		}
		var theirs struct{ Value float64 }
		if err := b.peer.ask(request{"do": "norm", "d": q.d}, &theirs); err != nil {
			t.Fatal(err)
		}
		if alpha, err := norm.Squared(b.ctx, x, q.d, 1, 1); err != nil || !agree(theirs.Value, alpha, agreement) {
			t.Errorf("%s: ||X||^2 %v and %v, %v", q, theirs.Value, alpha, err)
		}
		if q.explicit == 0 {
			continue
		}
		if err := b.explicitRow(s, q, x); err != nil {
			t.Error(q, err)
		}
		for _, how := range []string{"gemm", "transposed", "chains"} {
			var a timed
			if err := b.peer.ask(request{"do": "time", "how": how, "d": q.d, "r": q.r, "x": point(q.n, q.r), "seconds": 0}, &a); err != nil {
				t.Fatal(err)
			}
			evaluate, _ := evaluator(&moment.Implicit{Data: x, D: q.d}, q.r, point(q.n, q.r), 1)
			if f, g := evaluate(); !agree(f, a.F, agreement) || !agree(linalg.NormInf(g), a.G, agreement) {
				t.Errorf("%s %s: f %v, want %v", q, how, a.F, f)
			}
		}
	}
	if len(s.rows) != 6 {
		t.Errorf("%d rows, want 4 implicit or float32 and 2 explicit", len(s.rows))
	}
}

// So it does on sparse observations.
func TestPeerComputesTheSameOfSparse(t *testing.T) {
	if s, err := trial(t).sparse(); err != nil || len(s.rows) != 4 {
		t.Errorf("%v, %v", s, err)
	}
}

// Both find the solution of an easy mixture.
func TestPeerSolvesTheSame(t *testing.T) {
	b := trial(t)
	const d, r = 3, 2
	s, err := b.gaussians(20, r, 100, .01)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.loadPeer(s); err != nil {
		t.Fatal(err)
	}
	var theirs, ours found
	if _, err := turns(b.ctx, 2, []entrant{
		b.solver(s, d, r, 64, 5, &theirs),
		b.decomposer(s, d, r, 1, 0, func(m *symmom.Moment) *symmom.Moment { return m }, &ours),
	}); err != nil {
		t.Fatal(err)
	}
	// Both stop at a gradient of 1e-4; f is quadratic in that, with curvature
	// of order 1/r, and lambda of order 1/r.
	if math.Abs(theirs.f-ours.f) > 1e-6 || theirs.score < .999 || ours.score < .999 {
		t.Errorf("NumPy %+v, symmom %+v", theirs, ours)
	}
	var adam lbfgs
	if err := b.peer.ask(request{"do": "adam", "d": d, "r": r, "s": 100, "starts": 10, "seed": 1, "block": 64, "truth": s.truth}, &adam); err != nil {
		t.Fatal(err)
	}
	// Adam ends near the solution, never below it.
	if adam.F < ours.f-1e-6 || adam.Score < .9 {
		t.Errorf("Adam: %+v, the solution %+v", adam, ours)
	}
}

func TestPeerSaysWhatFailed(t *testing.T) {
	b := trial(t)
	if err := b.peer.ask(request{"do": "load", "path": "no-such-file.npy"}, nil); err == nil || !strings.Contains(err.Error(), "no-such-file.npy") {
		t.Error(err)
	}
	if err := b.peer.ask(request{"do": "nonsense"}, nil); err == nil {
		t.Error("the peer does anything")
	}
}

// The whole program, with one section; the test does not judge the measurements.
func TestRunWritesTheReport(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "report.md")
	if err := run(t.Context(), []string{"-quick", "-only", "roofline", "-data", filepath.Join(dir, "data"), "-out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"peer: Python 3", "NumPy ", "-quick run", "## Roofline of one core", "reading 32 MiB"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
