package sqlitefile

import (
	"errors"
	"strings"
)

// CheckQuery refuses a query of several statements, of which all would run and one be seen.
func CheckQuery(query string) error {
	begun, ended := false, false
	for rest := query; rest != ""; {
		token := rest[:1]
		switch c := rest[0]; {
		case c == '\'' || c == '"' || c == '`':
			token = upTo(rest, 1, rest[:1]) // a doubled one ends a token and begins the next
		case c == '[':
			token = upTo(rest, 1, "]")
		case strings.HasPrefix(rest, "--"):
			token = upTo(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			token = upTo(rest, 2, "*/")
		}
		rest = rest[len(token):]
		switch {
		case token == ";":
			ended = begun
		case strings.TrimSpace(token) == "" || strings.HasPrefix(token, "--") || strings.HasPrefix(token, "/*"):
		case ended:
			return errors.New("holds more than one statement; want one select")
		default:
			begun = true
		}
	}
	return nil
}

// upTo returns the beginning of s that ends with end, not looked for before from.
func upTo(s string, from int, end string) string {
	if i := strings.Index(s[from:], end); i >= 0 {
		return s[:from+i+len(end)]
	}
	return s
}
