package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// randomCase is one case of TestAnyData.
type randomCase struct {
	kind    string
	x       *mat.Dense
	weights []float64
	d, r    int
}

func (c randomCase) String() string {
	p, n := c.x.Dims()
	return fmt.Sprintf("%s, %d x %d, weighted %v, d=%d, r=%d", c.kind, p, n, c.weights != nil, c.d, c.r)
}

// kindsOfData fill one observation; mean is that of its cluster.
var kindsOfData = map[string]func(rng *rand.Rand, v, mean []float64){
	"mixture":     func(rng *rand.Rand, v, mean []float64) { add(rng, v, mean, 1, .1) },
	"offset":      func(rng *rand.Rand, v, mean []float64) { add(rng, v, mean, 1, .1); shift(v, 10) },
	"normal":      func(rng *rand.Rand, v, _ []float64) { add(rng, v, nil, 0, 1) },
	"small unit":  func(rng *rand.Rand, v, mean []float64) { add(rng, v, mean, 1e-9, 1e-10) },
	"large unit":  func(rng *rand.Rand, v, mean []float64) { add(rng, v, mean, 1e7, 1e6) },
	"exact":       func(rng *rand.Rand, v, mean []float64) { add(rng, v, mean, 1, 0) },
	"t3":          func(rng *rand.Rand, v, _ []float64) { each(v, func() float64 { return student3(rng) }) },
	"multi t3":    func(rng *rand.Rand, v, _ []float64) { add(rng, v, nil, 0, 1/chi3(rng)) },
	"exponential": func(rng *rand.Rand, v, _ []float64) { each(v, rng.ExpFloat64) },
	"lognormal":   func(rng *rand.Rand, v, _ []float64) { each(v, func() float64 { return math.Exp(rng.NormFloat64()) }) },
	"counts":      func(rng *rand.Rand, v, _ []float64) { each(v, func() float64 { return float64(rng.IntN(4) / 3) }) },
	"outlier": func(rng *rand.Rand, v, mean []float64) {
		add(rng, v, mean, 1, .1)
		if rng.IntN(50) == 0 {
			for i := range v {
				v[i] *= 30
			}
		}
	},
}

func each(v []float64, draw func() float64) {
	for i := range v {
		v[i] = draw()
	}
}

func add(rng *rand.Rand, v, mean []float64, scale, sigma float64) {
	for i := range v {
		v[i] = sigma * rng.NormFloat64()
		if mean != nil {
			v[i] += scale * mean[i]
		}
	}
}

func shift(v []float64, by float64) {
	for i := range v {
		v[i] += by
	}
}

func chi3(rng *rand.Rand) float64 {
	var s float64
	for range 3 {
		z := rng.NormFloat64()
		s += z * z / 3
	}
	return math.Sqrt(s)
}

func student3(rng *rand.Rand) float64 { return rng.NormFloat64() / chi3(rng) }

// drawCase draws data of some kind and size.
func drawCase(seed uint64) randomCase {
	rng := rand.New(rand.NewPCG(seed, 77))
	names := make([]string, 0, len(kindsOfData))
	for name := range kindsOfData {
		names = append(names, name)
	}
	// A map has no order.
	for i := range names {
		for j := i + 1; j < len(names); j++ {
			if names[j] < names[i] {
				names[i], names[j] = names[j], names[i]
			}
		}
	}
	c := randomCase{kind: names[rng.IntN(len(names))], d: 1 + rng.IntN(8), r: 1 + rng.IntN(4)}
	p, n := 1+rng.IntN(150), 1+rng.IntN(9)
	means := make([][]float64, 1+rng.IntN(4))
	for k := range means {
		means[k] = make([]float64, n)
		each(means[k], rng.NormFloat64)
	}
	c.x = mat.NewDense(p, n, nil)
	for l := range p {
		kindsOfData[c.kind](rng, c.x.RawRowView(l), means[rng.IntN(len(means))])
	}
	c.x.Set(0, 0, c.x.At(0, 0)+math.Ldexp(1, -20)) // not all are zero
	if rng.IntN(3) == 0 {
		c.weights = make([]float64, p)
		for l := range c.weights {
			c.weights[l] = .1 + rng.ExpFloat64()
		}
	}
	return c
}

