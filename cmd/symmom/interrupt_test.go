package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// crowd is the additional time that an end may take while the tests of other
// packages run on the same cores. Alone, an interrupted run ends within some
// hundredths of a second.
const crowd = 3

// cmdInterrupt: interrupt INT|TERM|HUP DELAY LIMIT command args... starts a
// command, sends it the signal when it has computed for DELAY or waits, and
// requires it to end within LIMIT of that, with 128 plus the signal's number.
// stdout and stderr are written to the files out and err.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: interrupt INT|TERM|HUP DELAY LIMIT command args...")
	}
	sig, ok := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	if !ok {
		ts.Fatalf("unknown signal %s", args[0])
	}
	delay, err := time.ParseDuration(args[1])
	ts.Check(err)
	limit, err := time.ParseDuration(args[2])
	ts.Check(err)
	// Most of the computing is in assembly, which nothing slows down.
	delay, limit = delay*min(slowdown, 2), limit*slowdown*crowd
	path, err := exec.LookPath(args[3])
	ts.Check(err)
	var stdout, stderr bytes.Buffer
	c := exec.Command(path, args[4:]...)
	c.Dir, c.Stdout, c.Stderr = ts.MkAbs("."), &stdout, &stderr
	c.Env = append(os.Environ(), "GORACE="+ts.Getenv("GORACE"))
	// Signals ignored here, for example under nohup, would be ignored there.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, sig)
	defer signal.Stop(caught)
	ts.Check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	begin := time.Now()
	// Or when it has computed nothing for a while: it is waiting.
	was, since := time.Duration(-1), begin
	for time.Since(since) < idle {
		now := computed(c.Process.Pid, begin)
		if now >= delay {
			break
		}
		if now != was || wantsProcessor(c.Process.Pid) {
			was, since = now, time.Now()
		}
		select {
		case err := <-ended:
			ts.Fatalf("ended before it was interrupted: %v\n%s", err, stderr.String())
		case <-time.After(glance):
		}
	}
	before := waits(c.Process.Pid)
	sent := time.Now()
	ts.Check(c.Process.Signal(sig))
	kept := time.Duration(0) // from computing, by a busy machine
	for going := true; going; {
		select {
		case <-ended:
			going = false
		case <-time.After(glance):
			for thread, w := range waits(c.Process.Pid) {
				kept = max(kept, w.waited-before[thread].waited)
			}
		}
		if time.Since(sent) > time.Minute {
			_ = c.Process.Kill()
			ts.Fatalf("still running a minute after the signal")
		}
	}
	took := time.Since(sent)
	ts.Logf("[stdout]\n%.200s...\n[stderr]\n%s", stdout.String(), stderr.String())
	if code := c.ProcessState.ExitCode(); code != 128+int(sig) {
		ts.Fatalf("exit code %d, want %d", code, 128+int(sig))
	}
	if took-kept > limit {
		ts.Fatalf("took %v to end, %v of it kept waiting, want at most %v", took, kept, limit)
	}
	ts.Check(os.WriteFile(ts.MkAbs("out"), stdout.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), stderr.Bytes(), 0o644))
}

const idle = 2 * time.Second

const glance = 10 * time.Millisecond // interval between two checks of a process

// thread is how long a thread has computed, and how long it has waited for a
// processor.
type thread struct{ ran, waited time.Duration }

// waits describes the threads of a process if the system can, that is on Linux.
func waits(pid int) map[string]thread {
	all := map[string]thread{}
	paths, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is well formed
	for _, p := range paths {
		var t thread
		if text, err := os.ReadFile(p); err == nil {
			if n, _ := fmt.Sscan(string(text), &t.ran, &t.waited); n == 2 {
				all[p] = t
			}
		}
	}
	return all
}

// wantsProcessor reports whether a thread of a process runs, or would if a busy machine
// let it, or is held up by a disk: what is new to such a machine may compute nothing for
// seconds, and cannot be interrupted yet.
func wantsProcessor(pid int) bool {
	paths, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is well formed
	for _, p := range paths {
		text, _ := os.ReadFile(p) // the thread may have ended
		if _, state, _ := bytes.Cut(text, []byte(") ")); len(state) > 0 && (state[0] == 'R' || state[0] == 'D') {
			return true
		}
	}
	return false
}

// computed returns how long all threads of a process have computed: on a busy
// machine much time may pass before there is something to interrupt. If that is
// unknown, it returns the elapsed time.
func computed(pid int, begin time.Time) (sum time.Duration) {
	all := waits(pid)
	for _, t := range all {
		sum += t.ran
	}
	if len(all) == 0 {
		return time.Since(begin)
	}
	return sum
}
