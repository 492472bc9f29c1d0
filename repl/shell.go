package repl

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/term"

	"symmom/repl/internal/gofront"
)

// Shell commands: !COMMAND, and %%bash for a whole cell.

// shellWait is how long an interrupted command may take to end.
const shellWait = 2 * time.Second

func runBash(s *Session, c invocation) (Result, error) {
	if strings.TrimSpace(c.body) == "" {
		return Result{}, c.problem("expected commands in the lines below")
	}
	return Result{}, s.shell(c.ctx, "bash", c.body, c.problem)
}

// shell runs a script. It requires an unrestricted session.
func (s *Session) shell(ctx context.Context, program, script string, problem func(string, ...any) error) error {
	if !s.Unrestricted() {
		return problem("the shell can do anything to this machine, so sessions have it only with --unrestricted; start one with that")
	}
	cmd := exec.CommandContext(ctx, program, "-c", script)
	cmd.Stdout, cmd.Stderr = s.config.Stdout, s.config.Stderr
	in, out, errs := fileOf(s.config.Stdin), fileOf(s.config.Stdout), fileOf(s.config.Stderr)
	if in != nil && out != nil && errs != nil && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) {
		// A program in a terminal may need all three, and receives Ctrl-C from it.
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	} else {
		inGroup(cmd)
	}
	cmd.WaitDelay = shellWait
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return &gofront.Error{Kind: "interrupted", Message: ErrInterrupted.Error(), Err: ErrInterrupted}
	case errors.Is(err, exec.ErrWaitDelay): // background processes still hold the output
		return nil
	case errors.As(err, &exit):
		return problem("%v", exit)
	case err != nil:
		return problem("%v", err)
	}
	return nil
}
