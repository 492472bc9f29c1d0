package symmom

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/ica"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/frame"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// ICAOptions configure the search for independent components. The zero value of every
// field is its documented default.
type ICAOptions struct {
	// Starts from random rotations; the one whose components have the largest sum
	// of squared kurtoses wins. Default 3.
	Starts int

	// Seed of the starts. Default (0) is seed 1.
	Seed uint64

	// CumulantOnly leaves out the polish: the result is the decomposition of the
	// fourth cumulant alone.
	CumulantOnly bool

	// MaxIterations of a start, and of the polish. Default 200.
	MaxIterations int

	// Threads is the number of processor cores to use. Default: all. Results
	// are the same bits for any number.
	Threads int
}

// ICA is a table as a mixture of independent sources: v = mean + Mixing s. The
// fields of a failed one are zero, and Err says why; an interrupted one has both the best
// sources so far and an error that wraps ErrInterrupted, unless nothing was found yet.
type ICA struct {
	Result // Err, String and HTML

	Components   int          // K
	N            int          // variables
	Observations int          // p
	Mean         []float64    // n
	Mixing       *NamedMatrix // n x K, for sources of variance 1; the largest entry of each column is positive
	Unmixing     *mat.Dense   // K x n
	Kurtosis     []float64    // K, of the sources, 0 for a normal one; the largest |kurtosis| first
	Converged    bool
	Iterations   int // of the best start, and of the polish
	Elapsed      time.Duration
	Names        []string // of the variables
	Warnings     []Warning

	rest  []float64    // n, what rounding left of Mean
	frame *frame.Frame // of the session
}

// Defaults of ICAOptions.
const (
	icaStarts     = 3
	icaIterations = 200
)

// ICA separates k independent sources: it whitens the data to k coordinates, where
// the fourth cumulant is sum_j kappa_j a_j^(x 4) with orthonormal a_j, finds these
// by the symmetric higher-order power method (De Lathauwer, De Moor & Vandewalle
// 1995; K_4 a^3 from the observations, never formed), looks among those whose kurtosis may be
// that of normal ones for sources with skewness or a contrast of tanh, and polishes all by the
// fixed point with the nonlinearity that each was found by (Hyvarinen 1999). At most one
// source may be normal.
//
// Cost: that of Whiten, and 4 p k^2 operations per iteration.
func (s *Session) ICA(k int, options ...ICAOptions) *ICA {
	began := time.Now()
	out := made(&ICA{Mixing: noMatrix(nil), Unmixing: &mat.Dense{}, Result: Result{err: s.Err()}})
	if out.err != nil {
		return out
	}
	o, err := completed(options, ICAOptions.withDefaults)
	if out.err = err; err != nil {
		return out
	}
	w := s.whiten(k, "components")
	if out.err = w.Err(); out.err != nil {
		return out
	}
	engine := ica.Options{Starts: o.Starts, Seed: o.Seed, Polish: !o.CumulantOnly, MaxIterations: o.MaxIterations, Threads: o.Threads}
	found, err := ica.Separate(w.context(), w.data.Array().Dense(), engine)
	if out.err = interrupted("ica", err); found == nil {
		return out
	}
	out.Names = s.Columns()
	out.describe(w, found, engine)
	out.frame = s.frame(out.Names)
	out.Warnings = slices.Concat(warned(s.data.Warnings...), warned(w.data.Warnings...), out.Warnings)
	out.Elapsed = time.Since(began)
	return out
}

func (o ICAOptions) withDefaults() (ICAOptions, error) {
	return o, setDefaults(&o.Seed, &o.Threads, whole{&o.Starts, "Starts", icaStarts}, whole{&o.MaxIterations, "MaxIterations", icaIterations})
}

// describe fills the result, in the data's coordinates and with signs.
func (c *ICA) describe(s *Session, found *ica.Result, o ica.Options) {
	k, w := s.data.N, s.whitening
	rotation := mat.NewDense(k, k, found.Rows)
	c.Kurtosis, c.Converged, c.Iterations = found.Kurtosis, found.Converged, found.Iterations
	mixing, unmixing := &mat.Dense{}, &mat.Dense{}
	mixing.Mul(w.back, rotation.T())
	unmixing.Mul(rotation, w.into)
	ica.Upright(mixing, unmixing)
	c.Mixing, c.Unmixing = loadings(mixing, c.Names), unmixing
	c.Mixing.over, c.Mixing.byRow = "source", true
	c.Mixing.above = [][]string{append([]string{"kurtosis"}, words.Aligned(c.Kurtosis)...)}
	c.Components, c.Observations, c.Mean = k, s.data.P, slices.Clone(w.mean)
	c.rest = w.rest
	c.N, _ = c.Mixing.Dims()
	c.Warnings = warned(found.Doubts(s.data.Array().Dense().Effective(), c.N, o, c.err != nil)...)
}

// Sources returns the sources of the observations of s, p x K, each with variance 1
// in the data that they were found from. Variables and coordinates are matched as in
// Mixture.Predict. One pass.
func (c *ICA) Sources(s *Session) (*NamedMatrix, error) {
	none := func(err error) (*NamedMatrix, error) { return noMatrix(err), err }
	switch {
	case c.Components == 0:
		return none(cmp.Or(c.err, error(&ArgumentError{Argument: "separation", Value: "an empty one", Want: "one that ICA found"})))
	case s.Err() != nil:
		return none(s.Err())
	case s.data.N != c.N:
		return none(&ArgumentError{Argument: "data", Value: words.Plural(s.data.N, "variable"), Want: words.Plural(c.N, "variable")})
	}
	order, x, err := s.placesIn("separation", c.frame)
	if err != nil {
		return none(err)
	}
	ctx, mean, rest := s.context(), c.Mean, c.rest
	basis := &moment.Basis{N: c.N, K: c.Components, Q: c.Unmixing.RawMatrix().Data}
	if order != nil {
		mean, rest, basis.Q = linalg.Picked(mean, order), linalg.Picked(rest, order), nil
		for j := range c.Components {
			basis.Q = append(basis.Q, linalg.Picked(c.Unmixing.RawRowView(j), order)...)
		}
	}
	data, err := tables.ProjectFrom(ctx, x, mean, rest, basis)
	if err != nil {
		return none(interrupted("sources", err))
	}
	return numbered(mat.NewDense(data.P, c.Components, data.V), "source"), nil
}

func (c *ICA) shown() shown {
	if c.Components == 0 {
		return &htmltext.Facts{Title: errorLine("ica", c.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("%s of %s observations of %s", words.Plural(c.Components, "independent component"), words.Count(c.Observations), words.Plural(c.N, "variable"))}
	t.Lines = c.Facts()
	return parts{htmltext.Beside(t, c.Warnings, c.err), c.Mixing}
}

// Facts are what String says about the separation, besides its data, warnings and sources: names
// and values.
func (c *ICA) Facts() [][]string {
	t := &htmltext.Facts{}
	if c.frame != nil && c.frame.Coordinates != "" {
		t.Add("coordinates", "%s", frame.Says(c.frame.Coordinates, "mean and matrices"))
	}
	t.Add("work", "%s, in %s", words.Plural(c.Iterations, "iteration"), words.Duration(c.Elapsed))
	return t.Lines
}
