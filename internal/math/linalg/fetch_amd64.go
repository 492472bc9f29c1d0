//go:build amd64 && !purego

package linalg

import (
	"os"
	"runtime"
	"sync"
	"unsafe"
)

// fetching says which data are Near and which Beside, and how those of other reach are
// fetched.
type fetching struct {
	near, beside int // bytes
	hints        [Memory + 1]hint
	follows      bool   // the processor fetches what is Beside by itself, if rows are long and columns few
	gathers      bool   // numbers of 8 rows into a vector, for nothing; see dotLanes
	spreads      bool   // many requests at once take longer than those spread over products
	overlaps     int    // bytes of the first-level cache that addOverlapped counts on; 0 where tiles are faster, or it was not measured
	tiles        tiling // none for usualTiles
}

// zen5Tiles: what policy says of Zen 5.
var zen5Tiles = tiling{
	elements: [...]int{Near: 3 << 14, Cached: 3 << 13, Memory: 1 << 14},
	rows:     [...]int{Near: 128, Cached: 128, Memory: 64},
	few:      5 << 10,
}

// policy is that of the processor. What was measured, all with BenchmarkReach:
//
//	AMD, Zen 4 and 5, 1 MB of second-level cache: up to 6 MB asking costs up to a
//	quarter of the time, for nothing. Lines of a non-temporal prefetch are put in the
//	second-level cache and then dropped instead of being pushed back to the third, which
//	is up to 20% faster where they come from there and are still there the next time.
//	It is 10% slower where they come from memory; there asking twice gains 10 to 15%,
//	as requests are dropped when too many are under way. Moves between registers take no
//	time of the products: a column left over by the lanes beside them takes 5% less time
//	than in a tile (Zen 5, 75 variables, rank 25).
//
//	AMD, Zen 5: up to 11 MB asking costs 3 to 14% with up to 9 columns and 75 variables or
//	more, and 1 to 8% with up to 16; with more, it gains as often as it costs. Where other
//	programs have pushed the data out of the third-level cache it gains up to 30%; one that
//	copies memory on the next core does not. With 30 to 64 variables it gains 5 to 25%.
//	Blocks larger than on Zen 4 take 3 to 8% less time with 3 columns or more, as sums are
//	loaded and stored, and loops started, less often; except from memory. With 1 and 2
//	columns blocks that stay in the first-level cache take 5 to 25% less (20 to 500
//	variables).
//
//	AMD, Zen 3, .5 MB: up to 6 MB asking costs up to a tenth. Beyond, asking once or with
//	lines to be dropped is as fast from the third-level cache as from memory, and 5 to 8%
//	faster than asking twice. From the third-level cache, blocks of 128 KB are 4 to 6%
//	faster than of 192 KB, as two of them stay in the second-level cache with the rest.
//
//	Intel, a Xeon like Granite Rapids, 2 MB: asking pays from .8 of the second-level
//	cache on (3 to 11%; at 1.2 MB it costs 4%), and asking twice costs up to 5%. A
//	non-temporal prefetch goes to the first-level cache, too small for a block: 33 to 62%
//	slower. Where columns lie in lanes, only the way there asks: up to 30% faster than
//	not asking, and up to 27% faster than with tiles that ask on the way back, too.
//	Requests one after the other are 15 to 30% slower from memory than at several places in
//	turn (500 variables, up to 10 columns), and leave out up to every second line where there
//	are up to 6 columns; from the third-level cache they are up to 5% slower, with up to 5
//	columns. Requests in bursts wait for each other: the pass for ||X||^2 takes up to 17% less
//	time without. Products that overlap (BenchmarkOverlap) take 15 to 40% less time with one
//	column and up to 27% with two from the second-level cache, 2 to 23% from the third, and up
//	to 15% more from memory.
//
//	Others: not measured.
var policy = func() fetching {
	_, b, c, d := cpuid(0)
	switch {
	case b == 0x68747541 && d == 0x69746e65 && c == 0x444d4163 && secondLevel() < 1<<20: // AuthenticAMD, before Zen 4
		return fetching{near: farBytes, beside: farBytes, hints: [...]hint{Cached: hintOnce, Memory: hintOnce}}
	case b == 0x68747541 && d == 0x69746e65 && c == 0x444d4163 && family() < 26:
		return fetching{near: farBytes, beside: farBytes, hints: [...]hint{Cached: hintDrop, Memory: hintTwice}, gathers: true}
	case b == 0x68747541 && d == 0x69746e65 && c == 0x444d4163: // from Zen 5 on
		return fetching{near: farBytes, beside: 11 << 20, hints: [...]hint{Beside: hintDrop, Cached: hintDrop, Memory: hintTwice}, follows: true, gathers: true, tiles: zen5Tiles}
	case b == 0x756e6547 && d == 0x49656e69 && c == 0x6c65746e: // GenuineIntel
		return fetching{near: secondLevel() / 5 * 4, beside: farBytes, hints: [...]hint{Beside: hintStreams, Cached: hintStreams, Memory: hintStreams}, spreads: true, overlaps: firstLevel()}
	}
	return fetching{near: farBytes, beside: farBytes, hints: [...]hint{Cached: hintTwice, Memory: hintTwice}}
}().forced(os.Getenv("SYMMOM_FETCH"))

