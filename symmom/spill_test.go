package symmom

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"symmom/internal/data/draw"
)

// Text that is streamed is parsed once: what comes from the temporary copy, also with
// weights, rows left out and several files, are the bits of the text, which may be gone.
func TestSpill(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 20, Components: 3, PerComponent: 200, Sigma: .1, Congruence: .5})
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv.gz", "c.parquet", "d.npy"} {
		if err := m.Session.Save(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	shards := filepath.Join(dir, "shards")
	if err := os.Mkdir(shards, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.csv", "2.csv"} {
		text := "w,x,y,z\n1,2,3,4\n2,,1,1\n" + "3,1,2,0.1\n0.5,9,8,7\n"
		if err := os.WriteFile(filepath.Join(shards, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		o      LoadOptions
		copied bool
	}{
		{"a.csv", LoadOptions{}, true},
		{"b.csv.gz", LoadOptions{}, true},
		{"c.parquet", LoadOptions{}, true},
		{"d.npy", LoadOptions{}, false},
		{"shards", LoadOptions{Weights: "w", Missing: "drop"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, c.name)
			again := c.o
			again.NoSpill = true
			fitted := func(s *Session) *Fit { return s.Moment(3).Implicit().With(Options{Starts: 2}).Decompose(2) }
			s, other := Stream(path, c.o), Stream(path, again)
			if a, b := s.Fingerprint(), other.Fingerprint(); a == "" || a != b {
				t.Errorf("fingerprints %q and %q", a, b)
			}
			want := mustFit(t, fitted(other))
			got := mustFit(t, fitted(s))
			if got.ObjectiveShifted != want.ObjectiveShifted || !slices.Equal(got.Model.Lambda, want.Model.Lambda) {
				t.Errorf("f %v, want %v", got.ObjectiveShifted, want.ObjectiveShifted)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := fitted(s).Err(); (err == nil) != c.copied {
				t.Errorf("after the file is gone: %v", err)
			}
			if err := fitted(Stream(path, again)).Err(); err == nil {
				t.Error("a file that is gone was read")
			}
		})
	}
}
