package passes

import (
	"context"
	"errors"
	"fmt"
	"math"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/gmm"
	"symmom/internal/estimate/topics"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Run makes a pass over one split and returns the answer, a line without its end.
func Run(ctx context.Context, m *Message, split, threads int) string {
	a := answer{Split: split, Kernel: linalg.Kernel(), Tree: m.Tree}
	var data [][]float64
	err := fmt.Errorf("there is no split %d", split)
	if split >= 0 && split < len(m.Splits) {
		data, err = run(ctx, m, &a, threads)
	}
	if err != nil {
		a.Error, a.Help, a.Empty, a.Found, data = err.Error(), diag.Help(err), errors.Is(err, load.ErrNoData), nil, nil
	}
	line, err := pack(a, data)
	if err != nil { // a number that JSON does not have
		line = refusal(split, err)
	}
	return line
}

// mostRows bounds the bytes of the observations that a split returns.
const mostRows = 128 << 20

func run(ctx context.Context, m *Message, a *answer, threads int) ([][]float64, error) {
	x := &reading{ctx: ctx, split: m.Splits[a.Split], options: m.Options, n: m.N}
	switch m.Pass.Kind {
	case Look:
		return nil, x.look(a)
	case Survey:
		e, err := x.survey(a)
		return [][]float64{e}, err
	case Sample:
		if m.Counts[a.Split] < 0 || 8*float64(m.Counts[a.Split])*float64(m.N) > mostRows {
			return nil, fmt.Errorf("a sample of %s", words.Plural(m.Counts[a.Split], "observation"))
		}
		s := moment.NewSample(m.Counts[a.Split], m.N, m.Seed+uint64(a.Split))
		if m.Counts[a.Split] > 0 && !x.Pass(ctx, s.Add) {
			return nil, block.Stopped(ctx, x)
		}
		return [][]float64{s.Numbers()}, nil
	case Rows:
		if b := 8 * float64(x.split.Rows) * float64(m.N); b > mostRows {
			return nil, fmt.Errorf("%s: all observations are %s, more than a worker returns", files.Name(x.split.Path), words.Bytes(b))
		}
		all, err := block.Gather(ctx, x)
		if err != nil {
			return nil, err
		}
		return [][]float64{all.V, all.Nu}, nil
	}
	from := block.Source(x)
	if by := m.Pass.Shift; by != nil {
		from = block.Shifted(x, by)
	}
	if places := m.Pass.Places; places > 0 {
		from = block.Places(from, places, 1)
	}
	var sum []float64
	var err error
	switch m.Pass.Kind {
	case tables.Each:
		var all *tables.Variables
		if all, err = tables.Describe(ctx, from); err == nil {
			sum = all.Numbers()
		}
	case gmm.Sums:
		sum, err = gmm.Sum(ctx, from, m.Pass, threads)
	case topics.Sums:
		before := 0
		for _, s := range m.Splits[:a.Split] {
			before += s.Rows
		}
		sum, err = topics.Sum(ctx, from, m.Pass, before, threads)
		if wrong := (*topics.CountError)(nil); errors.As(err, &wrong) {
			err = wrong.In(files.Name(x.split.Path), "")
		}
	default:
		sum, err = norm.Sum(ctx, from, m.Pass, threads)
	}
	return [][]float64{sum}, err
}

// reading is a split as a source. Each pass reads and checks it anew.
type reading struct {
	ctx     context.Context
	split   Split
	options load.Options
	n       int
	err     error
}

func (x *reading) Shape() (p, n int) { return x.split.Rows, x.n }
func (x *reading) Share() float64    { return 1 }
func (x *reading) Err() error        { return x.err }

// BlockRows returns about what a stream has in a block: sums are the same for any
// number, except for the groups that it has.
func (x *reading) BlockRows() int { return max(2, (8<<20)/(8*x.n)) }

func (x *reading) Pass(ctx context.Context, do func(block.Block)) bool {
	source := files.Name(x.split.Path)
	rows, digest, _, err := x.read(ctx, func(_ int, b block.Block) {
		if x.split.Largest > 0 {
			linalg.Scale(1/x.split.Largest, b.Nu)
		}
		do(b)
	})
	switch {
	case err != nil:
		x.err = err
	case rows != x.split.Rows || digest != x.split.Digest:
		x.err = fmt.Errorf("%s: its observations have changed since the first pass (%d then, %d now), and each pass reads them again: load the table again", source, x.split.Rows, rows)
	}
	return x.err == nil
}

// read shows all blocks of the split, of n variables, to see, which may change them, and
// returns how many observations there are, and a digest of these.
func (x *reading) read(ctx context.Context, see func(n int, b block.Block)) (rows int, digest string, s *load.Stream, err error) {
	var d fingerprint.Digest // of values and weights
	source := files.Name(x.split.Path)
	var other error
	weighted := false
	o := x.options
	o.Groups, o.Sparse = x.split.Groups, true
	s, err = load.OpenStream(ctx, x.split.Path, o, func(s *load.Stream, b block.Block) {
		switch {
		case x.n != 0 && s.N != x.n:
			other = fmt.Errorf("%s: has %s, want %d as the first table", source, words.Plural(s.N, "column"), x.n)
		case (x.split.Largest > 0) != (b.Nu != nil) && x.n != 0:
			other = fmt.Errorf("%s: its weights have changed since the first pass: load the table again", source)
		case other == nil:
			if weighted = b.Nu != nil; weighted {
				d.AddBlock(b)
				d.Add(b.Nu)
			}
			see(s.N, b)
		}
	})
	if err == nil {
		err = other
	}
	if err != nil {
		return 0, "", s, err
	}
	if !weighted {
		if d, err = s.Digest(ctx); err != nil { // it is known
			return 0, "", nil, err
		}
	}
	return s.P, d.Sum(s.P, s.N, nil), s, nil
}

// survey reads the split for the first time.
func (x *reading) survey(a *answer) ([]float64, error) {
	f := &found{}
	var e *norm.Extremes
	rows, digest, s, err := x.read(x.ctx, func(n int, b block.Block) {
		if e == nil {
			e = norm.NewExtremes(n)
		}
		e.Add(b)
		for _, w := range b.Nu {
			f.Sum += w
			f.Largest = math.Max(f.Largest, w)
			if f.Least == 0 || w < f.Least {
				f.Least = w
			}
		}
	})
	if s != nil {
		a.Coded, a.Dropped = s.Coded, s.Dropped
	}
	if err != nil {
		return nil, err
	}
	if math.IsInf(e.Largest(), 0) || math.IsInf(f.Sum, 0) {
		return nil, fmt.Errorf("%s: its values or weights are too large to be added up; divide them by a constant", files.Name(x.split.Path))
	}
	f.Rows, f.Digest, f.N, f.Weighted, f.Names, f.Columns = rows, digest, s.N, f.Largest > 0, s.Names, s.Columns
	if f.Names == nil && x.options.Columns != nil {
		for j := range s.N {
			f.Names = append(f.Names, s.Label(j))
		}
	}
	if !f.Weighted {
		f.Sum = float64(rows)
	}
	for _, w := range s.Notes {
		if w.Code != diag.Rounding && w.Code != diag.Codes && w.Code != diag.Incomplete {
			f.Notes = append(f.Notes, note(w))
		}
	}
	a.Found = f
	return (&values{e, s.Profile}).numbers(), nil
}
