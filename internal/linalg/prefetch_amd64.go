//go:build amd64 && !purego

package linalg

import "unsafe"

// prefetcher spreads the requests for the next block of V evenly over the work
// on this one. Its zero value asks for nothing.
type prefetcher struct {
	next uintptr // the next line to ask for
	step int     // bytes to the one after it
	hint int
}

// dotLines and addLines return how many lines the kernels ask for.
func (b *blocking) dotLines(c, tiles, panels, n int) int {
	lines := 2 * tiles * panels * ((n - 1) / b.chunk)
	if c >= b.pairs {
		lines *= 2
	}
	return lines
}

// linesOfDots returns how many all products of r columns ask for.
func (b *blocking) linesOfDots(panels, n, r int) int {
	c, many, fewer := split(r, b.dots)
	return b.dotLines(c, many, panels, n) + b.dotLines(c-1, fewer, panels, n)
}

func addLines(tiles, strips, rows int) int { return 2 * tiles * strips * rows }

// lines returns how many lines are asked for during the work on a block of numbers of a
// size.
func (b *blocking) lines(size uintptr, rows, n, r int, l *lanes) int {
	c, many, fewer := split(r, b.added(size))
	lines := b.linesOfDots(rows/panel, n, r)
	if l.vectors > 0 {
		lines = calls(l.vectors) * (rows / panel) * n
	}
	if l.sums != nil {
		return lines
	}
	chunks := (n + b.chunk - 1) / b.chunk
	_, q, f := split(chunks, b.strip[c])
	lines += addLines(many, q+f, rows)
	if fewer > 0 {
		_, q, f = split(chunks, b.strip[c-1])
		lines += addLines(fewer, q+f, rows)
	}
	return lines
}

// ahead makes a prefetcher for so many numbers of a size at next.
func (b *blocking) ahead(next unsafe.Pointer, numbers int, size uintptr, rows, n, r int, l *lanes, reach Reach) prefetcher {
	return spread(next, numbers*int(size), b.lines(size, rows, n, r, l), reach)
}

// aheadOfDots is like ahead where there is no way back.
func (b *blocking) aheadOfDots(next Ahead, panels, n, r int) (p prefetcher) {
	if len(next.V) == 0 || next.Reach == Near {
		return p
	}
	return spread(unsafe.Pointer(&next.V[0]), 8*len(next.V), b.linesOfDots(panels, n, r), next.Reach)
}

func spread(next unsafe.Pointer, size, lines int, reach Reach) (p prefetcher) {
	if lines == 0 {
		return p
	}
	return prefetcher{next: uintptr(next), step: (size + lines - 1) / lines, hint: int(policy.hints[reach])}
}
