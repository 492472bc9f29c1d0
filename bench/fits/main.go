// Command fits judges fits from file to number: a seed gives a random table in a random
// file and a random fit of its moment, which is then checked by plain loops, by other
// fits, and by itself on another number of threads, all through the public package.
//
//	go run ./bench/fits                      400 seeds, into bench/FITS.md
//	go run ./bench/fits -seed 17             one seed, to the terminal
//	go run ./bench/fits -last 40 -out -      a trial, to the terminal
//	go run ./bench/fits -small               searches of small tables, into bench/SMALL.md
//	go run ./bench/fits -pace                how long they take, into bench/PACE.md
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"symmom/internal/store/atomicfile"
	"symmom/internal/text/words"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fits:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("fits", flag.ContinueOnError)
	first := flags.Uint64("first", 1, "first seed")
	last := flags.Uint64("last", 400, "last seed")
	one := flags.Uint64("seed", 0, "one seed, with all its figures, to the terminal")
	only := flags.String("only", "", "one kind of data")
	pace := flags.Bool("pace", false, "time the automatic choice beside every form and solver, into bench/PACE.md")
	smallOnes := flags.Bool("small", false, "search small tables, beside many starts, into bench/SMALL.md")
	kept := flags.String("kept", "", "file that keeps what became of each seed; those in it are not run again")
	out := flags.String("out", "", "file for the report, in place of bench/FITS.md or bench/PACE.md; - is the terminal")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *one > 0 {
		v, err := examine(ctx, *one)
		if err == nil {
			v.print(stdout)
		}
		return err
	}
	write := func(name string, f func(io.Writer) error) error {
		if *out == "-" {
			return f(stdout)
		}
		return atomicfile.WriteFunc(cmp.Or(*out, filepath.Join("bench", name)), f)
	}
	if *smallOnes {
		return write("SMALL.md", func(w io.Writer) error { return writeSmall(ctx, *first, *last, w) })
	}
	if *pace {
		all, err := races(ctx, *first, *last, *only)
		if err != nil {
			return err
		}
		return write("PACE.md", func(w io.Writer) error { return writeRaces(w, all) })
	}
	p := &page{only: *only}
	if *kept != "" {
		if err := p.read(*kept); err != nil {
			return err
		}
	}
	for seed := *first; seed <= *last; seed++ {
		if *only != "" && kinds[seed%uint64(len(kinds))].name != *only {
			continue
		}
		if slices.ContainsFunc(p.records, func(r record) bool { return r.Seed == seed }) {
			continue
		}
		began := time.Now()
		v, err := examine(ctx, seed)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		fmt.Fprintf(os.Stderr, "seed %d: %s; %s in %s\n", seed, v.q, v.outcome(), words.Duration(time.Since(began)))
		p.add(v.record(time.Since(began)))
		if *kept != "" {
			// After each seed, so that hours of work are not lost.
			if err := atomicfile.WriteFunc(*kept, p.keep); err != nil {
				return err
			}
		}
	}
	return write("FITS.md", p.write)
}
