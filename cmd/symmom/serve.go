package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/charts/live"
	"symmom/internal/browser"
	"symmom/internal/files"
	"symmom/internal/words"
	"symmom/symmom"
)

const serveLong = `Serve opens a page on this machine, in which order, rank, columns, weights, noise,
starts and form are chosen by hand. Each choice is fitted at once: the page shows
the search while it runs, a button stops it and keeps the best so far, and the
report on the fit follows, to be saved with its model and its figures.

The address holds a token, without which nobody gets anything; the server is
reached from this machine alone. A fit goes on when the page is closed. Ctrl-C
ends the server, and the fit that runs with its best so far.`

const serveExample = `  symmom serve data.npy

  # begin with a choice, and keep the last fit when the server ends
  symmom serve table.csv --order 3 --rank 5 --columns 2-9 --standardize \
      --save model.json --html report.html

  # on another machine: there, and then here
  symmom serve data.npy --port 8080 --no-open
  ssh -L 8080:127.0.0.1:8080 HOST     # and open the address that it printed`

// serveCommand holds the command and its flags.
type serveCommand struct {
	fitFlags
	rank       int
	rows, cols int
	title      string
	host       string
	port       int
	noOpen     bool
	save, html string

	ctx   context.Context // of the server
	cmd   *cobra.Command
	path  string
	given symmom.Options
	choices
}

func newServe(a *app) *cobra.Command {
	v := &serveCommand{}
	cmd := &cobra.Command{
		Use:               "serve DATA [flags]",
		Short:             "Fit by hand on a live page in the browser",
		Long:              serveLong,
		Example:           serveExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The page", func(fs *pflag.FlagSet) {
		fs.Var(tcpPort{&v.port}, "port", "port of the page, 0: a free one")
		fs.StringVar(&v.host, "host", "127.0.0.1", "`ADDRESS` to listen at: 127.0.0.1 or ::1, this machine alone")
		fs.BoolVar(&v.noOpen, "no-open", false, "open no browser")
		fs.StringVar(&v.title, "title", "", "`TEXT` at the top of the page (default: DATA)")
		fs.Var(imageSize{&v.rows, &v.cols}, "images", "each row is a picture of this size in pixels: 8x8")
	})
	v.order = 3
	v.defineMoment(cmd, func(fs *pflag.FlagSet) {
		fs.VarP(whole{&v.rank, 1}, "rank", "r", "number of components to begin with (default: what the spectrum suggests)")
	})
	v.define(cmd)
	v.defineSearch(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.StringVar(&v.truth, "truth", "", "`FILE` with true factors, n x r, for the score")
		fs.StringVar(&v.save, "save", "", "write the model of the last fit to `FILE` at the end: .json, or .mat, .npz, .ktns")
		fs.StringVar(&v.html, "html", "", "write the report of the last fit to `FILE` at the end")
		fs.BoolVarP(&v.quiet, "quiet", "q", false, "no progress while the data are read")
	})
	for _, name := range []string{"rank", "port", "title", "images"} {
		completeNothing(cmd, name)
	}
	completeWords(cmd, "host", "127.0.0.1", "::1")
	completeFiles(cmd, "truth", dataExtensions...)
	completeFiles(cmd, "save", modelExtensions...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return v.run(a, cmd, args[0]) })
}

