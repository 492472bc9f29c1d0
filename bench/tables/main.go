// Command tables checks how tables of text are read: a seed gives a random table, and its text
// in the style of some program, with and without names of every kind. The result must be
// the original table, an error, or a table with a warning of what may be wrong.
//
//	go run ./bench/tables                       5,000 seeds, into bench/TABLES.md
//	go run ./bench/tables -seed 17              one seed, to the terminal
//	go run ./bench/tables -files DIR            the files, and truth.json for bench/tables/pandas.py
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"symmom/internal/store/atomicfile"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("tables", flag.ContinueOnError)
	last := flags.Uint64("last", 5000, "last seed")
	one := flags.Uint64("seed", 0, "one seed, with its text, to the terminal")
	show := flags.String("show", "", "show the seeds of a verdict")
	dir := flags.String("files", "", "write files and truth.json into this folder, and judge nothing")
	out := flags.String("out", "", "file for the report, in place of bench/TABLES.md; - is the terminal")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *one > 0 {
		f := made(*one)
		verdict, why, _ := judge(ctx, f)
		_, err := fmt.Fprintf(stdout, "%s, header %s\n%s\n%s: %s\n", f.Program, f.Truth.Header, f.Text, verdict, why)
		return err
	}
	if *dir != "" {
		return writeFiles(*dir, *last)
	}
	c := newCounts()
	for seed := uint64(1); seed <= *last; seed++ {
		f := made(seed)
		verdict, why, warned := judge(ctx, f)
		c.add(f, verdict, warned)
		if verdict == *show {
			fmt.Fprintf(stdout, "%d, %s, header %s: %s\n", seed, f.Program, f.Truth.Header, why)
		}
	}
	if *out == "-" {
		return c.page(stdout)
	}
	return atomicfile.WriteFunc(cmp.Or(*out, filepath.Join("bench", "TABLES.md")), c.page)
}

// counts are how many tables of each program, and of each kind of names, had each verdict.
type counts struct {
	of     map[string]int
	groups map[string]map[string]int
	warned int // tables without names, of which a warning says that the first line may be names
	plain  int
}

func newCounts() *counts {
	return &counts{of: map[string]int{}, groups: map[string]map[string]int{}}
}

func (c *counts) add(f *file, verdict string, warned bool) {
	c.of[verdict]++
	for _, group := range []string{f.Program, "names: " + f.Truth.Header} {
		if c.groups[group] == nil {
			c.groups[group] = map[string]int{}
		}
		c.groups[group][verdict]++
	}
	if f.Truth.Header == "none" {
		c.plain++
		if warned {
			c.warned++
		}
	}
}

func (c *counts) page(w io.Writer) error {
	verdicts := []string{equal, flagged, asked, refused, silent}
	total := 0
	for _, v := range verdicts {
		total += c.of[v]
	}
	fmt.Fprintf(w, "# Tables of text\n\nMade by `go run ./bench/tables`: %d random tables in the styles of common programs, read without options except to drop rows with missing values. *flagged*: read otherwise than meant, with a warning of what may be wrong; *asked*: refused until `--header`, `--decimal` or `--delimiter` decides; *refused*: with a position; *silent*: read otherwise than meant, without a warning.\n\n", total)
	fmt.Fprintf(w, "Of %d tables without names, %d are read with the warning that their first line may hold names.\n\n", c.plain, c.warned)
	fmt.Fprintf(w, "| | equal | flagged | asked | refused | silent |\n|---|--:|--:|--:|--:|--:|\n")
	row := func(name string, of map[string]int) {
		fmt.Fprintf(w, "| %s |", name)
		for _, v := range verdicts {
			fmt.Fprintf(w, " %d |", of[v])
		}
		fmt.Fprintln(w)
	}
	for _, name := range slices.Sorted(maps.Keys(c.groups)) {
		row(name, c.groups[name])
	}
	row("all", c.of)
	return nil
}

func writeFiles(dir string, last uint64) error {
	type entry struct {
		*file
		File   string
		Values [][]any // of the variables, row by row
	}
	var all []entry
	for seed := uint64(1); seed <= last; seed++ {
		f := made(seed)
		e := entry{file: f, File: fmt.Sprintf("%d.txt", seed)}
		if err := os.WriteFile(filepath.Join(dir, e.File), []byte(f.Text), 0o666); err != nil {
			return err
		}
		for i := range f.Truth.p {
			var row []any
			for j := range f.Truth.Columns {
				if c := &f.Truth.Columns[j]; !c.Text && !c.Index {
					if c.Cells[i] == "" {
						row = append(row, nil)
					} else {
						row = append(row, c.Cells[i])
					}
				}
			}
			e.Values = append(e.Values, row)
		}
		f.Text = ""
		all = append(all, e)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "truth.json"), text, 0o666)
}
