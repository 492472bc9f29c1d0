//go:build e2e

package spark_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"symmom/internal/columnar"
	"symmom/spark"
	"symmom/symmom"
)

// table writes observations of n variables around four means to 8 Parquet files.
func table(t *testing.T, rows, n int) (pattern string) {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(19, 1))
	means := make([]float64, 4*n)
	for i := range means {
		means[i] = rng.NormFloat64() / math.Sqrt(float64(n))
	}
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	for file := range 8 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("part-%d.parquet", file)))
		if err != nil {
			t.Fatal(err)
		}
		w, err := columnar.NewWriter(f, "parquet", names, false)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, rows*n)
		for l := range rows {
			mean := means[rng.IntN(4)*n:]
			for j := range n {
				values[l*n+j] = mean[j] + .02*rng.NormFloat64()
			}
		}
		if err := errors.Join(w.Write(values), w.Close()); err != nil {
			t.Fatal(err)
		}
		_ = f.Close() // the writer has closed it, or not
	}
	return filepath.Join(dir, "*.parquet")
}

// numbers are all that a fit has found.
func numbers(f *symmom.Fit) []float64 {
	m := f.Model
	v := append([]float64{f.ObjectiveShifted, f.RelativeError, f.NormSquared.Value}, m.Lambda...)
	r, c := m.Factors.Dims()
	for i := range r {
		for j := range c {
			v = append(v, m.Factors.At(i, j))
		}
	}
	return v
}

