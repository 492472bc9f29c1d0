//go:build amd64 && !purego

package linalg

import (
	"math"
	"unsafe"
)

// prefetcher spreads the requests for the next block of V evenly over the work
// on this one. Its zero value asks for nothing.
type prefetcher struct {
	next  uintptr // the next line to ask for
	step  int     // bytes to the one after it
	hint  hint    // hintStreams and the two after it are for one, two and four lines
	lines int     // asked for in a step of a tile

	// With hintStreams, next runs from one place to another, a step away, and from the last,
	// where it comes to end, back to the first.
	end  uintptr
	back int // 0 for a single place
	turn int // the number of the place that next is at
}

// stepLines is how many lines of lineBytes the kernels ask for in a step, or as many as
// hintStreams needs.
const stepLines, lineBytes = 2, 64

// streams is the number of places at which hintStreams asks in turn: a multiple of the lines of
// a step, after which alone the kernels look for the end, and so does advance. The processor
// follows each of them by itself, and more lines are under way than a kernel can ask for
// (measured: 8 are up to 4% faster than 4, 16 up to 10% slower than 8).
const streams = 8

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
	return spread(next, numbers*int(size), single, steps, n, reach)
}

// aheadOfDots is like ahead where there is no way back.
func (b *blocking) aheadOfDots(next Ahead, panels, n, r int) (p prefetcher) {
	if len(next.V) == 0 || next.Reach == Near {
		return p
	}
	return spread(unsafe.Pointer(&next.V[0]), 8*len(next.V), 0, b.stepsOfDots(panels, n, r), n, next.Reach)
}

// spread spreads the requests for size bytes at next, rows of n numbers, over so many steps of
// tiles, and those of lanes, which ask for a single line.
func spread(next unsafe.Pointer, size, single, steps, n int, reach Reach) (p prefetcher) {
	if single+steps == 0 {
		return p
	}
	p = prefetcher{next: uintptr(next), hint: policy.hints[reach], lines: stepLines}
	if p.hint == hintStreams {
		lines, places := streamsOf(size, single, steps, n, reach)
		if lines > 0 {
			p.lines = lines
			p.stream(size, single+lines*steps, places)
			return p
		}
		p.hint = hintOnce
	}
	lines := single + p.lines*steps
	p.step = (size + lines - 1) / lines
	return p
}

// streamsOf returns how many lines a step of a tile asks for, and at how many places in turn. It
// returns 0 lines where hintOnce is better: from memory with many more requests than lines, which
// then take longer than they gain, and from the third-level cache if there are enough of them. One
// place is better where rows are short. All measured.
func streamsOf(size, single, steps, n int, reach Reach) (lines, places int) {
	const (
		short     = 64 // rows from memory, and from the third-level cache
		shortNear = 128
	)
	all := (size + lineBytes - 1) / lineBytes
	if reach == Memory {
		switch {
		case n < short && single == 0 && 5*steps < 4*all:
			return 4, 1
		case n < short, single+steps > 2*all:
			return 0, 0
		case single > 0 || steps >= all:
			return 1, streams
		case 2*steps >= all:
			return 2, streams
		}
		return 4, streams
	}
	switch {
	case single > 0 || 2*steps >= all || n < shortNear:
		return 0, 0
	case 5*steps >= 2*all:
		return 2, streams
	}
	return 4, streams
}

// stream makes so many requests for size bytes, at several places in turn.
func (p *prefetcher) stream(size, requests, places int) {
	each := (size + requests - 1) / requests
	turns := (requests + places - 1) / places
	p.hint += hint(p.lines / 2) // 1, 2 or 4 lines
	p.step, p.end = each, math.MaxUint
	if places > 1 {
		p.step = (each*turns + lineBytes - 1) &^ (lineBytes - 1)
		p.end = p.next + uintptr(p.step*places)
		p.back = p.step*places - each
	}
}

// advance moves on by so many requests, as the kernels do.
func (p *prefetcher) advance(requests int) {
	p.next += uintptr(p.step * requests)
	if p.back > 0 {
		p.turn += requests
		p.next -= uintptr(p.turn / streams * p.back)
		p.turn %= streams
	}
}
