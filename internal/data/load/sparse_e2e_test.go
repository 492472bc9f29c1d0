//go:build e2e

package load

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"symmom/internal/moment/block"
	"testing"
	"time"
)

// TestSciPyWrites reads sparse matrices that SciPy and scikit-learn wrote: .npz in
// three formats, Matrix Market of all kinds, svmlight; and damaged ones.
func TestSciPyWrites(t *testing.T) {
	const cases = 60
	dir := t.TempDir()
	run(t, "testdata/sparse.py", dir, strconv.Itoa(cases))
	streams := 0
	for seed := range cases {
		for _, kind := range []string{".npz", ".mtx", ".svmlight"} {
			path := filepath.Join(dir, fmt.Sprintf("%04d%s", seed, kind))
			w := readWritten(t, path+".json")
			all := make([]int, len(w.Names))
			for j := range all {
				all[j] = j
			}
			set, err := Load(t.Context(), path, Options{})
			if err != nil {
				t.Errorf("%s: %v", w.About, err)
				continue
			}
			if err := sameBits(set.Values, w.whole(all)); err != nil || set.N != len(all) {
				t.Errorf("%s: %v", w.About, err)
			}
			checkNarrow(t, path, w, all, func(format string, args ...any) { t.Errorf("%s: "+format, append([]any{w.About}, args...)...) })
			checkSparse(t, w.About, path, set)
			streams += checkRows(t, w.About, path)
			if last := strconv.Itoa(set.N); set.N > 0 {
				part, err := Load(t.Context(), path, Options{Columns: []string{last}})
				if err == nil {
					err = sameBits(part.Values, w.whole(all[set.N-1:]))
				}
				if err != nil {
					t.Errorf("%s, column %s: %v", w.About, last, err)
				}
			}
		}
	}
	if streams < cases {
		t.Errorf("only %d of %d files could be streamed", streams, 3*cases)
	}
	for _, kind := range []string{"npz", "mtx", "svmlight"} {
		damageSparse(t, dir, kind, cases)
	}
}

// checkRows streams a file, which gives the same values or says that rows are not one after the
// other. It returns 1 if it does the first.
func checkRows(t *testing.T, about, path string) int {
	want, wrong := Load(t.Context(), path, Options{Sparse: true})
	s, err := OpenStream(t.Context(), path, Options{Sparse: true}, nil)
	if err != nil {
		if !strings.Contains(err.Error(), "a stream reads one row after the other") && fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Errorf("%s: %v, want %v", about, err, wrong)
		}
		return 0
	}
	mark, err := s.Fingerprint(t.Context())
	if err != nil || mark != want.Fingerprint() || s.Sparse != (want.Sparse != nil) {
		t.Errorf("%s: the stream differs (%v)", about, err)
	}
	return 1
}

// checkSparse reads a file without its zeros: the same numbers, where few enough are
// not zero.
func checkSparse(t *testing.T, about, path string, dense *Set) {
	for _, single := range []bool{false, true} {
		sparse, err := Load(t.Context(), path, Options{Sparse: true, Float32: single})
		if err != nil {
			if !single { // a value may be too large
				t.Errorf("%s: %v", about, err)
			}
			continue
		}
		if sparse.Sparse == nil {
			continue
		}
		x := &block.SparseRows{P: sparse.P, N: sparse.N, Values: sparse.Sparse}
		var scratch []float64
		x.Pass(t.Context(), func(b block.Block) {
			for i, v := range b.Values(0, x.P, x.N, &scratch) {
				want := dense.Values[i]
				if single {
					want = float64(float32(want))
				}
				if v != want {
					t.Errorf("%s: value %d is %g, want %g", about, i, v, want)
				}
			}
		})
	}
}

// damageSparse damages files of one kind: each ends in one line that names the file,
// or in a table, within bounded time and memory.
func damageSparse(t *testing.T, dir, kind string, cases int) {
	slowest, largest, read := time.Duration(0), uint64(0), 0
	damaged := filepath.Join(t.TempDir(), "x."+kind)
	for seed := range uint64(10 * *damages) {
		rng := rand.New(rand.NewPCG(seed, 1))
		whole, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%04d.%s", rng.IntN(cases), kind)))
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) < 64 {
			continue
		}
		b := damage(whole, rng)
		if kind == "mat" && rng.IntN(2) == 0 { // the headers of the file and of its first variable
			head := min(len(whole), 300)
			b = append(damage(whole[:head:head], rng), whole[head:]...)
		}
		if (kind == "mtx" || kind == "svmlight") && rng.IntN(2) == 0 { // digits stay digits
			b = append([]byte{}, whole...)
			for range 1 + rng.IntN(4) {
				at := rng.IntN(min(len(b), 100+rng.IntN(len(b))))
				b[at] = "0123456789-. :e\n"[rng.IntN(16)]
			}
		}
		if err := os.WriteFile(damaged, b, 0o666); err != nil {
			t.Fatal(err)
		}
		began, before := time.Now(), allocated()
		o := Options{Missing: MissingDrop, Sparse: seed%2 == 0}
		if seed%3 == 0 && kind != "mat" {
			_, err = OpenStream(t.Context(), damaged, o, nil)
		} else {
			_, err = Load(t.Context(), damaged, o)
		}
		slowest, largest = max(slowest, time.Since(began)), max(largest, allocated()-before)
		if err == nil {
			read++
		} else if text := err.Error(); !strings.HasPrefix(text, damaged) || strings.Contains(text, "\n") {
			t.Errorf("%s, seed %d: %q", kind, seed, text)
		}
	}
	t.Logf("%s: %d damaged, %d read; slowest %v, at most %d MB allocated", kind, 10**damages, read, slowest, largest>>20)
	if slowest > 10*time.Second || largest > 1<<30 {
		t.Errorf("%s: slowest %v, at most %d bytes allocated", kind, slowest, largest)
	}
}
