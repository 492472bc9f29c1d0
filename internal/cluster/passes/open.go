package passes

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/data/profile"
	"symmom/internal/data/shards"
	"symmom/internal/data/tables"
	"symmom/internal/moment/norm"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Open surveys a table with an engine, whose workers must find the same files, and
// returns it as one whose passes the engine makes: two passes.
func Open(ctx context.Context, e Engine, path string, o load.Options) (*tables.Table, error) {
	if o.Labels != "" {
		return nil, &diag.Argument{Name: "Labels", Value: o.Labels, Want: "none for a table whose rows stay elsewhere: labels are kept beside the rows, of a table that is loaded or streamed"}
	}
	paths, err := shards.Files(ctx, path)
	if err != nil {
		return nil, err
	}
	if paths == nil {
		paths = []string{path}
	}
	m := &Message{Pass: kind(Survey), Options: o}
	for _, p := range paths {
		if !files.IsURL(p) {
			if p, err = filepath.Abs(p); err != nil {
				return nil, err
			}
		}
		m.Splits = append(m.Splits, Split{Path: p})
	}
	source := files.Name(path)
	if m.Splits, err = looked(ctx, e, m); err != nil {
		return nil, err
	}
	s, err := surveyed(ctx, e, m, source)
	if err == nil && s.reordered && o.Codes.Numbered() {
		return nil, diag.Helped(diag.Fail(source, "has its columns in another order in some files than in the first; name the columns of codes of missing values"), "NA")
	}
	if err == nil && s.reordered {
		m.Options.Columns = s.first.Names
		s, err = surveyed(ctx, e, m, source)
	}
	if err != nil {
		return nil, err
	}
	x := &far{engine: e, source: source, p: s.info.P, n: s.info.N, options: m.Options, splits: s.splits, weights: s.weights}
	if s.first.Weighted {
		x.weighted = s.least < s.largest
		for i := range x.splits {
			x.sum += s.weights[i] / s.largest
		}
		for i := range x.splits {
			x.splits[i].Largest = s.largest
		}
	} else {
		x.sum = float64(x.p)
	}
	x.fingerprint = s.fingerprint
	sample, err := x.Sample(ctx, tables.Seed)
	if err != nil {
		return nil, err
	}
	x.seen = &tables.Sketch{Span: s.extremes.Largest(), Sample: sample, Extremes: s.extremes}
	return &tables.Table{Info: s.info, Storage: x}, nil
}

// values is the result of surveys about values, in additive numbers.
type values struct {
	extremes *norm.Extremes
	columns  *profile.Running
}

func newValues(n int) *values { return &values{norm.NewExtremes(n), profile.NewRunning(n)} }

func (v *values) numbers() []float64 { return append(v.extremes.Numbers(), v.columns.Numbers()...) }

// join adds the numbers of what comes next.
func (v *values) join(numbers []float64) error { return v.extremes.Join(v.columns.Join(numbers)) }

// survey is the sum of what is found out about the splits.
type survey struct {
	info    *load.Info
	first   *found
	splits  []Split // those with observations
	weights []float64
	least   float64 // of all weights
	largest float64
	*values
	fingerprint string
	coded       []columns.Count
	reordered   bool // a file has the columns in another order than the first
}

