package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/bar"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/repl"
	"symmom/symmom"
)

const (
	exitError  = 1
	exitUsage  = 2
	exitSignal = 128 // plus the signal's number
)

// app is the state that the commands of one run share.
type app struct {
	out, err io.Writer
	args     []string       // of the run
	cmd      *cobra.Command // whose code runs

	// begun is set when a command's own code starts. Errors that cobra reports
	// before that are wrong usage.
	begun bool

	signalled atomic.Int32 // number of the signal that ended the run

	wrote    []string // names of the files so far
	warnings []string // warnings so far, for the objects of --json: not nil, which is null there
}

// usageError is a mistake that is evident from the command line alone.
type usageError struct {
	message string
	cause   error // in place of a message
}

func (e *usageError) Error() string {
	if e.cause != nil {
		return e.cause.Error()
	}
	return e.message
}

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// run executes one command line and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ignoreFileSizeSignal()
	a := &app{out: stdout, err: stderr, args: args, warnings: []string{}}
	own := &watched{w: stdout}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(own)
	root.SetErr(stderr)
	completion(root)
	cmd, err := root.ExecuteC()
	if own.err != nil {
		a.begun, err = true, printing(own.err)
	}
	return a.report(cmd, err)
}

// report prints an error, which is one line, and returns the exit code.
func (a *app) report(cmd *cobra.Command, err error) int {
	var script *repl.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &script): // it has printed its own message
		return script.Code
	}
	advise(err, a.cmd)
	a.tell("symmom: " + files.Shown(oneLine(err), a.args))
	var usage *usageError
	switch {
	case !a.begun || errors.As(err, &usage):
		fmt.Fprintf(a.err, "see '%s --help'\n", cmd.CommandPath())
		return exitUsage
	case errors.Is(err, symmom.ErrInterrupted):
		if n := a.signalled.Load(); n != 0 {
			return exitSignal + int(n)
		}
		return exitSignal + int(syscall.SIGINT)
	}
	return exitError
}

// oneLine is an error as it is printed: what it quotes may come from anywhere, and be of any
// length.
func oneLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	line := diag.OneLine(strings.Join(lines, " "))
	const most, ends = 4096, 1000 // the longest path may be in it
	if len(line) > most {
		line = strings.ToValidUTF8(line[:ends], "") + " ... " + strings.ToValidUTF8(line[len(line)-ends:], "")
	}
	return line
}

// command completes a command: it marks where the command's own code begins, and
// makes errors about flags and arguments readable.
func (a *app) command(c *cobra.Command, do func(cmd *cobra.Command, args []string) error) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		unify(cmd.Flags())
		if err := requiredFlags(cmd); err != nil {
			return err
		}
		if one, other := flags.Exclusive(cmd.Flags()); one != "" {
			return oneOfThem("--"+one, "--"+other, "")
		}
		if flag := flags.Empty(cmd.Flags()); flag != "" {
			return usagef(`--%s: got "", want a value; to have none leave out the flag`, flag)
		}
		return nil
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.begun, a.cmd = true, cmd
		if err := linalg.KernelError(); err != nil && c.Name() != "version" { // which prints the error
			return err
		}
		if err := fromPipe(cmd, args); err != nil {
			return err
		}
		if err := a.spare(cmd, args); err != nil {
			return err
		}
		return do(cmd, args)
	}
	return c
}

// fromPipe replaces the name of standard input among the arguments that are read.
func fromPipe(cmd *cobra.Command, args []string) error {
	if _, table := cmd.Annotations[tableArgument]; table {
		args = args[:1]
	} else if _, texts := cmd.Annotations[textArguments]; !texts {
		return nil
	}
	for i, arg := range args {
		switch {
		case arg != "-":
		case runtime.GOOS == "windows":
			return usagef("-: on this system symmom does not read from a pipe; write the data to a file")
		default:
			args[i] = standardInput
		}
	}
	return nil
}

// progress returns a bar on stderr.
func (a *app) progress(quiet bool, from, to int) *bar.Bar { return bar.New(a.err, quiet, from, to) }

// standardInput is the table that is called "-".
const standardInput = "/dev/stdin"

// tableArgument is an annotation of commands whose first argument is a table; if there is
// a second, it is written.
const tableArgument = "symmom_table"

// fileArgument is an annotation of commands whose argument is another file to read.
const fileArgument = "symmom_file"

// textArguments is an annotation of commands whose arguments are all read, by names that the
// command itself looks up.
const textArguments = "symmom_texts"

// spare refuses a command that would write over its own files, or where it cannot.
func (a *app) spare(cmd *cobra.Command, args []string) error {
	var read, written []string
	if _, table := cmd.Annotations[tableArgument]; table {
		memory.Keep()
		read, written = args[:1], args[1:]
	} else if _, file := cmd.Annotations[fileArgument]; file {
		read = args
	}
	ctx, release := a.interruptible()
	defer release()
	err := overwrite.Check(ctx, cmd.Flags(), read, written)
	if err != nil {
		err = usagef("%v", err)
	} else {
		err = overwrite.Writable(ctx, cmd.Flags(), written)
	}
	if ctx.Err() != nil { // also where the rest went well: the signal was meant for the command
		return inFlags(symmom.ErrInterrupted)
	}
	return err
}

// flagError rewrites pflag's errors: the flag, the value given, what was expected.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		want := "want " + invalid.Unwrap().Error()
		if f.Value.Type() == "bool" {
			want = "want true or false"
		}
		return usagef("--%s: got %q, %s", f.Name, invalid.GetValue(), want)
	case errors.As(err, &missing):
		return usagef("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra suggests commands: these are named as the flags
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			names.AddCommand(&cobra.Command{Use: "--" + f.Name, Hidden: f.Hidden, Run: cmd.Run, RunE: cmd.RunE})
		})
		return usagef("%v%s", err, meant(names, "--"+unknown.GetSpecifiedName()))
	}
	return err
}

// oneData checks the arguments of commands that read a table.
func oneData(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return usagef("%s needs a data file: %s, one observation a row", cmd.Name(), dataFormats)
	}
	hint := ""
	if flag, value := flags.Meant(cmd.Flags(), args); flag != "" {
		hint = fmt.Sprintf("; a value of --%s follows an equals sign: --%s=%s", flag, flag, value)
	}
	return usagef("%s reads one data file, got %d arguments: %s%s", cmd.Name(), len(args), strings.Join(args, " "), hint)
}

// noArguments checks the arguments of commands that take only flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %s", cmd.Name(), strings.Join(args, " "))
	}
	return nil
}
