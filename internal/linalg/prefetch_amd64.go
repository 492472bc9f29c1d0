//go:build amd64 && !purego

package linalg

import "unsafe"

// prefetcher spreads the requests for the next block of V evenly over the work
// on this one. Its zero value asks for nothing.
type prefetcher struct {
	next  uintptr // the next line to ask for
	step  int     // bytes to the one after it
	hint  hint
	lines int // asked for in a step of a tile
}

// stepLines is how many lines of lineBytes the kernels ask for in a step, or twice as many for
// hintEach.
const stepLines, lineBytes = 2, 64

// dotSteps and addSteps return how often the kernels ask for lines.
func (b *blocking) dotSteps(c, tiles, panels, n int) int {
	steps := tiles * panels * ((n - 1) / b.chunk)
	if c >= b.pairs {
		steps *= 2
	}
	return steps
}

// stepsOfDots returns how often all products of r columns ask.
func (b *blocking) stepsOfDots(panels, n, r int) int {
	c, many, fewer := split(r, b.dots)
	return b.dotSteps(c, many, panels, n) + b.dotSteps(c-1, fewer, panels, n)
}

func addSteps(tiles, strips, rows int) int { return tiles * strips * rows }

// steps returns how often lines are asked for during the work on a block of numbers of a
// size: by lanes, which ask for one each time, and by tiles.
func (b *blocking) steps(size uintptr, rows, n, r int, l *lanes) (single, steps int) {
	if l.vectors > 0 {
		single = calls(l.vectors) * (rows / panel) * n
	} else {
		steps = b.stepsOfDots(rows/panel, n, r)
	}
	if l.sums != nil {
		return single, steps
	}
	c, many, fewer := split(r, b.added(size))
	chunks := (n + b.chunk - 1) / b.chunk
	_, q, f := split(chunks, b.strip[c])
	steps += addSteps(many, q+f, rows)
	if fewer > 0 {
		_, q, f = split(chunks, b.strip[c-1])
		steps += addSteps(fewer, q+f, rows)
	}
	return single, steps
}

// ahead makes a prefetcher for so many numbers of a size at next.
func (b *blocking) ahead(next unsafe.Pointer, numbers int, size uintptr, rows, n, r int, l *lanes, reach Reach) prefetcher {
	single, steps := b.steps(size, rows, n, r, l)
	return spread(next, numbers*int(size), single, steps, reach)
}

// aheadOfDots is like ahead where there is no way back.
func (b *blocking) aheadOfDots(next Ahead, panels, n, r int) (p prefetcher) {
	if len(next.V) == 0 || next.Reach == Near {
		return p
	}
	return spread(unsafe.Pointer(&next.V[0]), 8*len(next.V), 0, b.stepsOfDots(panels, n, r), next.Reach)
}

// spread spreads the requests for size bytes at next over so many steps of tiles, and those
// of lanes, which ask for a single line.
func spread(next unsafe.Pointer, size, single, steps int, reach Reach) (p prefetcher) {
	if single+steps == 0 {
		return p
	}
	p = prefetcher{next: uintptr(next), hint: policy.hints[reach], lines: stepLines}
	if p.hint == hintEach {
		// Some more than the lines there are: tiles of few columns have the time, and gain
		// (measured up to 1.6 times; from 2 on it is 2 to 17% slower).
		if single == 0 && 5*stepLines*steps*lineBytes < 8*size {
			p.lines *= 2
		} else {
			p.hint = hintOnce
		}
	}
	lines := single + p.lines*steps
	p.step = (size + lines - 1) / lines
	return p
}
