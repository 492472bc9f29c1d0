package solve

import (
	"symmom/internal/math/linalg"

	"gonum.org/v1/gonum/floats"
)

// pairs keeps the last m correction pairs s = x_{k+1} - x_k, y = g_{k+1} - g_k,
// oldest first. It has room for one more, so that a pair can be formed before it
// is known whether it is worth the oldest.
type pairs struct {
	slots       int // m + 1
	head, count int
	s, y        [][]float64
}

func newPairs(n, m int) pairs {
	p := pairs{slots: m + 1, s: make([][]float64, m+1), y: make([][]float64, m+1)}
	buf := make([]float64, 2*(m+1)*n)
	for i := range p.s {
		p.s[i], buf = buf[:n:n], buf[n:]
		p.y[i], buf = buf[:n:n], buf[n:]
	}
	return p
}

// slot is where pair j is kept, 0 the oldest, count the one being formed.
func (p *pairs) slot(j int) int { return (p.head + j) % p.slots }

// pair returns pair j, 0 the oldest.
func (p *pairs) pair(j int) (s, y []float64) {
	k := p.slot(j)
	return p.s[k], p.y[k]
}

// form makes the pair of the step from (x, g) to (xt, gt), at slot(count), and
// returns s'y and y'y. use says that the curvature is positive beyond rounding:
// s'y > eps * (-g's), the test of L-BFGS-B's code. (The paper's (3.9) has
// eps*||y||^2 on the right, which depends on the unit of f.) A step with the
// strong Wolfe conditions has s'y >= (1-c2)*(-g's) and always passes.
func (p *pairs) form(r *run) (sy, yy float64, use bool) {
	s, y := p.pair(p.count)
	floats.SubTo(s, r.xt, r.x)
	floats.SubTo(y, r.gt, r.g)
	sy, yy = floats.Dot(s, y), floats.Dot(y, y)
	return sy, yy, sy > machineEpsilon*-floats.Dot(r.g, s) && sy > 0 && linalg.Finite(yy/sy)
}

// keep adds the formed pair; dropped says that the oldest went.
func (p *pairs) keep() (dropped bool) {
	if p.count < p.slots-1 {
		p.count++
		return false
	}
	p.head = p.slot(1)
	return true
}

func (p *pairs) clear() { p.head, p.count = 0, 0 }
