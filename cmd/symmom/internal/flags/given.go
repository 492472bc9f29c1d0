package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Exclusive returns two flags on the command line that are marked as mutually exclusive
// (MarkFlagsMutuallyExclusive, which also keeps completion from offering them), or "".
// cobra's own message names a group without dashes.
func Exclusive(fs *pflag.FlagSet) (one, other string) {
	const key = "cobra_annotation_mutually_exclusive"
	var given []*pflag.Flag
	fs.Visit(func(f *pflag.Flag) { given = append(given, f) })
	for i, f := range given {
		for _, group := range f.Annotations[key] {
			for _, g := range given[i+1:] {
				if slices.Contains(strings.Fields(group), g.Name) {
					return f.Name, g.Name
				}
			}
		}
	}
	return "", ""
}

// Meant finds an argument that may have been meant as the value of a given flag that
// needs none, and so takes one only after an equals sign; "" if there is none.
func Meant(fs *pflag.FlagSet, args []string) (flag, value string) {
	fs.Visit(func(f *pflag.Flag) {
		for _, arg := range args {
			if flag == "" && f.NoOptDefVal != "" && f.Value.Set(arg) == nil {
				flag, value = f.Name, arg
			}
		}
	})
	return flag, value
}

// Empty returns a flag of text that is given without any, as by a variable of a shell that
// is not set; "" if there is none. To a command it would be a flag that is not given.
func Empty(fs *pflag.FlagSet) (flag string) {
	fs.Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			flag = f.Name
		}
	})
	return flag
}
