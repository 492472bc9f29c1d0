package kernel

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
)

// In a browser there are no sockets: the page delivers messages and takes them, one
// JSON text for each part, and has one client.

// Browser is a kernel in a browser.
type Browser struct{ kernel *kernel }

// Send passes a message to the page: the channel, which is "shell", "control", "iopub"
// or "stdin", and JSON for the header, the parent's header, the metadata and the content.
type Send func(channel, header, parent, metadata, content string)

// NewBrowser returns a kernel that sends its messages with send.
func NewBrowser(config Config, send Send) (*Browser, error) {
	if config.Log == nil {
		config.Log = os.Stderr
	}
	k := &kernel{config: config, session: newID(), finished: make(chan struct{})}
	k.arrived = sync.NewCond(&k.mu)
	var err error
	if k.signer, err = newSigner("", ""); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	for name, at := range map[string]**socket{"shell": &k.shell, "control": &k.control, "stdin": &k.stdin, "iopub": &k.iopub} {
		*at = &socket{name, send}
	}
	k.output, k.input = newOutput(k), newInput(k)
	k.bar = &bar{kernel: k, show: k.display}
	return &Browser{k}, nil
}

// Run answers messages until a client asks the kernel to end or ctx is cancelled.
func (b *Browser) Run(ctx context.Context) error {
	k := b.kernel
	defer k.output.release()
	defer context.AfterFunc(ctx, k.end)()
	k.publish("status", nil, dict{"execution_state": "starting"})
	if err := k.openSession(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	k.serveShell()
	return nil
}

// Receive takes a message from the page: JSON for its header and content. It returns
// soon, as what the browser calls must.
func (b *Browser) Receive(channel, header, content string) {
	k := b.kernel
	frames := [][]byte{[]byte(delimiter), nil, []byte(header), empty, empty, []byte(content)}
	switch channel {
	case "shell":
		k.receiveShell(&peer{k.shell}, frames)
	case "control":
		k.receiveControl(&peer{k.control}, frames)
	case "stdin":
		k.receiveStdin(&peer{k.stdin}, frames)
	}
}

// Interrupt stops the running cell.
func (b *Browser) Interrupt() { b.kernel.interrupt() }

// Print prints in the output of the running cell what compiled code has written to a
// stream of the process.
func (b *Browser) Print(stream string) io.Writer { return b.kernel.output.stream(stream) }

// socket is a channel to the page.
type socket struct {
	channel string
	send    Send
}

func (s *socket) publish(frames [][]byte, _ bool) { s.pass(frames) }

// find returns the one client.
func (s *socket) find(string) *peer { return &peer{s} }

// pass passes on what follows the signature.
func (s *socket) pass(frames [][]byte) {
	parts := frames[len(frames)-4:]
	s.send(s.channel, string(parts[0]), string(parts[1]), string(parts[2]), string(parts[3]))
}

// peer is the client.
type peer struct{ socket *socket }

func (p *peer) name() string         { return "" }
func (p *peer) send(frames [][]byte) { p.socket.pass(frames) }
