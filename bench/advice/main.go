// Command advice follows the advice of warnings and errors on tables that cause them, and
// compares the figures before and after. It fails if no table covers some advice in the
// source.
//
//	go run ./bench/advice                  into bench/ADVICE.md
//	go run ./bench/advice -only rank       one kind of advice, to the terminal
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
	"strings"
	"time"

	"symmom/internal/store/atomicfile"
	"symmom/internal/text/words"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "advice:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("advice", flag.ContinueOnError)
	only := flags.String("only", "", "follow only advice with this in its code, option or text; to the terminal")
	out := flags.String("out", "", "file for the report, in place of bench/ADVICE.md; - is the terminal")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	folder, err := os.MkdirTemp("", "advice-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	followed := everything(folder)
	some, err := check(".", followed)
	if err != nil {
		return err
	}
	began := time.Now()
	rows, err := judge(ctx, followed, *only, os.Stderr)
	if err != nil {
		return err
	}
	page := func(w io.Writer) error { return write(w, rows, some, words.Duration(time.Since(began))) }
	if *only != "" || *out == "-" {
		err = page(stdout)
	} else {
		err = atomicfile.WriteFunc(cmp.Or(*out, filepath.Join("bench", "ADVICE.md")), page)
	}
	for _, r := range rows {
		if !r.ok {
			err = errors.Join(err, fmt.Errorf("%s %s: following it on %s: %s", r.code, r.help, r.table, r.outcome()))
		}
	}
	return err
}

// check returns the sites of the source in root that advise something, and an error if any of
// it is not followed.
func check(root string, followed []advice) ([]site, error) {
	all, err := warningsIn(root)
	if err != nil {
		return nil, err
	}
	some, complaints := advising(all)
	if complaints = append(complaints, uncovered(some, followed)...); complaints != nil {
		return nil, errors.New(strings.Join(complaints, "\n"))
	}
	return some, nil
}
