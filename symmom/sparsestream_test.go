package symmom_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/internal/test/slow"
	"symmom/symmom"
)

// What is found in a sparse matrix that stays on disk, in several blocks, is found in it in
// memory; without a temporary copy as well.
func TestSparseStream(t *testing.T) {
	slow.Test(t)
	docs := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 3, Documents: 9000, Words: 1200, Length: 150})
	m := docs.Session.Matrix()
	var b strings.Builder
	for l := range docs.Session.Observations() {
		var pairs []string
		for i := range docs.Session.N() {
			if c := m.At(l, i); c > 0 {
				pairs = append(pairs, fmt.Sprintf("%d:%g", i, c))
			}
		}
		fmt.Fprintln(&b, len(pairs), strings.Join(pairs, " "))
	}
	path := filepath.Join(t.TempDir(), "x.ldac")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	memory := symmom.Load(path)
	near := func(what string, a, b, within float64) {
		if !(math.Abs(a-b) <= within*math.Abs(b)) {
			t.Errorf("%s: %.15g, want %.15g", what, a, b)
		}
	}
	for _, o := range []symmom.LoadOptions{{}, {NoSpill: true}} {
		s := symmom.Stream(path, o)
		if s.Err() != nil || s.Density() != memory.Density() || s.Fingerprint() != memory.Fingerprint() || !strings.Contains(s.String(), "streamed from disk without zeros") {
			t.Fatal(s.Err(), s, s.Density(), memory.Density())
		}
		a, c := s.Topics(3), memory.Topics(3)
		near("concentration", a.Concentration, c.Concentration, 1e-9)
		near("topics", a.Score(c.Words).Distance+1, 1, 1e-9)
		if o.NoSpill {
			continue
		}
		near("mixture", s.Mixture(2).LogLikelihood, memory.Mixture(2).LogLikelihood, 1e-10)
		near("centered", s.Center().Moment(3).Decompose(1).ObjectiveShifted, memory.Center().Moment(3).Decompose(1).ObjectiveShifted, 1e-8)
		near("distinct", s.Moment(3).Distinct().Decompose(1).ObjectiveShifted, memory.Moment(3).Distinct().Decompose(1).ObjectiveShifted, 1e-8)
		near("summary", s.Summary().Variables[7].Std, memory.Summary().Variables[7].Std, 1e-12)
		if d := s.Center().Density(); d != 1 {
			t.Errorf("centered: density %g", d)
		}
	}
}
