//go:build (amd64 || arm64) && !purego

package linalg

// slabBlocking is the shape of the tiles of the kernels of slabs.
var slabBlockings = [...]struct{ panels, vectors, eight int }{
	avx2:   {panels: 2, vectors: 3, eight: 1},
	avx512: {panels: 4, vectors: 5, eight: 3},
	neon:   {panels: 1, vectors: 5, eight: 3},
}

// addTiles is Add.
func (s *Slab) addTiles(y, g, x, a, p, z []float64) {
	panels, size, zp := s.Panels(), panel*s.Width, panel*s.R
	b := &slabBlockings[active]
	c, many, fewer := split(s.R, b.vectors)
	for at := 0; at < panels; at += b.panels {
		q := min(b.panels, panels-at)
		s.dot(c, many, q, &z[at*zp], &x[at*size], &a[s.First], s.Ahead)
		if fewer > 0 {
			s.dot(c-1, fewer, q, &z[at*zp+panel*c*many], &x[at*size], &a[s.First+c*many*s.Variables], 0)
		}
	}
	at := 0
	for _, m := range s.Middle {
		s.fold(m.Panels, &z[at], &p[m.Row], &g[m.Row], &a[m.K], &y[m.K])
		at += m.Panels * zp
	}
	s.add(c, many, s.groups(c), panels, &y[s.First], &x[0], &z[0])
	if fewer > 0 {
		s.add(c-1, fewer, s.groups(c-1), panels, &y[s.First+c*many*s.Variables], &x[0], &z[panel*c*many])
	}
}

// groups returns in how many groups of variables the rows of tiles of c vectors are
// multiplied back.
func (s *Slab) groups(c int) int {
	if c <= slabBlockings[active].eight {
		return s.Width / 8
	}
	return s.Width / 4
}