var tiles = policy.blocks()

// blocks returns the bounds of blocks of V.
func (f *fetching) blocks() tiling {
	if f.tiles != (tiling{}) {
		return f.tiles
	}
	t := usualTiles
	if secondLevel() < 1<<20 {
		t.elements[Cached] = 1 << 14
	}
	return t
}

// forced returns the policy with the hint that a person asked for, if one.
func (f fetching) forced(want string) fetching {
	if h, ok := hintOf(want); ok {
		f.hints, f.follows = [...]hint{Beside: h, Cached: h, Memory: h}, false
	}
	return f
}

// nearBytes is the size up to which data are Near, besideBytes that up to which they are
// Beside.
func nearBytes() int   { return policy.near }
func besideBytes() int { return policy.beside }

// AheadShare returns how many of the numbers that are read next products had better ask for
// where what follows them can ask for the others (Fetch): a third, as reading from memory takes
// longer than the products, or all if the processor is slow with requests in bursts.
func AheadShare(next int) int {
	if policy.spreads {
		return next
	}
	return next / 3
}

// Bounds of what the processor follows by itself: so many columns, and rows so long that it
// notices them.
const (
	followedColumns   = 16
	followedVariables = 72
)

// lanesFetched is the number of variables from which on lanes gain by asking for what lies
// Beside, 1 to 30% on Intel; with fewer it costs up to 7% (measured).
const lanesFetched = 32

// besideReach returns how what lies Beside is best read: as if it were Near, where nothing
// need be asked for, or Cached.
func besideReach(n, r int, lanes bool) Reach {
	switch {
	case policy.follows && n >= followedVariables && r <= followedColumns,
		!policy.follows && n < lanesFetched && lanes:
		return Near
	}
	return Cached
}

// family returns the family of the processor: 25 of Zen 3 and 4, 26 of Zen 5.
func family() uint32 {
	a, _, _, _ := cpuid(1)
	return a>>8&15 + a>>20&255 // the second number counts where the first is 15, as with AMD's since 2003
}

// secondLevel returns the bytes of a core's second-level cache.
var secondLevel = sync.OnceValue(func() int {
	const caches = 0x80000006
	if most, _, _, _ := cpuid(0x80000000); most >= caches {
		if _, _, c, _ := cpuid(caches); c>>16 > 0 {
			return int(c>>16) << 10
		}
	}
	return 1 << 20 // unknown
})

// fetchVector asks for what v holds.
func fetchVector[T float](v []T) {
	first := unsafe.Pointer(&v[0])
	size := uintptr(first)%lineBytes + uintptr(len(v))*unsafe.Sizeof(v[0])
	fetchLines((*byte)(first), int((size+lineBytes-1)/lineBytes))
}

// RowsTogether returns how many rows, lying anywhere, are best asked for at once, a line of each
// in turn: where requests in bursts wait for each other, rows of 4 KB are copied in a fifth less
// time than one after the other (Intel).
func RowsTogether() int {
	if policy.spreads {
		return MostTogether
	}
	return 1
}

// fetchInTurn asks for the first n numbers of rows, a line of each in turn.
func fetchInTurn[T float](rows [][]T, n int) {
	var at [MostTogether]uintptr
	var offset uintptr // within a line, at most
	for i := range at {
		at[i] = uintptr(unsafe.Pointer(&rows[min(i, len(rows)-1)][0]))
		offset = max(offset, at[i]%lineBytes)
	}
	fetchRows(&at, (int(offset)+n*int(unsafe.Sizeof(rows[0][0]))-1)/lineBytes+1)
	runtime.KeepAlive(rows)
}
