package kernel

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"

	"symmom/repl"
)

// listen returns a kernel that is bound to all of its five addresses, or an error.
func listen(config Config) (*kernel, error) {
	if err := config.Connection.check(); err != nil {
		return nil, err
	}
	k := &kernel{config: config, session: newID(), finished: make(chan struct{})}
	k.arrived = sync.NewCond(&k.mu)
	var err error
	if k.signer, err = newSigner(config.Connection.SignatureScheme, config.Connection.Key); err != nil {
		return nil, err
	}
	c := &k.config.Connection
	sockets := []struct {
		at   **socket
		port int
		name string
		kind zmq4.SocketType
		max  uint64 // bytes of a message
		do   func(*peer, [][]byte)
	}{
		{&k.shell, c.ShellPort, "shell_port", zmq4.Router, maxMessage, k.receiveShell},
		{&k.control, c.ControlPort, "control_port", zmq4.Router, maxMessage, k.receiveControl},
		{&k.stdin, c.StdinPort, "stdin_port", zmq4.Router, maxMessage, k.receiveStdin},
		{&k.iopub, c.IOPubPort, "iopub_port", zmq4.XPub, 1 + maxTopic, nil},
		{&k.heartbeat, c.HeartbeatPort, "hb_port", zmq4.Rep, maxBeat,
			func(p *peer, frames [][]byte) { p.send(frames) }},
	}
	partial := new(atomic.Int64)
	for i, s := range sockets {
		l, err := c.listen(s.port)
		if err != nil {
			for _, before := range sockets[:i] {
				(*before.at).listener.Close()
			}
			return nil, fmt.Errorf("cannot listen at %s %d: %w", s.name, s.port, err)
		}
		*s.at = &socket{kind: s.kind, listener: l, limit: s.max, partial: partial, receive: s.do, subscribe: k.welcome, gap: k.gap}
		if !config.AnyUser {
			(*s.at).mine = func(uid int) bool { return uid == os.Getuid() || uid == 0 }
		}
	}
	k.output, k.input = newOutput(k), newInput(k)
	k.bar = &bar{kernel: k, show: k.display}
	return k, nil
}

func (k *kernel) sockets() []*socket {
	return []*socket{k.shell, k.control, k.stdin, k.iopub, k.heartbeat}
}

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

// serve accepts clients. Requests of the shell wait for serveShell.
func (k *kernel) serve() {
	for _, s := range k.sockets() {
		s.log = k.config.Log
		s.serve()
	}
}

// openSession creates the session that answers the shell's requests.
func (k *kernel) openSession() (err error) {
	opened := make(chan *history)
	go func() { opened <- openHistory(k.config.History) }()
	k.cells, err = repl.New(repl.Config{
		Stdin: k.input, Stdout: k.output.stream("stdout"), Stderr: k.output.stream("stderr"),
		Unrestricted: k.config.Unrestricted, Progress: k.bar.progress, Display: k.display,
	})
	k.history = <-opened
	return err
}

// hangUp closes the sockets once waiting messages are sent.
func (k *kernel) hangUp() {
	k.output.flush()
	for _, s := range k.sockets() {
		s.close(time.Second)
	}
}