// bruteNorm is ||X||^2 from all pairs, in the plainest way.
func bruteNorm(c randomCase) float64 {
	p, n := c.x.Dims()
	nu := make([]float64, p)
	total := 0.0
	for l := range nu {
		nu[l] = 1
		if c.weights != nil {
			nu[l] = c.weights[l]
		}
		total += nu[l]
	}
	var sum float64
	for l := range p {
		for m := range p {
			s := 0.0
			for i := range n {
				s += c.x.At(l, i) * c.x.At(m, i)
			}
			sum += nu[l] / total * nu[m] / total * math.Pow(s, float64(c.d))
		}
	}
	return sum
}

// Data of all kinds, orders 1 to 8, every form and storage: no fit fails,
// ||X||^2 is what it is by brute force, no relative error is outside of what it
// can be, f is that of the model that is returned, the forms agree on it, and
// what was promised to be reported is reported.
func TestAnyData(t *testing.T) {
	slow.Test(t)
	const cases = 60
	for seed := range uint64(cases) {
		c := drawCase(seed)
		p, n := c.x.Dims()
		truth := bruteNorm(c)
		memory := FromMatrix(c.x)
		narrow := Session{}
		if c.weights != nil {
			memory = memory.WithWeights(c.weights)
		} else {
			path := filepath.Join(t.TempDir(), "x.npy")
			if err := SaveMatrix(path, c.x); err != nil {
				t.Fatal(err)
			}
			narrow = *Stream(path)
		}
		o := Options{Starts: 3, Seed: seed + 1, MaxIterations: 200}
		forms := map[string]*Moment{"automatic": memory.Moment(c.d), "implicit": memory.Moment(c.d).Implicit(),
			"compressed": memory.Moment(c.d).Compressed(0), "sampled": memory.Moment(c.d).Sampled(50)}
		if math.Pow(float64(n), float64(c.d)) < 1e6 {
			forms["explicit"] = memory.Moment(c.d).Explicit()
		}
		if c.weights == nil {
			forms["stream"] = narrow.Moment(c.d)
		}
		fits := map[string]*Fit{}
		for name, m := range forms {
			if name == "sampled" {
				o.MaxIterations = 300
			}
			f := m.With(o).Decompose(c.r)
			if f.Err() != nil {
				t.Errorf("%s, %s: %v", c, name, f.Err())
				continue
			}
			fits[name] = f
			// p^2 terms of both signs: their sizes add up to at most the norms'.
			if v := f.NormSquared; !v.Exact() || !(math.Abs(v.Value-truth) <= 1e-11*scaleOf(c)) {
				t.Errorf("%s, %s: ||X||^2 = %s, by brute force %g", c, name, v, truth)
			}
			// f and ||X||^2 are each rounded relative to the largest of their terms.
			slack := 1e-9 + 1e-11*scaleOf(c)/truth
			if !(f.RelativeError >= -slack) || name != "sampled" && !(f.RelativeError <= 1+slack) {
				t.Errorf("%s, %s: relative error %g", c, name, f.RelativeError)
			}
			for other, m := range map[string]*Moment{"implicit": memory.Moment(c.d).Implicit(), "explicit": forms["explicit"]} {
				if m == nil {
					continue
				}
				e := m.Evaluate(f.Model)
				if e.Err() != nil {
					t.Errorf("%s, %s evaluated as %s: %v", c, name, other, e.Err())
				} else if size := sizeOf(f.Model) + scaleOf(c); !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-9*size) {
					t.Errorf("%s: f of the %s fit is %.15g, evaluated as %s %.15g", c, name, f.ObjectiveShifted, other, e.ObjectiveShifted)
				}
			}
			text := joined(f.Warnings, "\n")
			if hits, ok := f.AtBest, len(f.Starts) > 0; ok && hits == 1 && name != "sampled" && len(f.Starts) > 1 && !strings.Contains(text, "only 1 of") {
				t.Errorf("%s, %s: one start found the best, without a warning: %q", c, name, text)
			}
			if f.Status != "converged" && name != "sampled" && !strings.Contains(text, "before it converged") {
				t.Errorf("%s, %s: %s without a warning: %q", c, name, f.Status, text)
			}
			if c.r > p && !strings.Contains(text, "more than the data can carry") {
				t.Errorf("%s, %s: no warning of a rank above p: %q", c, name, text)
			}
		}
		// From the same start all forms end at f as low as each other.
		best := fits["implicit"]
		if best == nil {
			continue
		}
		for _, name := range []string{"implicit", "explicit", "stream"} {
			m := forms[name]
			if m == nil {
				continue
			}
			if name == "stream" {
				m = m.Implicit()
			}
			again := m.With(Options{InitialModel: best.Model, MaxIterations: 50}).Decompose(c.r)
			if again.Err() != nil {
				t.Errorf("%s, %s from the model: %v", c, name, again.Err())
			} else if size := sizeOf(best.Model) + scaleOf(c); again.ObjectiveShifted > best.ObjectiveShifted+1e-9*size {
				t.Errorf("%s, %s: f rises from %.15g to %.15g", c, name, best.ObjectiveShifted, again.ObjectiveShifted)
			}
		}
	}
}

