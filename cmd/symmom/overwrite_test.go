package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/overwrite"
)

// Every flag that names a file says whether it is read or written, and every command with
// a table says so, so that none is written over. Help names files FILE and tables DATA.
func TestFilesHaveRoles(t *testing.T) {
	flags, tables := 0, 0
	for _, c := range commandsOf(newRoot(&app{})) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			v, ok := f.Value.(overwrite.Flag)
			if file := strings.HasPrefix(name, "FILE") || name == "GUESS"; file && !ok {
				t.Errorf("%s: --%s names a file; want a value made by overwrite.Reads or Writes", c.CommandPath(), f.Name)
			} else if file {
				flags++
			}
			if ok && v.Written != strings.HasPrefix(usage, "write ") {
				t.Errorf("%s: --%s: %q, but written is %v", c.CommandPath(), f.Name, usage, v.Written)
			}
		})
		words := strings.Fields(c.Use)
		_, table := c.Annotations[tableArgument]
		if want := slices.Contains(words, "DATA") || slices.Contains(words, "IN"); table != want {
			t.Errorf("%s: its first argument is a table: %v, want %v", c.Use, table, want)
		} else if table {
			tables++
		}
	}
	if flags < 30 || tables < 9 {
		t.Errorf("%d flags and %d tables were found", flags, tables)
	}
}