// surveyed surveys a table.
func surveyed(ctx context.Context, e Engine, m *Message, source string) (*survey, error) {
	s := &survey{info: &load.Info{Source: source}}
	kernels := map[string]bool{}
	var empty []string
	err := grouped(ctx, e, m, nil, kernels, func(parts []answer, values []float64) error {
		for _, a := range parts {
			split := m.Splits[a.Split]
			s.info.Dropped += a.Dropped
			for _, c := range a.Coded {
				s.coded = columns.Add(s.coded, c)
			}
			if a.Empty {
				empty = append(empty, files.Name(split.Path))
				continue
			}
			if a.Found == nil || a.Found.Rows < 1 || a.Found.N < 1 {
				return fmt.Errorf("%s: the answer of a worker %w", e.Name(), errDamaged)
			}
			f := a.Found
			split.Rows, split.Largest, split.Digest = f.Rows, f.Largest, f.Digest
			if err := s.add(f, split); err != nil {
				return err
			}
		}
		if values == nil { // all are empty
			return nil
		}
		if err := s.join(values); err != nil {
			return fmt.Errorf("%s: the answer of a worker is %w", e.Name(), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.first == nil {
		return nil, diag.Empty(source, "none of %s has observations", words.Plural(len(m.Splits), "file"))
	}
	s.warn(m, empty, kernels)
	if m.Splits[0].Path != m.Splits[len(m.Splits)-1].Path {
		s.info.Shards = s.files()
	}
	return s, nil
}

// warn adds the warnings about the files, some of which are empty, the values, and the
// workers' kernels.
func (s *survey) warn(m *Message, empty []string, kernels map[string]bool) {
	var paths []string
	for _, split := range m.Splits {
		paths = append(paths, split.Path)
	}
	s.info.Notes = append(s.info.Notes, shards.Unread(paths)...)
	s.info.Notes = slices.Concat(s.info.Notes, m.Options.Codes.Notes(s.coded), columns.Incomplete(s.info.P, s.info.Dropped, 0))
	t := profile.Table{P: s.info.P, N: s.info.N, Label: s.info.Label, Weighted: s.first.Weighted && s.least < s.largest}
	s.info.Notes = append(s.info.Notes, s.columns.Beyond(t, s.columns.Exact)...)
	s.info.Warnings = append(s.columns.Warnings(t), s.info.Notes...)
	for _, name := range empty {
		s.info.Warnings = append(s.info.Warnings, diag.New(diag.LeftOut, "%s has no observations", name))
	}
	if len(kernels) > 1 {
		all := slices.Sorted(maps.Keys(kernels))
		s.info.Warnings = append(s.info.Warnings, diag.New(diag.Kernels, "the workers have different processors (%s): the last digits can differ from run to run", strings.Join(all, ", ")))
	}
}

// files returns the files with observations, of which splits are parts.
func (s *survey) files() (all []load.Shard) {
	for i, k := range s.splits {
		if i > 0 && k.Path == s.splits[i-1].Path {
			all[len(all)-1].Rows += k.Rows
			continue
		}
		all = append(all, load.Shard{Name: files.Name(k.Path), Rows: k.Rows})
	}
	return all
}

// add adds the result of the next split, except for the values.
func (s *survey) add(f *found, split Split) error {
	name := files.Name(split.Path)
	if s.first == nil {
		s.first, s.values = f, newValues(f.N)
		if f.Columns != nil && len(f.Columns) != f.N {
			return fmt.Errorf("%s: %w", name, errDamaged)
		}
		s.info.N, s.info.Names, s.info.Columns, s.fingerprint = f.N, f.Names, f.Columns, f.Digest
	} else {
		order, err := shards.Order(s.first.Names, f.Names, s.first.N, f.N)
		if err != nil {
			return diag.Helped(fmt.Errorf("%s: %w (%s)", name, err, files.Name(s.splits[0].Path)), "Columns")
		}
		s.reordered = s.reordered || order != nil
		if f.Weighted != s.first.Weighted {
			return fmt.Errorf("%s: has weights or none unlike the first table (%s)", name, files.Name(s.splits[0].Path))
		}
		s.fingerprint = fingerprint.Joined(s.fingerprint, f.Digest)
	}
	for _, w := range f.Notes {
		s.info.Notes = diag.Merge(s.info.Notes, []diag.Warning{diag.Warning(w)})
	}
	s.info.P += f.Rows
	if s.least == 0 || f.Least < s.least {
		s.least = f.Least
	}
	s.splits, s.weights, s.largest = append(s.splits, split), append(s.weights, f.Sum), math.Max(s.largest, f.Largest)
	return nil
}