func (v *serveCommand) run(a *app, cmd *cobra.Command, path string) error {
	if err := checkOutputs(v.save, v.html); err != nil {
		return err
	}
	ln, err := live.Listen(v.host, v.port)
	var elsewhere live.HostError
	switch {
	case errors.As(err, &elsewhere):
		return usagef("--host: %v", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("--port %d: another program has it; want another port, or 0 for a free one", v.port)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("--port %d: permission denied; want one above 1023, or 0 for a free one", v.port)
	case err != nil:
		return fmt.Errorf("--port %d: %w", v.port, err)
	}
	defer ln.Close()
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(v.quiet, 1, 1)
	v.options.Progress = bar.update
	bar.note("reading %s", files.Name(path))
	err = v.read(ctx, cmd, path, func() { bar.note("looking at %s", files.Name(path)) })
	bar.stop()
	if err != nil {
		return err
	}
	a.warn(v.base.Warnings())
	s := live.New(ctx, ln, live.Options{Title: orElse(v.title, v.base.Source()), Subtitle: tableSize(v.base),
		Footer: "symmom " + version(), Fields: v.fields, Prepare: v.prepare})
	if _, err := fmt.Fprintf(a.out, "  %s\n  %s\n  Ctrl-C ends it; closing the page does not.\n", dataLine(v.base), s.Address()); err != nil {
		return printing(err)
	}
	if !v.noOpen {
		defer openPage(s.Address())()
	}
	if err := s.Serve(); err != nil {
		return err
	}
	return v.finish(a, s)
}

// openPage has the address opened in the browser, if there is one. Other users see the
// arguments of commands: the token is in a file that only this one can read.
func openPage(address string) (remove func()) {
	opener := browser.Find()
	if opener == nil {
		return func() {}
	}
	f, err := os.CreateTemp("", "symmom-*.html") // of mode 600
	if err != nil {
		return func() {}
	}
	_, err = fmt.Fprintf(f, `<!doctype html><meta charset="utf-8"><title>symmom</title><meta http-equiv="refresh" content="0;url=%[1]s"><a href="%[1]s">symmom</a>`+"\n", html.EscapeString(address))
	if errors.Join(err, f.Close()) == nil {
		opener.Open(f.Name())
	}
	return func() { _ = os.Remove(f.Name()) }
}

// finish keeps the last fit, and says what was kept.
func (v *serveCommand) finish(a *app, s *live.Server) error {
	fit, job := s.Result()
	var saved, drawn, stopped error
	if fit == nil {
		_, err := fmt.Fprintln(a.out, "  Nothing was fitted.")
		return all(printing(err), cutShort(s))
	}
	text := "  The last fit: " + s.Line() + ".\n"
	if v.save != "" {
		if saved = saving(fit.Save(v.save)); saved == nil {
			text += fmt.Sprintf("  Wrote %s\n", files.Name(v.save))
		}
	}
	if v.html != "" {
		if drawn = charts.ReportOnFit(job.Shown, fit, job.Report).Save(v.html); drawn == nil {
			text += fmt.Sprintf("  Wrote %s\n", files.Name(v.html))
		}
	}
	if v.save == "" && v.html == "" {
		text += "  It was kept nowhere but on the page; --save and --html keep the last one at the end.\n  Again: " + job.Report.Command + "\n"
	}
	_, err := fmt.Fprint(a.out, text)
	stopped = cutShort(s)
	return all(stopped, saved, drawn, printing(err))
}

// cutShort returns the error of a fit that the end of the server has cut short.
func cutShort(s *live.Server) error {
	cut, kept := s.Cut()
	switch {
	case !cut:
		return nil
	case kept:
		return &partly{"the best fit so far"}
	}
	return fmt.Errorf("%w: the fit that ran had found nothing yet", symmom.ErrInterrupted)
}

// read reads the table and makes the controls.
func (v *serveCommand) read(ctx context.Context, cmd *cobra.Command, path string, look func()) error {
	v.ctx, v.cmd, v.path = ctx, cmd, path
	var err error
	if v.given, err = v.search(ctx, cmd); err != nil {
		return err
	}
	if v.base, err = v.table(ctx, path); err != nil {
		return err
	}
	if n := v.base.N(); v.rows > 0 && v.rows*v.cols != n {
		return usagef("--images: pictures of %d x %d pixels have %s, the data %s", v.rows, v.cols, words.Plural(v.rows*v.cols, "column"), words.Count(n))
	}
	look()
	t, err := v.take(ctx, tableChoice{})
	if err != nil {
		return inFlags(asUsage(err))
	}
	n := t.session.N()
	if v.whiten > 0 {
		n = v.whiten
	}
	if v.trueFactors, err = loadTruth(ctx, v.truth, n); err != nil {
		return err
	}
	v.defineControls(t.summary)
	for _, f := range v.fields {
		if f.Err() != nil {
			return f.Err()
		}
	}
	return nil
}

func orElse(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

// tcpPort is the number of a port, or 0.
type tcpPort struct{ p *int }

func (v tcpPort) String() string {
	if v.p == nil {
		return "0"
	}
	return fmt.Sprint(*v.p)
}
func (tcpPort) Type() string { return "N" }
func (v tcpPort) Set(s string) error {
	if err := (whole{v.p, 0}).Set(s); err != nil || *v.p > 65535 {
		return errors.New("0 (a free one) to 65535")
	}
	return nil
}
