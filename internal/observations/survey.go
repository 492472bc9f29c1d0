package observations

import (
	"context"
	"math"

	"symmom/internal/fingerprint"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/profile"
	"symmom/internal/words"
)

// survey is what the first pass over a stream finds out. check runs in the
// reader, on all rows; add, and all that it writes, in the consumer, on the
// observations that are left.
type survey struct {
	stream  *Stream
	weight  int // the column of the weights, counted from 1
	notes   []notice.Warning
	unnamed bool   // column 1 is used and has no name
	labels  *table // takes them, or nil

	rows      int   // checked
	missing   []int // by column
	anyAbsent bool

	p        int
	profile  profile.Profile
	first    []float64
	index    bool    // column 1 counts the observations
	sum      float64 // of the weights, relative to the largest
	heaviest float64
	lightest float64
	digest   *fingerprint.Digest // nil with weights, which come after all values
}

// begin prepares for the shape that the stream has by now.
func (v *survey) begin(columns []int, weight int) {
	n := v.stream.N
	v.stream.columns, v.weight = columns, weight
	v.missing = make([]int, n)
	v.profile = profile.Profile{Squares: make([]float64, n), Constant: make([]int, n), Largest: make([]float64, n), Nonzero: make([]int, n)}
	for j := range n {
		v.profile.Constant[j] = j
	}
	v.index, v.lightest = true, math.Inf(1)
}

// table is for messages.
func (v *survey) table() *table { return &table{source: v.stream.Source} }

// check refuses infinities and wrong weights and counts missing values.
func (v *survey) check(b *buffer, from int) error {
	s := v.stream
	n := s.N
	for i := from; i < b.rows; i++ {
		whole := true
		for j, x := range b.values[i*n : (i+1)*n] {
			if x-x == 0 {
				continue
			}
			whole = false
			if math.IsInf(x, 0) {
				e := v.table().place(v.rows, s.column(j), s.name(j), x)
				e.Want = "a finite number; correct the value, or make it a missing one (NaN)"
				return e
			}
			v.missing[j]++
			v.anyAbsent = true
		}
		if b.weights != nil {
			w := b.weights[i]
			if what := weightProblem(w); what != "" && (w == w || s.options.Missing != MissingDrop) {
				e := v.table().place(v.rows, v.weight, "weights", w)
				e.Want = what
				return e
			}
			whole = whole && w == w
		}
		if !whole && v.labels != nil {
			v.labels.labels.Drop(v.rows)
		}
		v.rows++
	}
	return nil
}

// add looks at the observations of a block.
func (v *survey) add(b obs.Block) {
	n := v.stream.N
	if b.Nu == nil {
		if v.digest == nil {
			v.digest = new(fingerprint.Digest)
		}
		done := make(chan struct{})
		go func() { // takes as long as the rest
			v.digest.Add(b.V)
			close(done)
		}()
		defer func() { <-done }()
	}
	pr := &v.profile
	if v.first == nil {
		v.first = append(v.first, b.V[:n]...)
	}
	for i := range b.Rows {
		row := b.V[i*n : (i+1)*n]
		squares, largest, nonzero := pr.Squares[:len(row)], pr.Largest[:len(row)], pr.Nonzero[:len(row)]
		for j, x := range row {
			squares[j] += x * x
			largest[j] = max(largest[j], math.Abs(x))
			if x != 0 {
				nonzero[j]++
			}
		}
		if len(pr.Constant) > 0 {
			still := pr.Constant[:0]
			for _, j := range pr.Constant {
				if row[j] == v.first[j] {
					still = append(still, j)
				}
			}
			pr.Constant = still
		}
		v.index = v.index && row[0] == v.first[0]+float64(v.p+i)
		if b.Nu != nil {
			w := b.Nu[i]
			if w > v.heaviest {
				v.sum *= v.heaviest / w
				v.heaviest = w
			}
			v.sum += w / v.heaviest
			v.lightest = min(v.lightest, w)
		}
	}
	v.p += b.Rows
}

// finish completes the stream, or refuses it.
func (v *survey) finish() error {
	s := v.stream
	if v.anyAbsent && s.options.Missing == MissingFail {
		e := &MissingError{Source: s.Source}
		for j, c := range v.missing {
			if c > 0 {
				e.Counts = append(e.Counts, ColumnCount{Column: s.column(j), Name: s.name(j), Count: c})
			}
		}
		return e
	}
	s.P, s.Dropped = v.p, v.rows-v.p
	if s.P == 0 {
		return notice.Helped(empty(s.Source, "each of the %s rows has a missing value, so dropping them leaves nothing; choose other columns", words.Count(v.rows)), "Columns")
	}
	s.share = 1 / float64(s.P)
	if s.Weighted {
		s.share, s.heaviest, s.equal = 1/v.sum, v.heaviest, v.lightest == v.heaviest
		if v.lightest/v.heaviest/v.sum == 0 {
			return fail(s.Source, "the smallest weight (%s) vanishes beside the largest (%s); leave the row out", formatValue(v.lightest), formatValue(v.heaviest))
		}
	}
	for _, x := range v.profile.Largest {
		s.Span = max(s.Span, x)
	}
	if v.unnamed && v.index && s.N > 1 && s.P > 1 {
		v.notes = append(v.notes, profile.IndexColumn())
	}
	if v.labels != nil {
		s.Labels = v.labels.labels.Column(nil)
	}
	s.Warnings = append(v.profile.Warnings((&Set{Info: s.Info}).profiled()), v.notes...)
	s.digest = v.digest
	return nil
}

// Digest is that of all observations. It is known after OpenStream for tables
// without weights, else it takes a pass.
func (s *Stream) Digest(ctx context.Context) (fingerprint.Digest, error) {
	if err := s.Err(); err != nil {
		return fingerprint.Digest{}, err
	}
	s.mu.Lock()
	known := s.digest
	s.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	var d fingerprint.Digest
	if !s.Pass(ctx, func(b obs.Block) { d.Add(b.V) }) {
		return fingerprint.Digest{}, obs.Stopped(ctx, s)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.digest = &d
	return d, nil
}

// Fingerprint returns the fingerprint of the Set that Load makes of the same file: the digest,
// and two more passes where weights differ.
func (s *Stream) Fingerprint(ctx context.Context) (string, error) {
	d, err := s.Digest(ctx)
	if err != nil {
		return "", err
	}
	if s.Weighted && !s.equal {
		var sum float64
		if !s.Pass(ctx, func(b obs.Block) {
			for _, w := range b.Nu {
				sum += w
			}
		}) {
			return "", obs.Stopped(ctx, s)
		}
		d.BeginWeights()
		var nu []float64
		if !s.Pass(ctx, func(b obs.Block) {
			nu = nu[:0]
			for _, w := range b.Nu {
				nu = append(nu, w/sum)
			}
			d.Add(nu)
		}) {
			return "", obs.Stopped(ctx, s)
		}
	}
	return d.Sum(s.P, s.N, nil), nil
}
