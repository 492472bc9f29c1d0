//go:build e2e

package load

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSciPyWritesMATLAB reads MATLAB files that SciPy wrote: versions 4, 6 and 7, all
// classes of numbers, sparse ones, beside variables that are no tables; and damaged
// ones.
func TestSciPyWritesMATLAB(t *testing.T) {
	const cases = 132 // each class in each way
	dir := t.TempDir()
	run(t, "testdata/matlab.py", dir, strconv.Itoa(cases))
	for seed := range cases {
		checkMAT(t, filepath.Join(dir, fmt.Sprintf("%04d.mat", seed)))
	}
	_, err := Load(t.Context(), filepath.Join(dir, "several.mat"), Options{})
	checkErrorHas(t, err, `several.mat: has 2 matrices, choose one: "X" (3 x 4 double), "truth" (4 x 2 double)`)
	damageSparse(t, dir, "mat", cases)
}

// checkMAT compares what is read of a file with what is in it, as its .json says.
func checkMAT(t *testing.T, path string) {
	t.Helper()
	w := readWritten(t, path+".json")
	all := make([]int, len(w.Names))
	for j := range all {
		all[j] = j
	}
	for _, name := range []string{"", "X"} {
		set, err := Load(t.Context(), path, Options{Array: name})
		if err != nil {
			t.Errorf("%s: %v", w.About, err)
			continue
		}
		if err := sameBits(set.Values, w.whole(all)); err != nil || set.N != len(all) {
			t.Errorf("%s: %v", w.About, err)
		}
		if !strings.Contains(joined(set.Warnings, "\n"), "its rows, as MATLAB shows them, are the observations") {
			t.Errorf("%s: says %q", w.About, joined(set.Warnings, "\n"))
		}
		if strings.Contains(joined(set.Warnings, "\n"), " sparse ") {
			checkSparse(t, w.About, path, set)
		}
	}
	checkNarrow(t, path, w, all, func(format string, args ...any) { t.Errorf("%s: "+format, append([]any{w.About}, args...)...) })
	last := strconv.Itoa(len(all))
	part, err := Load(t.Context(), path, Options{Columns: []string{last}})
	if err == nil {
		err = sameBits(part.Values, w.whole(all[len(all)-1:]))
	}
	if err != nil {
		t.Errorf("%s, column %s: %v", w.About, last, err)
	}
	_, err = OpenStream(context.Background(), path, Options{}, nil)
	checkErrorHas(t, err, "a file of the format mat cannot be streamed")
	// From a pipe.
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, err := Read(t.Context(), struct{ *os.File }{f}, "pipe", "mat", Options{})
	if err != nil || !slices.Equal(set.Values, slices.Concat(w.whole(all)...)) {
		t.Errorf("%s: from a reader: %v", w.About, err)
	}
}

// TestOctaveWritesMATLAB reads what Octave saves, which keeps whole numbers of a matrix
// of double precision as small integers.
func TestOctaveWritesMATLAB(t *testing.T) {
	const cases = 60
	dir := t.TempDir()
	cmd := exec.Command("octave-cli", "--norc", "testdata/matlab.m", dir, strconv.Itoa(cases))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	for seed := range cases {
		checkMAT(t, filepath.Join(dir, fmt.Sprintf("octave%04d.mat", seed)))
	}
}
