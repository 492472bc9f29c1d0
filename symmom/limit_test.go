package symmom

import (
	"errors"
	"path/filepath"
	"testing"

	"symmom/internal/system/memory"
)

// The limit that a table was loaded with holds for what is made of it: copies whose bytes,
// 8 n p of all n variables or k coordinates, are more are refused, whatever is free, and
// those that are not are made.
func TestMemoryLimitOfCopies(t *testing.T) {
	const p, n = 60_000, 40 // 19.2 MB, and 17.8 MB of 37 coordinates: more than what needs no question
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := SaveMatrix(path, drawUniform(n, p, 1).Matrix()); err != nil {
		t.Fatal(err)
	}
	// A float32 table takes half, so that it is below a limit that its coordinates are beyond.
	narrow := Load(path, LoadOptions{Float32: true, MemoryLimit: 17_000_000})
	wide := Load(path, LoadOptions{MemoryLimit: 20_000_000})
	for name, c := range map[string]struct {
		s    *Session
		made bool
	}{
		"whitened":      {narrow.Whiten(37), false},
		"standardized":  {wide.Standardize(), true},
		"whitened less": {narrow.Whiten(20), true},
	} {
		var large *memory.Error
		if err := c.s.Err(); c.made != (err == nil) || err != nil && (!errors.As(err, &large) || !large.Given) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wide.limit = 18_000_000 // as if other copies were larger than the table
	for name, s := range map[string]*Session{"centered": wide.Center(), "standardized": wide.Standardize(), "selected": wide.Select("1-3"), "whitened": wide.Whiten(39)} {
		var large *memory.Error
		if !errors.As(s.Err(), &large) || !large.Given {
			t.Errorf("%s: %v", name, s.Err())
		}
	}
}
