package kernel

import (
	"context"
	"fmt"
	"io"
)

// InProcess is a kernel without sockets, whose one client is in the same process: a page
// in a browser, or a program that runs notebooks. Messages pass as one JSON text for each
// part.
type InProcess struct{ kernel *kernel }

// Send passes a message to the client: the channel, which is "shell", "control", "iopub"
// or "stdin", and JSON for the header, the parent's header, the metadata and the content.
// The kernel waits for it.
type Send func(channel, header, parent, metadata, content string)

// NewInProcess returns a kernel that sends its messages with send. Of config's fields
// those for sockets have no effect.
func NewInProcess(config Config, send Send) (*InProcess, error) {
	config.Connection, config.File = Connection{}, ""
	k, err := newKernel(config)
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	for name, at := range map[string]*channel{"shell": &k.shell, "control": &k.control, "stdin": &k.stdin, "iopub": &k.iopub} {
		*at = wire{name, send}
	}
	return &InProcess{k}, nil
}

// Run answers messages until the client asks the kernel to end or ctx is cancelled.
func (p *InProcess) Run(ctx context.Context) error {
	k := p.kernel
	defer k.main.output.release()
	if err := k.takeStreams(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer context.AfterFunc(ctx, k.end)()
	k.publish("status", nil, dict{"execution_state": "starting"})
	if err := k.openSession(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	defer k.cells.Close()
	k.main.serve()
	return nil
}

// Receive takes a message from the client: JSON for its header and content. It returns
// soon, as what a browser calls must.
func (p *InProcess) Receive(channel, header, content string) {
	k := p.kernel
	frames := [][]byte{[]byte(delimiter), nil, []byte(header), empty, empty, []byte(content)}
	switch channel {
	case "shell":
		k.receiveShell(k.shell.find(""), frames)
	case "control":
		k.receiveControl(k.control.find(""), frames)
	case "stdin":
		k.receiveStdin(k.stdin.find(""), frames)
	}
}

// Interrupt stops the running cell.
func (p *InProcess) Interrupt() { p.kernel.interrupt() }

// Print prints in the output of the running cell what compiled code has written to a
// stream of the process.
func (p *InProcess) Print(stream string) io.Writer { return p.kernel.main.output.stream(stream) }

// wire is a channel to the client in the process, and that client.
type wire struct {
	channel string
	pass    Send
}

func (w wire) publish(frames [][]byte, _ bool) { w.send(frames) }
func (w wire) find(string) caller              { return w }
func (w wire) name() string                    { return "" }

// send passes on what follows the signature.
func (w wire) send(frames [][]byte) {
	parts := frames[len(frames)-4:]
	w.pass(w.channel, string(parts[0]), string(parts[1]), string(parts[2]), string(parts[3]))
}
