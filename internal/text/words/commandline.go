package words

import (
	"regexp"
	"strings"
)

// CommandLine formats a command of symmom so that a shell reads it as it was given.
func CommandLine(args []string) string {
	out := "symmom"
	for _, arg := range args {
		if !safeWord.MatchString(arg) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		out += " " + arg
	}
	return out
}

var safeWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)
