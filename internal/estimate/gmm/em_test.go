package gmm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
)

// clusters returns observations of three components, shifted by by.
func clusters(p, n int, by float64, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: make([]float64, p)}
	normal(x.V, rng)
	var total float64
	for l := range x.Nu {
		x.Nu[l] = .5 + rng.Float64()
		total += x.Nu[l]
	}
	linalg.Scale(1/total, x.Nu)
	for l := range p {
		for i := range n {
			x.V[l*n+i] = x.V[l*n+i]*(.5+.3*float64(l%3)) + by
		}
		x.V[l*n+l%3] += 4
	}
	return x
}

// someMixture returns a mixture near the clusters, of any shape.
func someMixture(n, r int, shape Shape, rng *rand.Rand) *Mixture {
	g := NewMixture(n, r, shape)
	for j := range r {
		g.Weights[j] = float64(j+1) * 2 / float64(r*(r+1))
		for i := range n {
			g.Means[j*n+i] = rng.NormFloat64()
		}
		g.Means[j*n+j%n] += 3
	}
	for j := 0; j*covSize(n, 1, shape) < len(g.Cov); j++ {
		c := g.Cov[j*covSize(n, 1, shape):]
		switch shape {
		case Spherical:
			c[0] = .5 + rng.Float64()
		case Diagonal:
			for i := range n {
				c[i] = .5 + rng.Float64()
			}
		default:
			root := make([]float64, n*n)
			for range n {
				rng.Float64() // the tests' seeds were chosen with this draw
			}
			normal(root, rng)
			linalg.MulABt(c, root, root, n, n, n)
			linalg.Scale(1/float64(n), c[:n*n])
			for i := range n {
				c[i*n+i] += .3
			}
		}
	}
	return g
}

func normal(v []float64, rng *rand.Rand) {
	for i := range v {
		v[i] = rng.NormFloat64()
	}
}

// plainEM is one step of EM, written naively with gonum's densities.
func plainEM(x *block.Dense, g *Mixture, shape Shape) (*Mixture, float64) {
	n, r := g.N, g.R
	normals := make([]*distmv.Normal, r)
	s := make([]float64, n*n)
	for j := range r {
		g.Matrix(s, j)
		normals[j], _ = distmv.NewNormal(g.Means[j*n:(j+1)*n], mat.NewSymDense(n, append([]float64(nil), s...)), nil)
	}
	counts, means := make([]float64, r), make([]float64, r*n)
	gamma := make([]float64, x.P*r)
	var logs float64
	for l := range x.P {
		w := x.Share() * float64(x.P)
		if x.Nu != nil {
			w *= x.Nu[l]
		}
		v := x.V[l*n : (l+1)*n]
		var sum float64
		for j := range r {
			gamma[l*r+j] = g.Weights[j] * normals[j].Prob(v)
			sum += gamma[l*r+j]
		}
		logs += w * math.Log(sum)
		for j := range r {
			gamma[l*r+j] *= w / sum
			counts[j] += gamma[l*r+j]
			for i := range n {
				means[j*n+i] += gamma[l*r+j] * v[i]
			}
		}
	}
	h := NewMixture(n, r, shape)
	for j := range r {
		h.Weights[j] = counts[j] / float64(x.P)
		for i := range n {
			h.Means[j*n+i] = means[j*n+i] / counts[j]
		}
	}
	for l := range x.P {
		for j := range r {
			w := gamma[l*r+j]
			for i := range n {
				di := x.V[l*n+i] - h.Means[j*n+i]
				switch shape {
				case Spherical:
					h.Cov[j] += w * di * di / counts[j] / float64(n)
				case Diagonal:
					h.Cov[j*n+i] += w * di * di / counts[j]
				}
				for k := range n {
					dk := x.V[l*n+k] - h.Means[j*n+k]
					switch shape {
					case Tied:
						h.Cov[i*n+k] += w * di * dk / float64(x.P)
					case Full:
						h.Cov[j*n*n+i*n+k] += w * di * dk / counts[j]
					}
				}
			}
		}
	}
	return h, logs
}

