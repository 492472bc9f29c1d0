package notice

// When starts have found enough.
const (
	EnoughHits = 3 // starts that found the best
	FewHits    = 5 // one start in this many is enough; a lower share is reported
)

// FewFound reports whether so few of all starts found the best that a better one may be
// there: too few for a search to stop, or a small share.
func FewFound(hits, all int) bool {
	return all > 1 && (hits == 1 || hits < EnoughHits && 2*hits < all || FewHits*hits < all)
}
