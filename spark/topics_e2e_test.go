//go:build e2e

package spark_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/columnar"
	"symmom/internal/data/draw"
	"symmom/symmom"
)

// counted writes counts of words in documents of four topics to three Parquet files, with value as
// the last count.
func counted(t *testing.T, value float64) (pattern string) {
	t.Helper()
	const files, documents, words = 3, 900, 80
	start, word, count, _, _, err := draw.Documents{Topics: 4, Documents: documents, Words: words, Length: 50, Concentration: 1, Prior: .1}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, names := make([]float64, documents*words), make([]string, words)
	for l := range documents {
		for at := start[l]; at < start[l+1]; at++ {
			all[l*words+word[at]] = count[at]
		}
	}
	all[len(all)-1] = value
	for i := range names {
		names[i] = "word " + strconv.Itoa(i+1)
	}
	dir := t.TempDir()
	for file := range files {
		f, err := os.Create(filepath.Join(dir, strconv.Itoa(file)+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		w, err := columnar.NewWriter(f, "parquet", names, false)
		if err != nil {
			t.Fatal(err)
		}
		size := len(all) / files
		if err := errors.Join(w.Write(all[file*size:(file+1)*size]), w.Close()); err != nil {
			t.Fatal(err)
		}
		_ = f.Close() // the writer has closed it, or not
	}
	return filepath.Join(dir, "*.parquet")
}

// runTopics finds topics of counts that stay on a cluster.
func runTopics(t *testing.T, c *cluster) {
	pattern, address := counted(t, 2), c.url()
	local, s := symmom.Load(pattern), symmom.Stream(pattern, symmom.LoadOptions{Spark: address})
	want, got := local.Topics(4), s.Topics(4)
	if want.Err() != nil || got.Err() != nil || !got.Converged {
		t.Fatal(want, got)
	}
	// Counts of documents by topic that are kept from step to step, or not, end alike.
	if e := got.Score(want.Words); e.Err() != nil || !(e.Distance < .01) || math.Abs(got.Concentration/want.Concentration-1) > .02 {
		t.Errorf("%v, concentration %v, want %v", e, got.Concentration, want.Concentration)
	}
	there, err := got.Perplexity(s)
	here, err2 := got.Perplexity(local)
	if err != nil || err2 != nil || math.Abs(there/here-1) > 1e-12 {
		t.Errorf("perplexity %v, here %v (%v, %v)", there, here, err, err2)
	}
	jobs := c.jobs("")
	a, err := got.Coherence(s)
	if now := c.jobs(""); now != jobs+1 { // they are known to be counts
		t.Errorf("coherence took %d jobs", now-jobs)
	}
	b, err2 := got.Coherence(local)
	for j, v := range a {
		if err != nil || err2 != nil || v != b[j] {
			t.Errorf("coherence %v, here %v (%v, %v)", a, b, err, err2)
		}
	}
	if e := got.Bootstrap(2, 1); e.Err() == nil || !strings.Contains(e.Err().Error(), "load or stream a part of them") {
		t.Errorf("a bootstrap there: %v", e.Err())
	}
	t.Logf("%d iterations in %v, here %v", got.Iterations, got.Elapsed, want.Elapsed)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopped := s.WithContext(ctx).Topics(4, symmom.TopicsOptions{Progress: func(p symmom.Progress) {
		if p.Iterations == 2 {
			cancel()
		}
	}})
	if !errors.Is(stopped.Err(), symmom.ErrInterrupted) || stopped.Iterations != 2 || !(stopped.Score(want.Words).Distance < .3) {
		t.Errorf("interrupted: %v", stopped)
	}

	wrong := symmom.Stream(counted(t, 2.5), symmom.LoadOptions{Spark: address}).Topics(4)
	if err := wrong.Err(); err == nil || !strings.Contains(err.Error(), `2.parquet: row 300, column 80: got "2.5", want a count`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a value that is no count: %v", err)
	}
}
