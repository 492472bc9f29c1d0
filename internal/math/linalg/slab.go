package linalg

// Slab is a part of a symmetric tensor whose distinct entries are held once,
// and how it lies in memory. Let the indices of an entry be sorted. Some come
// before (its row), one is the middle index k, and one comes after (its column):
// a variable from First on. Each k has panels of 8 rows, the last of them filled
// up with zeros; a panel is Width columns of 8 numbers each. What is no entry is
// zero.
//
// For a vector a the slab stands for sum_k a_k p' X_k a, with p the products of
// the components of a that belong to rows. Add finds its derivatives.
type Slab struct {
	R            int      // vectors
	First, Width int      // multiples of 8
	Variables    int      // from vector to vector of a and y: at least First + Width
	Products     int      // from vector to vector of p and g
	Middle       []Middle // in the order of their panels
	Ahead        int      // numbers from x to what will be read next; 0: nothing is fetched
}

// Middle is a middle index K and its rows: Panels of 8, from row Row of all rows
// on, which is a multiple of 8.
type Middle struct{ K, Row, Panels int }

// Panels returns the number of panels.
func (s *Slab) Panels() int {
	panels := 0
	for _, m := range s.Middle {
		panels += m.Panels
	}
	return panels
}

// slabElements bounds the numbers of a slab that are multiplied at once: they
// are used twice, and stay in the second-level cache (measured).
const (
	slabElements  = 1 << 14
	slabMaxPanels = 64
)

// SlabPanels returns the number of panels of a slab that should be multiplied
// at once.
func SlabPanels(width int) int { return max(1, min(slabMaxPanels, slabElements/(panel*width))) }

// SlabScratch returns the length of the scratch of Slab.Add.
func SlabScratch(panels, r int) int { return panel * panels * r }

// Add adds the derivatives for R vectors a (R x Variables, 0 beyond the last
// variable): those by the middle and the last component to y, which is as
// large, those by the products p (R x Products) to g, which is as large as
// these. x begins with the slab. z is scratch. 4 R operations an entry.
func (s *Slab) Add(y, g, x, a, p, z []float64) {
	panels := s.Panels()
	y, a, g, p = y[:s.R*s.Variables], a[:s.R*s.Variables], g[:s.R*s.Products], p[:s.R*s.Products]
	x, z = x[:panels*panel*s.Width], z[:SlabScratch(panels, s.R)]
	if active == generic {
		s.addGeneric(y, g, x, a, p)
		return
	}
	s.addTiles(y, g, x, a, p, z)
}

// addGeneric is Add in Go.
func (s *Slab) addGeneric(y, g, x, a, p []float64) {
	size := panel * s.Width
	for _, m := range s.Middle {
		for i := range m.Panels {
			rows := x[i*size : (i+1)*size]
			for j := range s.R {
				aj, yj := a[j*s.Variables:(j+1)*s.Variables], y[j*s.Variables:(j+1)*s.Variables]
				at := j*s.Products + m.Row + i*panel
				yj[m.K] += addPanel(yj[s.First:], rows, aj[s.First:], aj[m.K], (*[panel]float64)(p[at:]), (*[panel]float64)(g[at:]))
			}
		}
		x = x[m.Panels*size:]
	}
}

// addPanel adds what one panel of rows has in y and g for one vector and
// returns what it has in the component of the middle index, which is b.
func addPanel(y, rows, a []float64, b float64, p, g *[panel]float64) (d float64) {
	var u [panel]float64
	for l := 0; l+panel <= len(rows); l += panel {
		x, v := (*[panel]float64)(rows[l:]), a[l/panel]
		for i := range u {
			u[i] += x[i] * v
		}
	}
	for i, q := range p {
		g[i] += b * u[i]
		d += q * u[i]
		u[i] = b * q
	}
	for l := 0; l+panel <= len(rows); l += panel {
		x := (*[panel]float64)(rows[l:])
		y[l/panel] += (u[0]*x[0] + u[1]*x[1]) + (u[2]*x[2] + u[3]*x[3]) + ((u[4]*x[4] + u[5]*x[5]) + (u[6]*x[6] + u[7]*x[7]))
	}
	return d
}
