package diag

// EnoughHits is how many starts are to find the best fit: one that is better, and found as easily,
// all others have missed once in twenty searches then (Poisson).
const EnoughHits = 3

// FewFound reports whether so few of all starts found the best that a better one may be there.
func FewFound(hits, all int) bool {
	return all > 1 && (hits == 1 || hits < EnoughHits && 2*hits < all)
}
