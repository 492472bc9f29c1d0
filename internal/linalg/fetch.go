package linalg

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
