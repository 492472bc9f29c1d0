package symmom

import (
	"fmt"
	"time"

	"symmom/internal/data/export"
	"symmom/internal/estimate/progress"
)

// Save writes the observations to a file for other programs, in the format of its
// extension: .csv, .tsv (also with .gz), .npy, .parquet, .arrow or .feather. NumPy, pandas
// and pyarrow read the same bits back, and so does Load. The names of the variables are
// written if the format has names, float32 values are written as float32, and unequal
// weights become a last column, "weights". A stream is written in one pass, in bounded
// memory, but not over its own files.
// The file is written atomically.
func (s *Session) Save(path string) error {
	if err := s.Err(); err != nil {
		return err
	}
	if err := s.data.Forgotten(); err != nil {
		return &SaveError{path, err}
	}
	if file := s.data.Reads(path); file != "" {
		return &SaveError{path, fmt.Errorf("the session reads its observations from %s, which would be gone; want another name, or Load in place of Stream", file)}
	}
	ctx, d := s.context(), s.data
	t := export.Table{Source: d.Storage, Names: d.Names, Label: d.Label, Weighted: d.Weighted(), Single: d.Single()}
	var tell func(float64)
	began := time.Now()
	if report := reports(s.watcher(nil), began); report != nil {
		tell = func(share float64) {
			left := time.Duration(float64(time.Since(began)) * (1 - share) / share)
			report(progress.Report{Phase: progress.Write, Seen: share, Remaining: left, Done: share == 1})
		}
	}
	if err := export.Write(ctx, path, t, tell); err != nil {
		if ctx.Err() != nil {
			return interrupted("save", ctx.Err())
		}
		return &SaveError{path, err}
	}
	return nil
}