func TestCluster(t *testing.T) {
	pattern := table(t, 1500, 40)
	local := symmom.Load(pattern).Moment(3).Compressed(0).Decompose(4)
	if local.Err() != nil {
		t.Fatal(local.Err())
	}
	c := start(t)
	c.awaitExecutors(1)
	t.Cleanup(spark.Close)

	// This program is sent to the cluster: one executor, then two.
	open := func(ctx context.Context) *symmom.Session {
		e := symmom.Environment{Context: func() context.Context { return ctx }}
		s := e.Stream(pattern, symmom.LoadOptions{Spark: c.url()})
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		return s
	}
	s := open(t.Context())
	if s.Observations() != 12000 || s.N() != 40 {
		t.Errorf("%v", s)
	}
	began := time.Now()
	one := s.Moment(3).Decompose(4)
	if one.Err() != nil {
		t.Fatal(one.Err())
	}
	t.Logf("one executor: %d passes in %v", one.DataPasses, time.Since(began))
	// Gauss-Newton ends where the gradient is below 1e-6 or so of its size, and f is
	// flat there; ||X||^2 is exact for neither.
	if d := math.Abs(one.ObjectiveShifted/local.ObjectiveShifted - 1); d > 1e-9 {
		t.Errorf("f = %v, want %v", one.ObjectiveShifted, local.ObjectiveShifted)
	}
	if score := one.Score(local.Model.Factors); score.Err() != nil || score.Value < 1-1e-6 {
		t.Errorf("scored against the local fit: %v", score)
	}
	c.addWorker()
	c.awaitExecutors(2)
	again := open(t.Context())
	began = time.Now()
	two := again.Moment(3).Decompose(4)
	if two.Err() != nil {
		t.Fatal(two.Err())
	}
	t.Logf("two executors: %d passes in %v", two.DataPasses, time.Since(began))
	if !slices.Equal(numbers(one), numbers(two)) {
		t.Errorf("two executors give other bits: %v and %v", numbers(two), numbers(one))
	}
	if d, e := s.Fingerprint(), again.Fingerprint(); d == "" || d != e {
		t.Errorf("fingerprints %q and %q", d, e)
	}

	t.Run("killed", func(t *testing.T) {
		var killed atomic.Bool
		o := symmom.Options{Progress: func(p symmom.Progress) {
			if p.Phase == symmom.PhasePolish && p.Pass > 0 && killed.CompareAndSwap(false, true) {
				pid := c.executor(1)
				if pid == 0 || syscall.Kill(pid, syscall.SIGKILL) != nil {
					t.Error("there is no executor to kill")
				}
			}
		}}
		f := s.Moment(3).With(o).Decompose(4)
		if f.Err() != nil || !killed.Load() || !slices.Equal(numbers(one), numbers(f)) {
			t.Errorf("an executor was killed (%v): %v", killed.Load(), f)
		}
		c.awaitExecutors(2)
	})

	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var begun atomic.Bool
		at := make(chan time.Time, 1)
		o := symmom.Options{Progress: func(p symmom.Progress) {
			if p.Phase == symmom.PhasePolish && p.Pass > 1 && begun.CompareAndSwap(false, true) {
				time.AfterFunc(200*time.Millisecond, func() { at <- time.Now(); cancel() }) // while tasks run
			}
		}}
		f := s.WithContext(ctx).Moment(3).With(o).Decompose(4)
		if !begun.Load() {
			t.Fatal("there was no second pass to interrupt")
		}
		took := time.Since(<-at)
		if !errors.Is(f.Err(), symmom.ErrInterrupted) || f.Model == nil {
			t.Errorf("interrupted: %v", f)
		}
		t.Logf("back %v after the interrupt", took)
		if took > 2*time.Second {
			t.Errorf("back %v after the interrupt, want 2 s", took)
		}
		for began := time.Now(); c.running() > 0; time.Sleep(50 * time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatal("a job still runs")
			}
		}
	})

	t.Run("refused", func(t *testing.T) {
		if f := s.Moment(3).Implicit().Decompose(4); f.Err() == nil || !strings.Contains(f.Err().Error(), "hundreds of passes") {
			t.Errorf("the implicit form: %v", f.Err())
		}
		if x := s.Standardize(); x.Err() == nil || !strings.Contains(x.Err().Error(), "they stay on Spark at") {
			t.Errorf("standardized: %v", x.Err())
		}
	})

	t.Run("no worker", func(t *testing.T) {
		s := symmom.Stream(pattern, symmom.LoadOptions{Spark: c.url(), SparkWorker: "/no/such/symmom"})
		if s.Err() == nil || !strings.Contains(s.Err().Error(), "check the path of the worker") {
			t.Errorf("a worker that is not there: %v", s.Err())
		}
	})

	t.Run("removed", func(t *testing.T) {
		victim := strings.Replace(pattern, "*", "part-3", 1)
		if err := os.Rename(victim, victim+".away"); err != nil {
			t.Fatal(err)
		}
		f := s.Moment(3).Decompose(4)
		if f.Err() == nil || !strings.Contains(f.Err().Error(), victim) || strings.Contains(f.Err().Error(), "\n") {
			t.Errorf("a shard that was removed: %v", f.Err())
		}
		if err := os.Rename(victim+".away", victim); err != nil {
			t.Fatal(err)
		}
	})

	t.Run("gone", func(t *testing.T) {
		if s := symmom.Stream(pattern, symmom.LoadOptions{Spark: fmt.Sprintf("sc://127.0.0.1:%d", port(t))}); s.Err() == nil || !strings.Contains(s.Err().Error(), "cannot be reached") {
			t.Errorf("no server: %v", s.Err())
		}
		// The server goes in the middle of a fit.
		var once atomic.Bool
		o := symmom.Options{Progress: func(p symmom.Progress) {
			if p.Phase == symmom.PhasePolish && p.Pass > 1 && once.CompareAndSwap(false, true) {
				kill(c.server)
			}
		}}
		f := s.Moment(3).With(o).Decompose(4)
		if f.Err() == nil || !strings.Contains(f.Err().Error(), "cannot be reached") || strings.Contains(f.Err().Error(), "\n") || f.Model == nil {
			t.Errorf("a server that went: %v", f)
		}
		t.Logf("the server went: %v", f.Err())
	})
}
