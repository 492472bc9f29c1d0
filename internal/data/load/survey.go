package load

import (
	"context"
	"math"
	"slices"

	"symmom/internal/data/columns"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/profile"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// survey is the result of the first pass over a stream. add, and all that it writes,
// is called in the consumer, on the observations that are left; the rest in the reader.
type survey struct {
	stream  *Stream
	all     *table          // without the values; the rows of the last shard are not known before its end
	several bool            // path names several files
	labels  *columns.Reader // takes those of the file, or nil

	rows      int   // checked
	missing   []int // by column
	anyAbsent bool

	p        int
	profile  *profile.Running
	sum      float64 // of the weights, relative to the largest
	heaviest float64
	lightest float64
	digest   *fingerprint.Digest // nil with weights, which come after all values
}

// begin makes a file the next one of the stream, whose shape the first decides. Blocks
// are a multiple of those that are multiplied at once.
func (v *survey) begin(r *rows, width int) (err error) {
	s, first := v.stream, v.all.shards == nil
	if s.Sparse && r.matrix == nil {
		return fail(r.file.source, "has its zeros, and the first table (%s) is read without them; make all files of one kind, or load them into memory", v.all.shards[0].Name)
	}
	if r.file.order, err = v.all.align(r.head, r.file.source, s.options.Codes); err != nil {
		return err
	}
	v.all.shards[len(v.all.shards)-1].Rows = math.MaxInt
	v.labels = r.head.labels
	if !first {
		return nil
	}
	s.N, s.Names, s.Columns, s.Weighted = v.all.n, v.all.names, v.all.columns, r.sel.Weights >= 0
	s.rows = max(2, streamBytes/(8*width))
	if step := linalg.BlockRows(s.N); s.rows > step {
		s.rows -= s.rows % step
	}
	v.missing, v.profile, v.lightest = make([]int, s.N), profile.NewRunning(s.N), math.Inf(1)
	s.Profile, v.profile.Exact = v.profile, v.all.exact
	return nil
}

// end adds the results at the end of a file.
func (v *survey) end(head *table, order []int) error {
	v.all.also(head, order)
	head.coded = head.codes.Counts(nil, head.coding)
	v.all.shards[len(v.all.shards)-1].Rows = v.rows - v.all.p
	return v.all.joined(head)
}

// check refuses infinities and wrong weights and counts missing values.
func (v *survey) check(b *buffer, from int) error {
	n := v.stream.N
	if b.sparse != nil { // whose values were looked at
		return v.checkEach(b, from, b.rows)
	}
	for step := linalg.BlockRows(n); from < b.rows; from += step {
		to := min(from+step, b.rows)
		part := b.values[from*n : to*n]
		if b.weights == nil && linalg.Finite(linalg.Dot(part, part)) { // so are the values
			v.rows += to - from
		} else if err := v.checkEach(b, from, to); err != nil {
			return err
		}
	}
	return nil
}

// checkEach looks at one observation after the other.
func (v *survey) checkEach(b *buffer, from, to int) error {
	s := v.stream
	n := s.N
	for i := from; i < to; i++ {
		whole, row := true, []float64(nil)
		if b.sparse == nil {
			row = b.values[i*n : (i+1)*n]
		}
		for j, x := range row {
			if x-x == 0 {
				continue
			}
			whole = false
			if math.IsInf(x, 0) {
				e := v.all.place(v.rows, s.Column(j), s.name(j), x)
				e.Want = "a finite number; correct the value, or make it a missing one (NaN)"
				return e
			}
			v.missing[j]++
			v.anyAbsent = true
		}
		if b.weights != nil {
			w := b.weights[i]
			if what := weightProblem(w); what != "" && (w == w || s.options.Missing != MissingDrop) {
				e := v.all.place(v.rows, v.all.weight, "weights", w)
				e.Want = what
				return e
			}
			whole = whole && w == w
		}
		if !whole && v.labels != nil {
			v.labels.Drop(v.rows - v.all.p)
		}
		v.rows++
	}
	return nil
}

// add looks at the observations of a block.
func (v *survey) add(b block.Block) {
	if b.Nu == nil {
		if v.digest == nil {
			v.digest = v.stream.newDigest()
		}
		done := make(chan struct{})
		go func() { // takes as long as the rest
			v.digest.AddBlock(b)
			close(done)
		}()
		defer func() { <-done }()
	}
	v.profile.AddBlock(b)
	for _, w := range b.Nu {
		if w > v.heaviest {
			v.sum *= v.heaviest / w
			v.heaviest = w
		}
		v.sum += w / v.heaviest
		v.lightest = min(v.lightest, w)
	}
	v.p += b.Rows
}

// finish completes the stream, or refuses it.
func (v *survey) finish() error {
	s := v.stream
	s.Coded = v.all.coded
	if v.anyAbsent && s.options.Missing == MissingFail {
		e := &MissingError{Source: s.Source, Streamed: true}
		for j, c := range v.missing {
			if c > 0 {
				e.Counts = append(e.Counts, ColumnCount{Column: s.Column(j), Name: s.name(j), Count: c})
			}
		}
		return e
	}
	s.P, s.Dropped = v.p, v.rows-v.p
	if s.P == 0 {
		return diag.Helped(empty(s.Source, "each of the %s rows has a missing value, so dropping them leaves nothing; choose other columns", words.Count(v.rows)), "Columns")
	}
	s.share = 1 / float64(s.P)
	if s.Weighted {
		s.share, s.heaviest, s.Weighted = 1/v.sum, v.heaviest, v.lightest < v.heaviest
		if v.lightest/v.heaviest/v.sum == 0 {
			return fail(s.Source, "the smallest weight (%s) vanishes beside the largest (%s); leave the row out", diag.Value(v.lightest), diag.Value(v.heaviest))
		}
		if err := Alone(s.Source, v.sum); s.Weighted && err != nil {
			return err
		}
	}
	for _, x := range v.profile.Largest {
		s.Span = max(s.Span, x)
	}
	if v.all.labels != nil {
		s.Labels = v.all.labels.Column(nil)
	}
	if v.several {
		s.Shards = v.all.shards
	}
	v.all.notes = slices.Concat(v.all.notes, s.options.Codes.Notes(s.Coded), columns.Incomplete(s.P, s.Dropped, 0))
	t := (&Set{Info: s.Info}).profiled()
	t.Weighted = s.Weighted
	s.Notes = append(v.all.notes, v.profile.Beyond(t, v.all.exact)...)
	s.Warnings = append(v.profile.Warnings(t), s.Notes...)
	for _, c := range v.profile.Nonzero {
		s.stored += float64(c)
	}
	s.digest = s.ended(v.digest)
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
	d := s.newDigest()
	if !s.Pass(ctx, d.AddBlock) {
		return fingerprint.Digest{}, block.Stopped(ctx, s)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.digest = s.ended(d)
	return *s.digest, nil
}

// newDigest is that of no observations yet.
func (s *Stream) newDigest() *fingerprint.Digest {
	d := new(fingerprint.Digest)
	if s.Sparse {
		d.BeginSparse()
	}
	return d
}

// ended is the digest of all observations, nil if there is none.
func (s *Stream) ended(d *fingerprint.Digest) *fingerprint.Digest {
	if d != nil && s.Sparse {
		d.EndSparse(nil, nil)
	}
	return d
}

// Fingerprint returns the fingerprint of the Set that Load makes of the same file: the digest,
// and two passes for weights.
func (s *Stream) Fingerprint(ctx context.Context) (string, error) {
	d, err := s.Digest(ctx)
	if err != nil {
		return "", err
	}
	return d.SumOf(ctx, s, s.Weighted)
}
