//go:build e2e

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The peer finds topics of the documents that it is given: those of the truth.
func TestTheirTopics(t *testing.T) {
	b := &bench{ctx: t.Context(), dir: t.TempDir()}
	var err error
	if b.peer, err = startPeer(t.Context(), os.Getenv("SYMMOM_PYTHON"), b.dir, topicsSource, -1, 1); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.peer.close(); err != nil {
			t.Error(err)
		}
	}()
	g := topicsData{k: 3, docs: 1000, length: 50, n: 60, a0: .3}
	given, _, truth, err := g.draw(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b.dir, "documents")
	if err := given.write(path); err != nil {
		t.Fatal(err)
	}
	// 50,000 places tell shares of 60 words in 3 topics to about sqrt(2/pi 60 3/50,000) = .05.
	for _, method := range []string{methodTopics, methodGiven, methodBatch, methodOnline} {
		f, err := b.findTopics(method, g.k, given, path, g.alpha(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if d := topicsDistance(truth, f.mu, g.n); !(d < .2) || len(f.Alpha) != g.k || !(f.Seconds > 0) {
			t.Errorf("%s: distance %g, alpha %v, %g s", method, d, f.Alpha, f.Seconds)
		}
	}
}
