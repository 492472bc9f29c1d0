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
	log, err := k.output.capture()
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
func (k *kernel) openSession() (err error) {
	opened := make(chan *history)
	go func() { opened <- openHistory(k.config.History) }()
	k.comms = newComms(k)
	k.cells, err = repl.New(repl.Config{
		Controls: true,
		Stdin:    k.input, Stdout: k.output.stream("stdout"), Stderr: k.output.stream("stderr"),
		Library: k.config.Library, Unrestricted: k.config.Unrestricted, Progress: k.bar.progress, Display: k.display,
		Reached: k.reached,
	})
	k.history = <-opened
	return err
}
