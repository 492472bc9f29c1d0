//go:build amd64 && !purego

package linalg

// slabBlocking is the shape of the tiles of the kernels of slabs.
var slabBlockings = [...]struct{ panels, vectors, eight int }{
	avx2:   {panels: 2, vectors: 3, eight: 1},
	avx512: {panels: 4, vectors: 5, eight: 3},
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
	s.add(c, many, panels, &y[s.First], &x[0], &z[0])
	if fewer > 0 {
		s.add(c-1, fewer, panels, &y[s.First+c*many*s.Variables], &x[0], &z[panel*c*many])
	}
}

// dot multiplies q panels of rows with tiles of c vectors.
func (s *Slab) dot(c, tiles, q int, z, x, a *float64, ahead int) {
	if active == avx512 {
		slabDotAVX512(c, tiles, q, s.Width, z, 64*s.R, x, 64*s.Width, a, 8*s.Variables, 8*ahead)
		return
	}
	slabDotAVX2(c, tiles, q, s.Width, z, 64*s.R, x, 64*s.Width, a, 8*s.Variables, 8*ahead)
}

// fold is the step between the products, for panels of one middle index.
func (s *Slab) fold(panels int, z, p, g, a, y *float64) {
	if active == avx512 {
		foldAVX512(panels, s.R, z, p, g, 8*s.Products, a, y, 8*s.Variables)
		return
	}
	foldAVX2(panels, s.R, z, p, g, 8*s.Products, a, y, 8*s.Variables)
}

// add multiplies the rows back, for tiles of c vectors.
func (s *Slab) add(c, tiles, panels int, y, x, z *float64) {
	groups := s.Width / 4
	if c <= slabBlockings[active].eight {
		groups = s.Width / 8
	}
	if active == avx512 {
		slabAddAVX512(c, tiles, groups, panels, y, 8*s.Variables, x, 64*s.Width, z, 64*s.R)
		return
	}
	slabAddAVX2(c, tiles, groups, panels, y, 8*s.Variables, x, 64*s.Width, z, 64*s.R)
}