// scaleOf is what the terms of ||X||^2 can add up to: (sum nu |v|^d)^2.
func scaleOf(c randomCase) float64 {
	p, _ := c.x.Dims()
	var sum, total float64
	for l := range p {
		nu := 1.0
		if c.weights != nil {
			nu = c.weights[l]
		}
		total += nu
		sum += nu * math.Pow(mat.Norm(c.x.RowView(l), 2), float64(c.d))
	}
	return sum / total * (sum / total)
}

// sizeOf is what the terms of ||M||^2 can add up to.
func sizeOf(m *Model) float64 {
	var sum float64
	for _, l := range m.Lambda {
		sum += math.Abs(l)
	}
	return sum * sum
}

// Observations that lie symmetrically about 0 have odd moments that are 0 but
// for rounding: no form fits that, or evaluates a model on it. Even moments are
// what they are, and so is an odd one of observations that are nearly so.
func TestMirrored(t *testing.T) {
	const p, n = 40, 3
	x := mat.NewDense(2*p, n, nil)
	for i := range p {
		for j := range n {
			v := math.Sin(float64(1+i*n+j)*1.7) * math.Exp(float64(i%7))
			x.Set(i, j, v)
			x.Set(2*p-1-i, j, -v)
		}
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := SaveMatrix(path, x); err != nil {
		t.Fatal(err)
	}
	model := &Model{Order: 3, Lambda: []float64{1}, Factors: &NamedMatrix{Dense: mat.NewDense(n, 1, []float64{1, 0, 0})}}
	for name, m := range map[string]*Moment{"automatic": FromMatrix(x).Moment(3), "implicit": FromMatrix(x).Moment(3).Implicit(),
		"explicit": FromMatrix(x).Moment(3).Explicit(), "compressed": FromMatrix(x).Moment(3).Compressed(0), "sampled": FromMatrix(x).Moment(3).Sampled(20),
		"blocks": FromMatrix(x.Slice(0, 7, 0, n)).Append(x.Slice(7, 2*p, 0, n)).Moment(3), "stream": Stream(path).Moment(3)} {
		for what, err := range map[string]error{"decompose": m.With(Options{Starts: 2, MaxIterations: 20}).Decompose(2).Err(), "evaluate": m.Evaluate(model).Err()} {
			if err == nil || !strings.Contains(err.Error(), "zero to within rounding") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if f := FromMatrix(x).Moment(4).Decompose(2); f.Err() != nil || !(f.RelativeError >= 0 && f.RelativeError < 1) {
		t.Errorf("order 4: %v", f)
	}
	x.Set(6, 0, x.At(6, 0)*1.001)
	if f := FromMatrix(x).Moment(3).Decompose(1); f.Err() != nil || !(f.RelativeError >= -1e-9 && f.RelativeError < 1) {
		t.Errorf("nearly symmetric: %v", f)
	}
}
