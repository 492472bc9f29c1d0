package linalg

import (
	"fmt"
	"slices"
)

// fetchElements bounds what Fetch asks for: enough for the processor to notice
// that it is a row that is read, and to fetch the rest by itself.
const fetchElements = 1 << 10

// Fetch asks for the first numbers of v, which will be read soon, to be brought
// to the cache. It waits for nothing.
func Fetch[T float](v []T) {
	if active != generic && len(v) > 0 {
		fetchVector(v[:min(len(v), fetchElements)])
	}
}

// MostTogether bounds RowsTogether.
const MostTogether = 8

// FetchRows asks for rows of equal length, RowsTogether of them or fewer, as Fetch does.
func FetchRows[T float](rows [][]T) {
	if len(rows) <= 2 || active == generic {
		for _, v := range rows {
			Fetch(v)
		}
	} else if len(rows[0]) > 0 {
		fetchInTurn(rows, min(len(rows[0]), fetchElements))
	}
}

// hint says how the kernels ask for what is to be read next.
type hint int

const (
	hintNone    hint = iota
	hintTwice        // to the second-level cache, each line twice
	hintDrop         // to be dropped from there first
	hintOnce         // to the second-level cache
	hintStreams      // like hintOnce, at several places in turn, and as often as there are lines
)

var hintNames = [...]string{hintNone: "none", hintTwice: "twice", hintDrop: "drop", hintOnce: "once", hintStreams: "streams"}

// hintOf returns the hint of a name.
func hintOf(name string) (hint, bool) {
	i := slices.Index(hintNames[:], name)
	return hint(i), i >= 0
}

// checkFetch returns an error if SYMMOM_FETCH has this value and names no hint.
func checkFetch(want string) error {
	if _, ok := hintOf(want); !ok && want != "" {
		return fmt.Errorf("SYMMOM_FETCH=%q: want none, once, streams, twice or drop, or nothing for what suits the processor", want)
	}
	return nil
}
