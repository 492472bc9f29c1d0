package words

import (
	"strconv"
	"unicode/utf8"
)

// Quote shows a value from a file: quoted, escaped, at most 40 runes.
func Quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s)[:most])) + "..."
	}
	return strconv.Quote(s)
}
