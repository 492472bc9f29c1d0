package parallel

import "context"

// Strips are the columns of a table, some at a time, each dealt with by one goroutine, mostly
// the same one: what is known of columns that follow each other may share a line of the
// cache. It is made once, so that a call allocates nothing.
type Strips struct {
	jobs int
	pool Pool
}

// strip is how many columns follow each other: the float64 of one row fill two lines of the
// cache.
const strip = 16

// NewStrips prepares for n columns, of which do deals with those from lo to below hi.
func NewStrips(n int, do func(lo, hi int)) *Strips {
	jobs := (n + strip - 1) / strip
	return &Strips{jobs, Pool{Threads: min(Threads(0), jobs), Repeats: true, Job: func(_, i int) { do(i*strip, min((i+1)*strip, n)) }}}
}

// Run deals with all columns; it returns false, the work void, when ctx is cancelled.
func (s *Strips) Run(ctx context.Context) bool { return s.pool.Run(ctx, s.jobs) }
