//go:build !js

package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"symmom/internal/text/words"
)

// Run runs a kernel until a client asks it to end, ctx is cancelled, or its process
// is asked to end.
//
// It listens before anything else, and creates the session while clients connect: a
// client that finds nobody listening retries only after a tenth of a second,
// several times as long as the whole start takes.
func Run(ctx context.Context, config Config) error {
	k, err := listen(config)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.main.output.release()
	if err := k.takeStreams(); err != nil {
		k.hangUp()
		return fmt.Errorf("kernel: %w", err)
	}
	if config.OwnProcess {
		for _, w := range k.config.Connection.warnings() {
			fmt.Fprintln(k.config.Log, "kernel: warning:", w)
		}
	}
	defer func() { k.words.close() }()
	k.serve()
	if config.OwnProcess {
		defer k.heedSignals()()
		defer k.heedParent()()
	}
	defer context.AfterFunc(ctx, k.end)()
	defer k.hangUp()
	k.publish("status", nil, dict{"execution_state": "starting"})
	if err := k.openSession(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.cells.Close()
	k.main.serve()
	return nil
}

// server is a kernel with sockets: its channels and the heartbeat.
type server struct {
	*kernel
	sockets []*socket
}

// listen returns a kernel that is bound to all of its five addresses, or an error.
func listen(config Config) (*server, error) {
	if err := config.Connection.check(); err != nil {
		return nil, err
	}
	bare, err := newKernel(config)
	if err != nil {
		return nil, err
	}
	k := &server{kernel: bare}
	c := &k.config.Connection
	var heartbeat channel
	partial := new(atomic.Int64)
	for _, s := range []struct {
		at   *channel
		port int
		name string
		kind zmq4.SocketType
		max  uint64 // bytes of a message
		do   func(caller, [][]byte)
	}{
		{&k.shell, c.ShellPort, "shell_port", zmq4.Router, maxMessage, k.receiveShell},
		{&k.control, c.ControlPort, "control_port", zmq4.Router, maxMessage, k.receiveControl},
		{&k.stdin, c.StdinPort, "stdin_port", zmq4.Router, maxMessage, k.receiveStdin},
		{&k.iopub, c.IOPubPort, "iopub_port", zmq4.XPub, 1 + maxTopic, nil},
		{&heartbeat, c.HeartbeatPort, "hb_port", zmq4.Rep, maxBeat,
			func(p caller, frames [][]byte) { p.send(frames) }},
	} {
		l, err := c.listen(s.port)
		if err != nil {
			for _, before := range k.sockets {
				before.listener.Close()
			}
			return nil, fmt.Errorf("cannot listen at %s %d: %w", s.name, s.port, err)
		}
		bound := &socket{kind: s.kind, listener: l, limit: s.max, partial: partial, receive: s.do, subscribe: k.welcome, gap: k.gap}
		if !config.AnyUser {
			bound.mine = func(uid int) bool { return uid == os.Getuid() || uid == 0 }
		}
		*s.at, k.sockets = bound, append(k.sockets, bound)
	}
	return k, nil
}

// serve accepts clients. Requests of the shell wait for serveShell.
func (k *server) serve() {
	for _, s := range k.sockets {
		s.log = k.config.Log
		s.serve()
	}
}

// hangUp closes the sockets once waiting messages are sent.
func (k *server) hangUp() {
	k.main.output.flush()
	for _, s := range k.sockets {
		s.close(time.Second)
	}
}

// gap informs a subscriber of the output that it lost by reading too slowly.
func (k *kernel) gap(l lost) [][]byte {
	var parent json.RawMessage
	if i := slices.IndexFunc(l.last, func(f []byte) bool { return string(f) == delimiter }); i >= 0 && len(l.last) > i+3 {
		parent = l.last[i+3]
	}
	text := fmt.Sprintf("\n[%s of output, %.1f MB, did not reach this client: it was too slow to read them]\n",
		words.Plural(l.messages, "message"), float64(l.bytes)/(1<<20))
	return k.published("stream", parent, dict{"name": "stderr", "text": text})
}

// heedSignals makes signals interrupt and end the kernel.
func (k *kernel) heedSignals() (release func()) {
	c := make(chan os.Signal, 10)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range c {
			if s == os.Interrupt {
				k.interrupt()
				continue
			}
			k.end()
		}
	}()
	return func() { signal.Stop(c); close(c) }
}

// heedParent ends the kernel when the client that started it has died without
// notice. Clients request this with an environment variable.
func (k *kernel) heedParent() (release func()) {
	if os.Getenv("JPY_PARENT_PID") == "" {
		return func() {}
	}
	parent, tick := os.Getppid(), time.NewTicker(time.Second)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if os.Getppid() != parent {
					k.end()
					return
				}
			}
		}
	}()
	return func() { tick.Stop(); close(stop) }
}
