package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// stubborn is a command that does not end when asked to.
func stubborn() {
	ctx, _ := new(app).interruptible()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("asked")
	time.Sleep(time.Minute)
}

// The first signal asks, a second one ends the process at once.
func TestSecondSignal(t *testing.T) {
	cmd := exec.Command("stubborn")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "asked"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("got %q, want %q", lines.Text(), want)
		}
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	_ = cmd.Wait() // it was killed: the state says how
	// By itself it would take a minute.
	if took := time.Since(start); took > time.Minute/2 {
		t.Errorf("took %v to die", took)
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("ended with %v, want the signal", cmd.ProcessState)
	}
}
