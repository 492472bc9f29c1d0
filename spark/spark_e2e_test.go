//go:build e2e

package spark_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"symmom/internal/cluster/passes"
	"symmom/internal/data/columnar"
	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/system/clock"
	"symmom/internal/test/s3server"
	"symmom/spark"
	"symmom/symmom"
)

// The suite takes a small table; `scripts/nightly.sh cluster` takes one of 60,000 x 500.
var (
	perFile   = flag.Int("rows", 1500, "observations in each of the 8 files")
	variables = flag.Int("variables", 40, "variables")
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
	began := time.Now()
	p, n := 8**perFile, *variables
	pattern := table(t, *perFile, n)
	local := symmom.Load(pattern)
	want := local.Moment(3).Compressed(0).Decompose(4)
	if want.Err() != nil {
		t.Fatal(want.Err())
	}
	c := start(t)
	t.Cleanup(spark.Close)
	t.Logf("the cluster is up after %v", time.Since(began))

	// This program is sent to the cluster.
	s := symmom.Stream(pattern, symmom.LoadOptions{Spark: c.url()})
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	if s.Observations() != p || s.N() != n {
		t.Errorf("%v", s)
	}
	began = time.Now()
	two := s.Moment(3).Decompose(4)
	if two.Err() != nil {
		t.Fatal(two.Err())
	}
	t.Logf("%d passes in %v", two.DataPasses, time.Since(began))
	// Gauss-Newton ends where the gradient is below 1e-6 or so of its size, and f is
	// flat there; ||X||^2 is exact for neither.
	if d := math.Abs(two.ObjectiveShifted/want.ObjectiveShifted - 1); d > 1e-9 {
		t.Errorf("f = %v, want %v", two.ObjectiveShifted, want.ObjectiveShifted)
	}
	if score := two.Score(want.Model.Factors); score.Err() != nil || score.Value < 1-1e-6 {
		t.Errorf("scored against the local fit: %v", score)
	}

	// Where ||X||^2 takes the tensor, polishing evaluates that. Of this order it makes passes.
	const passing = 5
	undisturbed := s.Moment(passing).Decompose(4)
	if undisturbed.Err() != nil {
		t.Fatal(undisturbed.Err())
	}
	// disturbed does something while the first pass of polishing is under way.
	disturbed := func(t *testing.T, s *symmom.Session, do func() error) *symmom.Fit {
		t.Helper()
		var once sync.Once
		ended, did := make(chan struct{}), make(chan error, 1)
		o := symmom.Options{Progress: func(p symmom.Progress) {
			if p.Phase != symmom.PhasePolish || p.Pass == 0 {
				return
			}
			once.Do(func() {
				go func() {
					var jobs []struct{ Status string }
					for c.ask("/jobs?status=running", &jobs) == nil && len(jobs) == 0 {
						select {
						case <-ended:
							did <- errors.New("no job ran")
							return
						case <-time.After(5 * time.Millisecond):
						}
					}
					did <- do()
				}()
			})
		}}
		f := s.Moment(passing).With(o).Decompose(4)
		close(ended)
		once.Do(func() { did <- errors.New("polishing made no pass") })
		if err := <-did; err != nil {
			t.Fatal(err)
		}
		return f
	}

	t.Run("sweep", func(t *testing.T) {
		before := c.jobs("")
		w := s.Moment(3).With(symmom.Options{Starts: 3, Tolerance: 1e-2}).Sweep(3, 7)
		if w.Err() != nil || len(w.Fits) != 5 {
			t.Fatal(w)
		}
		passes, compressing := 0, 0
		for i, r := range w.Fits {
			passes += r.DataPasses
			for _, p := range r.Phases {
				if p.Phase == symmom.PhaseBasis || p.Phase == symmom.PhaseProjection {
					if compressing += p.Passes; i > 0 && p.Passes > 0 {
						t.Errorf("rank %d: %d passes to compress again", r.Rank, p.Passes)
					}
				}
			}
		}
		// The passes that are counted are the jobs that took place, with one for ||X||^2.
		if jobs := c.jobs("") - before; jobs != passes+1 || compressing < 2 || compressing > 3 {
			t.Errorf("%d jobs, %d passes, %d of them to compress", jobs, passes, compressing)
		}
		if e := w.Fits[1].RelativeError; !(e < w.Fits[0].RelativeError) || math.Abs(e-two.RelativeError) > 1e-3 {
			t.Errorf("%v, of rank 4 alone %v", w, two.RelativeError)
		}
		t.Logf("%d passes, %d of them to compress", passes, compressing)
	})

	t.Run("mixture", func(t *testing.T) {
		o := symmom.MixtureOptions{Covariance: symmom.CovarianceDiagonal, Starts: 2}
		f, want := s.Mixture(4, o), local.Mixture(4, o)
		if f.Err() != nil || want.Err() != nil {
			t.Fatal(f, want)
		}
		// EM ends where a step gains less than 1e-6 for each observation.
		if math.Abs(f.LogLikelihood-want.LogLikelihood) > 1e-6*float64(p) {
			t.Errorf("log-likelihood %v, here %v", f.LogLikelihood, want.LogLikelihood)
		}
		if e := f.Score(want.Means); e.Err() != nil || e.Distance > 1e-3 {
			t.Errorf("means: %v, %v", e, e.Err())
		}
		t.Logf("%d passes, %d of EM", f.DataPasses, f.Iterations)

		// A picture takes no pass: its observations came when the table was opened.
		jobs := c.jobs("")
		rows, index, err := s.Subsample(100, 1)
		if err != nil {
			t.Fatal(err)
		}
		components, err := f.PredictRows(s, rows)
		if now := c.jobs(""); err != nil || now != jobs {
			t.Errorf("%v, %d jobs", err, now-jobs)
		}
		all, err := f.Predict(local)
		for i, l := range index {
			if err != nil || components[i] != all[l] {
				t.Fatalf("observation %d: component %d, of all %v", l, components[i], err)
			}
		}

		// Fits of a range are those alone, and share the covariance.
		jobs = c.jobs("")
		several := s.Mixtures(3, 4, o)
		if several.Err() != nil || len(several.Fits) != 2 {
			t.Fatal(several)
		}
		four, passes := several.Fits[1], several.Fits[0].DataPasses+several.Fits[1].DataPasses
		if four.LogLikelihood != f.LogLikelihood || four.BIC != f.BIC || four.ICL != f.ICL || four.DataPasses != f.DataPasses-1 {
			t.Errorf("%v\nalone %v", four, f)
		}
		if now := c.jobs("") - jobs; now != passes {
			t.Errorf("%d jobs, %d passes", now, passes)
		}
	})

	t.Run("topics", func(t *testing.T) { runTopics(t, c) })

	t.Run("info", func(t *testing.T) {
		got, want := s.Summary(), local.Summary()
		if got.Err() != nil || len(got.Eigenvalues) != n || got.Density != want.Density {
			t.Fatal(got)
		}
		for i, v := range got.Variables {
			if w := want.Variables[i]; v.Min != w.Min || v.Max != w.Max || math.Abs(v.Mean-w.Mean) > 1e-12 || math.Abs(v.Std-w.Std) > 1e-12 || v.Name != w.Name {
				t.Errorf("%+v, want %+v", v, w)
			}
		}
		if d := math.Abs(got.Eigenvalues[0]/want.Eigenvalues[0] - 1); d > 1e-12 {
			t.Errorf("%v, want %v", got.Eigenvalues, want.Eigenvalues)
		}
	})

	t.Run("merged", func(t *testing.T) {
		defer func(fan int, bytes float64) { passes.LeastFan, passes.MostTogether = fan, bytes }(passes.LeastFan, passes.MostTogether)
		passes.LeastFan = 3 // of 8 splits
		e, err := passes.Connect(c.url(), "")
		if err != nil {
			t.Fatal(err)
		}
		x, err := passes.Open(t.Context(), e, pattern, load.Options{}) // the survey is merged
		if err != nil {
			t.Fatal(err)
		}
		orders := []int{3, 2}
		if n > 100 {
			orders = []int{2, 1} // the third moment of 500 variables has 21 million entries
		}
		var all [][]float64
		for _, passes.MostTogether = range []float64{256e6, 0} {
			sum, ok := x.Storage.(block.Far).Sum(t.Context(), block.Pass{Kind: moment.Moments, Orders: orders, Unit: 1, Data: [][]float64{nil, nil}}, nil)
			if !ok {
				t.Fatal(x.Err())
			}
			all = append(all, sum)
		}
		if x.P != p || len(all[0]) < 10000 || !slices.Equal(all[0], all[1]) {
			t.Error("sums that workers add up are others")
		}
	})

	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var watch *clock.Watch
		f := disturbed(t, s.WithContext(ctx), func() error { watch = clock.Start(); cancel(); return nil })
		wall, took := watch.Took()
		if !errors.Is(f.Err(), symmom.ErrInterrupted) || f.Model == nil {
			t.Errorf("interrupted: %v", f)
		}
		t.Logf("back %v after the interrupt, %v without what others computed", wall, took)
		if took > 2*time.Second {
			t.Errorf("back %v after the interrupt, want 2 s", took)
		}
		for began := time.Now(); c.jobs("running") > 0; time.Sleep(50 * time.Millisecond) {
			if time.Since(began) > patience {
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
		if s := symmom.Stream(pattern, symmom.LoadOptions{Spark: c.url(), SparkWorker: "/no/such/symmom"}); s.Err() == nil || !strings.Contains(s.Err().Error(), "check the path of the worker") {
			t.Errorf("a worker that is not there: %v", s.Err())
		}
	})

	t.Run("removed", func(t *testing.T) {
		victim := strings.Replace(pattern, "*", "part-3", 1)
		whole, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"removed": func() error { return os.Remove(victim) },
			"cut":     func() error { return os.WriteFile(victim, whole[:len(whole)/2], 0o666) },
		} {
			if err := do(); err != nil {
				t.Fatal(err)
			}
			f := s.Moment(3).Decompose(4)
			if f.Err() == nil || !strings.Contains(f.Err().Error(), victim) || strings.Contains(f.Err().Error(), "\n") {
				t.Errorf("a shard that was %s: %v", what, f.Err())
			}
			t.Logf("a shard that was %s: %v", what, f.Err())
		}
		if err := os.WriteFile(victim, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	})

	t.Run("notebook", func(t *testing.T) { runNotebook(t, c.url()) })

	// without kills a process while the first pass of polishing is under way, and fits on.
	without := func(t *testing.T, pid int) *symmom.Fit {
		t.Helper()
		f := disturbed(t, s, func() error { return syscall.Kill(pid, syscall.SIGKILL) })
		if f.Err() != nil || !slices.Equal(numbers(undisturbed), numbers(f)) {
			t.Fatalf("a process was killed: %v", f)
		}
		return f
	}

	t.Run("executor killed", func(t *testing.T) {
		without(t, c.executor(1))
		c.awaitExecutors(2)
	})

	// The worker's executor ends with it: from there on the fit is that of one executor.
	t.Run("worker killed", func(t *testing.T) {
		began := time.Now()
		executor, worker := c.executor(1), c.java(1, "deploy.worker.Worker")
		f := without(t, worker)
		c.awaitExecutors(1)
		if alive(executor) || alive(worker) {
			t.Error("the worker or its executor is still there")
		}
		one := s.Moment(passing).Decompose(4)
		if one.Err() != nil || !slices.Equal(numbers(undisturbed), numbers(one)) {
			t.Errorf("one executor gives other bits than two: %v and %v", numbers(one), numbers(undisturbed))
		}
		t.Logf("%d passes while a worker went and %d without it in %v", f.DataPasses, one.DataPasses, time.Since(began))
	})

	t.Run("gone", func(t *testing.T) {
		if s := symmom.Stream(pattern, symmom.LoadOptions{Spark: fmt.Sprintf("sc://127.0.0.1:%d", s3server.Take(t))}); s.Err() == nil || !strings.Contains(s.Err().Error(), "cannot be reached") {
			t.Errorf("no server: %v", s.Err())
		}
		// The server goes in the middle of a fit.
		f := disturbed(t, s, func() error { kill(c.server); return nil })
		if f.Err() == nil || !strings.Contains(f.Err().Error(), "cannot be reached") || strings.Contains(f.Err().Error(), "\n") || f.Model.Rank() != 4 || f.Score(want.Model.Factors).Value < .9 {
			t.Errorf("a server that went: %v", f)
		}
		t.Logf("the server went: %v", f.Err())
	})
}
