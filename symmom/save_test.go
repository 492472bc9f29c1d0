package symmom_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/internal/estimate/progress"
	"symmom/symmom"
)

// TestSessionSave saves sessions of every storage; what is loaded again has the same
// fingerprint.
func TestSessionSave(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	s := datasets.Uniform(6, 3000, 1)
	if err := s.Save(path("a.npy")); err != nil {
		t.Fatal(err)
	}
	stream := symmom.Stream(path("a.npy"))
	weights := make([]float64, 3000)
	for i := range weights {
		weights[i] = float64(1 + i%7)
	}
	weighted := s.WithWeights(weights)
	for name, x := range map[string]*symmom.Session{
		"memory.parquet": s, "stream.feather": stream, "select.csv": s.Select("2", "5"), "appended.tsv": s.Append(datasets.Uniform(6, 50, 2).Matrix()),
		"float32.npy": symmom.Load(path("a.npy"), symmom.LoadOptions{Float32: true}),
	} {
		if err := x.Save(path(name)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again := symmom.Load(path(name))
		if again.Err() != nil || !slices.Equal(again.Matrix().RawMatrix().Data, x.Matrix().RawMatrix().Data) && name != "stream.feather" ||
			name != "appended.tsv" && again.Fingerprint() != x.Fingerprint() {
			t.Errorf("%s: %v", name, again)
		}
	}
	if err := weighted.Save(path("weighted.parquet")); err != nil {
		t.Fatal(err)
	}
	again := symmom.Load(path("weighted.parquet"), symmom.LoadOptions{Weights: "weights"})
	for i, w := range again.Weights() {
		if d := w - weighted.Weights()[i]; d > 1e-16 || d < -1e-16 {
			t.Fatalf("weight %d is %v, want %v", i, w, weighted.Weights()[i])
		}
	}
	if again.N() != 6 {
		t.Error(again)
	}
}

func TestSessionSaveFails(t *testing.T) {
	dir := t.TempDir()
	s := datasets.Uniform(3, 20, 1)
	var save *symmom.SaveError
	if err := s.Save(filepath.Join(dir, "x.xlsx")); !errors.As(err, &save) || !strings.Contains(err.Error(), "in which format") {
		t.Error(err)
	}
	if err := symmom.Load("nosuch.csv").Save(filepath.Join(dir, "x.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.WithContext(ctx).Save(filepath.Join(dir, "x.csv")); !errors.Is(err, symmom.ErrInterrupted) {
		t.Error(err)
	}
	last := 0.
	h := progress.Host{Progress: func(p progress.Report) {
		if p.Phase == symmom.PhaseWrite {
			last = p.Seen
		}
	}}
	if err := s.WithContext(h.In()).Save(filepath.Join(dir, "x.npy")); err != nil || last != 1 {
		t.Error(err, last)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
}

// A stream is not written over the files that it reads, under any of their names, nor is
// what was appended to it. Observations in memory need their file no more.
func TestSessionSaveOverItself(t *testing.T) {
	t.Chdir(t.TempDir())
	more := datasets.Uniform(3, 20, 2).Matrix()
	if err := errors.Join(os.Mkdir("d", 0o755), datasets.Uniform(3, 50, 1).Save("d/a.npy"), datasets.Uniform(3, 50, 1).Save("d/b.npy"), os.Link("d/b.npy", "b.npy")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile("d/b.npy")
	if err != nil {
		t.Fatal(err)
	}
	stream := symmom.Stream("d")
	for name, s := range map[string]*symmom.Session{"stream": stream, "appended": stream.Append(more)} {
		var save *symmom.SaveError
		for _, path := range []string{"d/b.npy", "./b.npy"} {
			if err := s.Save(path); !errors.As(err, &save) || !strings.Contains(err.Error(), "reads its observations from "+filepath.FromSlash("d/b.npy")+", which would be gone") {
				t.Errorf("%s over %s: %v", name, path, err)
			}
		}
		if fit := s.Moment(2).Decompose(1); fit.Err() != nil {
			t.Errorf("%s: %v", name, fit.Err())
		}
	}
	if after, err := os.ReadFile("d/b.npy"); err != nil || !slices.Equal(before, after) {
		t.Errorf("the file is not as it was (%v)", err)
	}
	if err := symmom.Load("d").Select("2").Save("d/b.npy"); err != nil {
		t.Error(err)
	}
	if fit := stream.Moment(2).Decompose(2); fit.Err() == nil || !strings.Contains(fit.Err().Error(), "has changed since it was first read") {
		t.Errorf("a stream whose file was replaced: %v", fit.Err())
	}
}