// shifted converts a mixture to the data's coordinates: v = center + unit w.
func shifted(g *Mixture, center []float64, unit float64) *Mixture {
	h := g.Clone()
	for j := range h.R {
		for i := range h.N {
			h.Means[j*h.N+i] *= unit
			if center != nil {
				h.Means[j*h.N+i] += center[i]
			}
		}
	}
	for i := range h.Cov {
		h.Cov[i] *= unit * unit
	}
	return h
}

func TestEMStep(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{3, 9} {
		for shape := Spherical; shape <= Full; shape++ {
			for from := Spherical; from <= Full; from++ {
				t.Run(fmt.Sprint(n, from, shape), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(n), uint64(shape)))
					x := clusters(700, n, 5, rng)
					center, unit := make([]float64, n), 3.
					for i := range center {
						center[i] = 5
					}
					g := someMixture(n, 3, from, rng)
					want, logs := plainEM(x, shifted(g, center, unit), shape)
					for name, source := range map[string]block.Source{"memory": x, "blocks": &pieces{Dense: x, rows: 128}} {
						e := NewEM(source, center, unit, 3, shape, 2)
						h := g.Clone()
						if got, ok := e.LogLikelihood(ctx, h); !ok || !(math.Abs(got-logs) <= 1e-9*math.Abs(logs)) {
							t.Errorf("%s: log-likelihood %.12g, want %.12g", name, got, logs)
						}
						got, ok := e.Step(ctx, h)
						// 700 terms, each accurate to 1e-15 of the largest.
						if !ok || !(math.Abs(got-logs) <= 1e-9*math.Abs(logs)) {
							t.Errorf("%s: log-likelihood %.12g, want %.12g", name, got, logs)
						}
						h = shifted(h, center, unit)
						for what, pair := range map[string][2][]float64{"weights": {h.Weights, want.Weights}, "means": {h.Means, want.Means}, "covariances": {h.Cov, want.Cov}} {
							for i, v := range pair[1] {
								if !(math.Abs(pair[0][i]-v) <= 1e-9*math.Max(1, math.Abs(v))) {
									t.Errorf("%s: %s[%d] = %g, want %g", name, what, i, pair[0][i], v)
								}
							}
						}
					}
				})
			}
		}
	}
}

// The likelihood never falls, except for rounding.
func TestEMIsMonotone(t *testing.T) {
	ctx := context.Background()
	for shape := Spherical; shape <= Full; shape++ {
		rng := rand.New(rand.NewPCG(4, uint64(shape)))
		x := clusters(400, 4, 0, rng)
		e := NewEM(x, nil, 1, 4, shape, 1)
		e.SetFloor(1e-6)
		g := someMixture(4, 4, shape, rng)
		last := math.Inf(-1)
		for step := range 100 {
			now, ok := e.Step(ctx, g)
			if !ok {
				t.Fatal("not finished")
			}
			if now < last-1e-9*math.Abs(last) {
				t.Errorf("shape %d: step %d lowers the log-likelihood from %.12g to %.12g", shape, step, last, now)
			}
			last = now
		}
	}
}

// inCoordinates returns observations as coordinates in a basis, with the distance
// from its span last.
func inCoordinates(x *block.Dense, b *moment.Basis) *block.Dense {
	n, k := b.N, b.K
	w := make([]float64, x.P*k)
	linalg.MulABt(w, x.V, b.Q, x.P, k, n)
	in := &block.Dense{P: x.P, N: k + 1, Nu: x.Nu, V: make([]float64, x.P*(k+1))}
	for l := range x.P {
		var all, inside float64
		for _, v := range x.V[l*n : (l+1)*n] {
			all += v * v
		}
		for i, v := range w[l*k : (l+1)*k] {
			in.V[l*(k+1)+i] = v
			inside += v * v
		}
		in.V[l*(k+1)+k] = math.Sqrt(math.Max(0, all-inside))
	}
	return in
}

