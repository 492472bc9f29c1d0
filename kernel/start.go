package kernel

import (
	"fmt"

	"symmom/repl"
)

// takeStreams sends what the process prints to the clients.
func (k *kernel) takeStreams() error {
	if !k.config.OwnProcess {
		return nil
	}
	log, err := k.main.output.capture()
	if err != nil {
		return err
	}
	k.config.Log = log
	if k.config.File == "" {
		return nil
	}
	words, before, err := openLastWords(k.config.File)
	if err != nil {
		fmt.Fprintln(log, "kernel: what runs is not kept for the next kernel:", err)
	}
	k.words = words
	k.mourn(before)
	return nil
}

// openSession creates the session that answers the shell's requests.
func (k *kernel) openSession() error {
	opened := make(chan *history)
	go func() { opened <- openHistory(k.config.History) }()
	k.comms = newComms(k)
	cells, err := repl.New(repl.Config{
		Controls: true,
		Stdin:    stdio{k, ""}, Stdout: stdio{k, "stdout"}, Stderr: stdio{k, "stderr"},
		Library: k.config.Library, Unrestricted: k.config.Unrestricted, Display: func(d repl.Display) { k.here().display(d) },
		Progress: func(p repl.Progress) { k.here().bar.progress(p) },
		Reached:  k.reached,
	})
	k.history = <-opened
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cells = cells
	k.arrived.Broadcast()
	return err
}
