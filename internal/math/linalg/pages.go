package linalg

// GrowLarge returns x with room for at least size numbers in all, in large pages where the
// system has them: it asks for these before anything is written, as append does not.
func GrowLarge[T float](x []T, size int) []T {
	if size <= cap(x) {
		return x
	}
	to := make([]T, size)
	LargePages(to)
	return to[:copy(to, x)]
}
