package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"symmom/internal/store/files"
	"symmom/symmom"
)

// interruptible returns a context that ends with the first SIGINT, SIGTERM or
// SIGHUP (sent when a terminal closes, ignored under nohup). From then on the signals
// have their default effect, so that a second one ends the process at once.
func (a *app) interruptible() (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	go func() {
		select {
		case s := <-c:
			if n, is := s.(syscall.Signal); is {
				a.signalled.Store(int32(n))
			}
			signal.Stop(c)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		cancel()
	}
}

// grace is how long an interrupted command may still take for what is nearly done.
const grace = 500 * time.Millisecond

// keep has save write the file at path, unless there is none, until a signal arrives. What a
// run has found that was interrupted before is worth waiting for, until the next signal.
func (a *app) keep(ctx context.Context, path string, save func() error) error {
	if path == "" {
		return nil
	}
	var waiting <-chan time.Time
	if ctx.Err() != nil {
		var release context.CancelFunc
		ctx, release = signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
		defer release()
		waiting = time.After(2 * grace)
	}
	done := make(chan error, 1)
	go func() { done <- save() }()
	stopped, given := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case err := <-done:
			if err == nil {
				a.wrote = append(a.wrote, files.Name(path))
			}
			if !errors.Is(err, symmom.ErrInterrupted) {
				return err
			}
			return notWritten(path)
		case <-waiting:
			fmt.Fprintf(a.err, "symmom: interrupted; %s is being written, which Ctrl-C ends\n", files.Name(path))
		case <-stopped:
			stopped, given = nil, time.After(grace)
		case <-given:
			files.Abandon()
			return notWritten(path)
		}
	}
}

// keepAll is keep for several files, whose names are made of path.
func (a *app) keepAll(ctx context.Context, path string, names *[]string, save func() error) error {
	before := len(a.wrote)
	err := a.keep(ctx, path, save)
	if err == nil && path != "" {
		a.wrote = a.wrote[:before]
		for _, name := range *names {
			a.wrote = append(a.wrote, files.Name(name))
		}
	}
	return err
}

func notWritten(path string) error {
	return fmt.Errorf("%w before %s was written", symmom.ErrInterrupted, files.Name(path))
}

// soon returns ctx, or, if that has ended, one that lasts for a little while: for what an
// interrupted run can still have if it takes no longer.
func soon(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), grace)
}
