// Package overwrite keeps a command from overwriting its inputs, and from writing two
// results to one file, where the second would silently replace the first. Every flag
// for a file is made by Reads or Writes, so that one check, before the command's own work,
// covers them all, and another tests whether they are writable.
package overwrite

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"symmom/internal/data/shards"
	"symmom/internal/store/files"
)

// Flag is the value of a flag that names a file.
type Flag struct {
	Written bool
	path    *string
	names   func() []string // the files that it stands for; nil: that at path
}

func (v Flag) String() string {
	if v.path == nil {
		return ""
	}
	return *v.path
}

// Type is that of a text, as which help shows the default.
func (Flag) Type() string { return "string" }

// Set keeps the name.
func (v Flag) Set(s string) error {
	*v.path = s
	return nil
}

// Reads is the value of a flag that names what a command reads: a file, or several that
// are one table.
func Reads(path *string) pflag.Value { return Flag{path: path} }

// ReadsThese is like Reads, for a flag that names the files of names, if any.
func ReadsThese(path *string, names func() []string) pflag.Value {
	return Flag{path: path, names: names}
}

// Writes is the value of a flag that names a file to write.
func Writes(path *string) pflag.Value { return Flag{path: path, Written: true} }

// WritesThese is like Writes, for a flag that names the files of names, which all
// differ.
func WritesThese(path *string, names func() []string) pflag.Value {
	return Flag{path: path, Written: true, names: names}
}

// role is a file and its part in a command.
type role struct {
	flag, given string // --save and its value; an argument has no flag
	path        string
	id          files.Identity
}

// roles are the files of a command. Of those read there are the names as they were given,
// which can be several.
type roles struct{ read, written []role }

func (r *roles) add(written bool, flag, given string, paths ...string) {
	for _, path := range paths {
		if one := (role{flag: flag, given: given, path: path}); written {
			one.id = files.Identify(path)
			r.written = append(r.written, one)
		} else {
			r.read = append(r.read, one)
		}
	}
}

// rolesOf returns the files that flags and arguments name.
func rolesOf(flags *pflag.FlagSet, read, written []string) (all roles) {
	for _, arg := range read {
		all.add(false, "", arg, arg)
	}
	for _, arg := range written {
		all.add(true, "", arg, arg)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		v, ok := f.Value.(Flag)
		switch {
		case !ok || *v.path == "":
		case v.names != nil:
			all.add(v.Written, "--"+f.Name, *v.path, v.names()...)
		default:
			all.add(v.Written, "--"+f.Name, *v.path, *v.path)
		}
	})
	return all
}

// Writable returns the first error that writing the command's files would have, as far as
// that can be seen before the work rather than after it. A directory that a flag names is
// made if it is missing. For the objects of a flag one check covers the store. args are the
// arguments that are written.
func Writable(ctx context.Context, flags *pflag.FlagSet, args []string) error {
	written := rolesOf(flags, nil, args).written
	for i, w := range written {
		if i > 0 && written[i-1].flag == w.flag && files.IsURL(w.path) {
			continue
		}
		if dir := filepath.Dir(w.path); dir == filepath.Clean(w.given) {
			if _, err := os.Stat(dir); err != nil {
				continue
			}
		}
		if err := files.Check(ctx, w.path); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimPrefix(w.flag+" "+cmp.Or(files.Name(w.path), `""`), " "), err)
		}
	}
	return nil
}

// Check refuses flags by which a command would write over a file that it reads, or that
// it writes too. read and written are its arguments. Errors of names that cannot be looked up
// are left to the opener.
func Check(ctx context.Context, flags *pflag.FlagSet, read, written []string) error {
	all := rolesOf(flags, read, written)
	old, far := false, false
	for i, w := range all.written {
		for _, other := range all.written[:i] {
			if w.flag != other.flag && w.id.Is(other.id) {
				return w.over(other, "writes")
			}
		}
		old = old || w.id.Replaceable()
		far = far || files.IsURL(w.path)
	}
	if !old {
		return nil
	}
	for _, name := range all.read {
		for _, r := range name.files(ctx, far) {
			for _, w := range all.written {
				if w.id.Is(r.id) {
					return w.over(r, "reads")
				}
			}
		}
	}
	return ctx.Err()
}

// files returns the files of an input name: itself, the files that are one
// table, and the list of them. Directories of stores are listed only if a URL is written.
func (r role) files(ctx context.Context, far bool) []role {
	paths := []string{strings.TrimPrefix(r.path, "@")}
	if far || !files.IsURL(paths[0]) {
		several, _ := shards.Named(ctx, r.path)
		paths = append(paths, several...)
	}
	all := make([]role, len(paths))
	for i, path := range paths {
		all[i] = r
		all[i].path, all[i].id = path, files.Identify(path)
	}
	return all
}

// over is the error for a file that would be written over another one, which the command
// reads or writes.
func (r role) over(other role, does string) error {
	place := strings.TrimPrefix(r.flag+" "+files.Name(r.given), " ") + ":"
	if r.path != r.given {
		place += " " + files.Name(r.path)
	}
	whose := cmp.Or(other.flag, "the command") + " " + does
	if other.path != other.given {
		whose += " for " + files.Name(other.given)
	}
	return fmt.Errorf("%s would be written over %s, which %s; want another name", place, files.Name(other.path), whose)
}