// In coordinates with the distance from their span last, the likelihood equals that
// in the full space.
func TestEMInCoordinates(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(6, 6))
	const n, k = 7, 3
	x := clusters(300, n, 0, rng)
	b, err := moment.NewBasis(ctx, x, nil, k, k, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	in := inCoordinates(x, b)
	g := someMixture(k+1, 3, Spherical, rng)
	for j := range 3 {
		g.Means[j*(k+1)+k] = 0
	}
	full := NewMixture(n, 3, Spherical)
	copy(full.Weights, g.Weights)
	copy(full.Cov, g.Cov)
	for j := range 3 {
		b.Lift(full.Means[j*n:(j+1)*n], g.Means[j*(k+1):j*(k+1)+k], 1)
	}
	small, whole := NewEM(in, nil, 1, 3, Spherical, 1), NewEM(x, nil, 1, 3, Spherical, 1)
	small.Coordinates(n)
	for range 5 {
		got, _ := small.LogLikelihood(ctx, g)
		want, _ := whole.LogLikelihood(ctx, full)
		if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Fatalf("log-likelihood %.12g, want %.12g", got, want)
		}
		small.Step(ctx, g)
		copy(full.Weights, g.Weights)
		copy(full.Cov, g.Cov)
		for j := range 3 {
			b.Lift(full.Means[j*n:(j+1)*n], g.Means[j*(k+1):j*(k+1)+k], 1)
		}
	}
}

func TestEMAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := clusters(600, 5, 0, rng)
	for shape := Spherical; shape <= Full; shape++ {
		e := NewEM(x, make([]float64, 5), 1, 3, shape, 1)
		g := someMixture(5, 3, shape, rng)
		e.Step(context.Background(), g)
		if n := testing.AllocsPerRun(5, func() { e.Step(context.Background(), g) }); n > 0 {
			t.Errorf("shape %d: %g allocations a step", shape, n)
		}
	}
}

func TestEMThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	x := clusters(3000, 5, 1, rng)
	start := someMixture(5, 3, Diagonal, rng)
	one, four := start.Clone(), start.Clone()
	a, _ := NewEM(x, nil, 1, 3, Diagonal, 1).Step(context.Background(), one)
	b, _ := NewEM(x, nil, 1, 3, Diagonal, 4).Step(context.Background(), four)
	if a != b || fmt.Sprint(one) != fmt.Sprint(four) {
		t.Error("four threads give other bits than one")
	}
}

// pieces passes observations in blocks.
type pieces struct {
	*block.Dense
	rows int
}

func (x *pieces) BlockRows() int { return min(x.rows, x.P) }

func (x *pieces) Pass(ctx context.Context, do func(block.Block)) bool {
	all := block.Block{Rows: x.P, V: x.V, V32: x.V32, Nu: x.Nu}
	for lo := 0; lo < x.P && ctx.Err() == nil; lo += x.rows {
		do(all.Part(lo, min(lo+x.rows, x.P), x.N))
	}
	return ctx.Err() == nil
}

// Narrow components far from each other: features of the observations lose digits there.
func TestFullFarApart(t *testing.T) {
	const p, r, apart = 600, 3, 3e5
	rng := rand.New(rand.NewPCG(9, 9))
	x := &block.Dense{P: p, N: 2, V: make([]float64, 2*p)}
	g := NewMixture(2, r, Full)
	for j := range r {
		g.Weights[j] = 1. / r
		copy(g.Cov[4*j:], []float64{1, .5, .5, 1})
		if j > 0 {
			g.Means[2*j+j-1] = apart
		}
	}
	want := 0.
	for l := range p {
		j, u, v := l%r, rng.NormFloat64(), rng.NormFloat64()
		x.V[2*l] = g.Means[2*j] + u
		x.V[2*l+1] = g.Means[2*j+1] + u/2 + math.Sqrt(.75)*v
		// Of the observation as it is rounded.
		du, dv := x.V[2*l]-g.Means[2*j], x.V[2*l+1]-g.Means[2*j+1]
		want += math.Log(1./r) - math.Log(2*math.Pi) - math.Log(.75)/2 - (du*du-du*dv+dv*dv)/.75/2
	}
	got, ok := NewEM(x, nil, 1, r, Full, 1).LogLikelihood(t.Context(), g)
	if !ok || !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("log-likelihood %.15g, want %.15g", got, want)
	}
}
