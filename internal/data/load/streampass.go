package load

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"symmom/internal/data/shards"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// pass reads the files of a stream, one after the other.
type pass struct {
	ctx    context.Context
	stream *Stream
	survey *survey // of the first pass, else nil
	file   int     // being read
	rows   *rows   // of it
	read   int     // observations passed on
}

// open opens the next file that has observations. Its error is io.EOF if there is none.
func (p *pass) open() (err error) {
	s := p.stream
	for p.file < len(s.files) {
		p.rows, err = openRows(p.ctx, s, p.survey, &s.files[p.file])
		if p.survey == nil || !p.survey.several || !errors.Is(err, ErrNoData) {
			return err
		}
		p.survey.leaveOut(s.files[p.file].source)
		s.files = slices.Delete(s.files, p.file, p.file+1)
	}
	return io.EOF
}

func (p *pass) close() {
	if p.rows != nil {
		p.rows.close()
		p.rows = nil
	}
}

// next fills b with as many observations as a block has. Its error is io.EOF
// with the last ones.
func (p *pass) next(b *buffer) error {
	s := p.stream
	b.rows, b.sparse = 0, nil
	for b.rows < s.rows && !b.full() {
		from := b.rows
		end := p.rows.fill(b)
		if end != nil && end != io.EOF { // what is wrong in a file that has changed comes of that
			return cmp.Or(p.rows.unchanged(), end)
		}
		if r := p.rows; r.head.codes != nil {
			r.head.codes.Recode(b.values[from*s.N:b.rows*s.N], s.N)
			if b.weights != nil {
				r.head.codes.Weights(b.weights[from:])
			}
		}
		if order := p.rows.file.order; order != nil && b.sparse == nil { // withoutZeros orders its own
			shards.Reorder(b.values[from*s.N:b.rows*s.N], order)
		}
		if p.survey != nil {
			if err := p.survey.check(b, from); err != nil {
				return err
			}
		}
		if s.options.Missing == MissingDrop && b.sparse == nil {
			b.dropMissing(from, s.N)
		}
		if end != io.EOF {
			continue
		}
		if err := p.rows.end(); err != nil {
			return err
		}
		p.close()
		p.file++
		if err := p.open(); err == io.EOF {
			p.pass(b)
			return p.end()
		} else if err != nil {
			return err
		}
	}
	p.pass(b)
	return nil
}

// pass completes a block that is passed on.
func (p *pass) pass(b *buffer) {
	p.read += b.rows
	b.weights = p.stream.weigh(b.weights)
}

// weigh divides weights by the largest; where all are equal, it returns nil.
func (s *Stream) weigh(weights []float64) []float64 {
	if s.heaviest == 0 { // the first pass
		return weights
	}
	if !s.Weighted {
		return nil
	}
	for i := range weights {
		weights[i] /= s.heaviest
	}
	return weights
}

// end is io.EOF, unless the observations are not as many as at first.
func (p *pass) end() error {
	if s := p.stream; p.survey == nil && p.read != s.P {
		return fail(s.Source, "there were %s at first and are %s now; load it again", words.Plural(s.P, "observation"), words.Count(p.read))
	}
	return io.EOF
}

// leaveOut notes a file without observations.
func (v *survey) leaveOut(file string) {
	v.all.notes = append(v.all.notes, diag.New(diag.LeftOut, "%s has no observations", file))
}
