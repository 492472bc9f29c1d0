package words

import "fmt"

// Numbered extends a list of names with numbered ones.
func Numbered(given []string, n int, noun string) []string {
	names := make([]string, n)
	for j := range names {
		if j < len(given) && given[j] != "" {
			names[j] = given[j]
		} else {
			names[j] = fmt.Sprintf("%s %d", noun, j+1)
		}
	}
	return names
}
