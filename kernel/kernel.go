package kernel

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"symmom/repl"
)

// Config is the configuration of a kernel.
type Config struct {
	Connection   Connection
	Version      string        // of this program, for clients that ask
	Library      *repl.Library // see repl.Config
	Unrestricted bool          // see repl.Config
	AnyUser      bool          // lets other users of this machine connect; reading the output needs no key
	History      string        // file of the cells that were run; "": none
	Log          io.Writer     // for errors that cannot be sent to a client; default os.Stderr

	// File is the connection file; "": none. With OwnProcess, the kernel notes the
	// running cell and the cause of its death next to it, for the next kernel there.
	File string

	// OwnProcess means that the process exists only for the kernel: its streams are
	// captured as output of cells, signals interrupt and end the kernel, and it ends
	// when the client that started it has died.
	OwnProcess bool

	// Unseen means that no page shows the outputs while cells run: what pages need once
	// (repl.Library.Once) is not sent.
	Unseen bool
}

// kernel is a session and its connections.
type kernel struct {
	config  Config
	signer  *signer
	session string // identifies this run in the messages

	cells   *repl.Session
	history *history
	once    once
	comms   *comms
	main    *shell
	asking  chan struct{} // has room for the one question that a person is asked at a time
	bars    atomic.Int64  // counts the progress bars

	words    *lastWords
	obituary string // of the previous kernel, until a cell has reported it

	shell, control, iopub, stdin channel

	statuses sync.Mutex // held while statuses are sent
	current  *message   // that the main shell answers

	mu        sync.Mutex // guards what follows
	arrived   *sync.Cond
	subshells []*shell
	ended     bool          // Run is to return
	finished  chan struct{} // closed when ended is set
}

// channel is a way to clients: a socket, or what stands for it where the client is in the
// same process.
type channel interface {
	publish(frames [][]byte, bulk bool) // to all who have subscribed to the first frame
	find(identity string) caller        // nil: there is none
}

// caller is a client at a channel.
type caller interface {
	name() string // the identity that it claims
	send(frames [][]byte)
}

// newKernel returns a kernel without channels.
func newKernel(config Config) (*kernel, error) {
	if config.Log == nil {
		config.Log = os.Stderr
	}
	k := &kernel{config: config, session: newID(), finished: make(chan struct{}), asking: make(chan struct{}, 1)}
	k.arrived = sync.NewCond(&k.mu)
	var err error
	k.signer, err = newSigner(config.Connection.SignatureScheme, config.Connection.Key)
	if config.Library != nil && !config.Unseen {
		k.once.parts = config.Library.Once
	}
	k.main = newShell(k, "")
	return k, err
}

// welcome notifies a subscriber that it now receives published messages.
func (k *kernel) welcome(p caller, topic string) {
	p.send(k.compose([][]byte{[]byte(topic)}, "iopub_welcome", nil, dict{"subscription": topic}))
}

// accept parses frames. Anything that is not a message signed with the key is
// dropped and logged.
func (k *kernel) accept(p caller, frames [][]byte) *message {
	m, err := parse(k.signer, frames)
	if err != nil {
		fmt.Fprintln(k.config.Log, "kernel: a message was dropped:", err)
		return nil
	}
	m.peer = p
	return m
}

// receiveControl answers at once, whatever the shell is doing.
func (k *kernel) receiveControl(p caller, frames [][]byte) {
	m := k.accept(p, frames)
	if m == nil {
		return
	}
	switch m.MsgType {
	case "interrupt_request": // first, in case that reporting it takes time
		k.interrupt()
	case "shutdown_request":
		defer k.end()
	}
	k.beside(k.main, m, controls)
}

// handler answers a request: it returns the content of the reply, or nil if there
// is none. The reply's type is the request's with a different suffix.
type handler func(k *kernel, s *shell, m *message) dict

var controls = map[string]handler{
	"kernel_info_request": (*kernel).kernelInfo,
	"interrupt_request":   func(*kernel, *shell, *message) dict { return ok(nil) },
	"shutdown_request":    (*kernel).shutdown,
	"connect_request":     (*kernel).connect,
	"usage_request":       (*kernel).usage,

	"create_subshell_request": (*kernel).createSubshell,
	"delete_subshell_request": (*kernel).deleteSubshell,
	"list_subshell_request":   (*kernel).listSubshells,
}

// requests is set by init, since the handlers refer to it.
var requests map[string]handler

func init() {
	requests = map[string]handler{
		"kernel_info_request": (*kernel).kernelInfo,
		"execute_request":     (*kernel).execute,
		"complete_request":    (*kernel).complete,
		"inspect_request":     (*kernel).inspect,
		"is_complete_request": (*kernel).isComplete,
		"history_request":     (*kernel).historyOf,
		"comm_info_request":   (*kernel).commInfo,
		"comm_open":           (*kernel).commOpen,
		"comm_msg":            (*kernel).commMsg,
		"comm_close":          (*kernel).commClose,
		"connect_request":     (*kernel).connect,
		"shutdown_request":    (*kernel).shutdown, // of clients before protocol 5.3
	}
}

// answer answers one request. A panic in an answer is a bug in this program; the
// client receives it as an error and the kernel continues.
func (k *kernel) answer(s *shell, m *message, handlers map[string]handler) {
	h := handlers[m.MsgType]
	if s == nil {
		h = func(*kernel, *shell, *message) dict {
			if !strings.HasSuffix(m.MsgType, "_request") {
				return nil
			}
			return unknownSubshell(m.Subshell)
		}
	}
	if h == nil {
		fmt.Fprintf(k.config.Log, "kernel: a request was left alone: there is no %q here\n", m.MsgType)
		return
	}
	var reply dict
	func() {
		defer func() {
			if r := recover(); r != nil {
				fmt.Fprintf(k.config.Log, "kernel: %s: %v\n%s", m.MsgType, r, debug.Stack())
				reply = failure("internal error", fmt.Sprint(r), nil)
			}
		}()
		reply = h(k, s, m)
	}()
	if reply != nil {
		k.reply(m, reply)
	}
	if m.MsgType == "shutdown_request" {
		k.end()
	}
}

func (k *kernel) reply(m *message, content dict) {
	name := m.MsgType[:len(m.MsgType)-len("request")] + "reply"
	m.peer.send(k.compose(m.routing, name, m.raw, content))
}

func ok(content dict) dict {
	if content == nil {
		content = dict{}
	}
	content["status"] = "ok"
	return content
}

func failure(name, value string, trace []string) dict {
	if trace == nil {
		trace = []string{}
	}
	return dict{"status": "error", "ename": name, "evalue": value, "traceback": trace}
}

// read decodes the content of a request. If it cannot, it returns a reply with the
// error.
func (m *message) read(content any) dict {
	if err := json.Unmarshal(m.content, content); err != nil {
		return failure("bad request", fmt.Sprintf("the content of %s: %v", m.MsgType, err), nil)
	}
	return nil
}

// publish sends a message to all subscribers.
func (k *kernel) publish(msgType string, parent json.RawMessage, content any) {
	if bulk[msgType] {
		content = k.once.complete(content)
	}
	k.iopub.publish(k.published(msgType, parent, content), bulk[msgType])
}

func (k *kernel) published(msgType string, parent json.RawMessage, content any) [][]byte {
	return k.compose([][]byte{[]byte("kernel." + k.session + "." + msgType)}, msgType, parent, content)
}

// bulk are the messages that cells may send in any number and size.
var bulk = map[string]bool{"stream": true, "display_data": true, "update_display_data": true, "execute_result": true}

func (k *kernel) status(m *message, state string) {
	k.publish("status", m.raw, dict{"execution_state": state})
}

// interrupt stops the running cells and functions of controls, of all shells: the request
// names none.
func (k *kernel) interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cancelAll()
}

// cancelAll cancels what runs. k.mu must be held.
func (k *kernel) cancelAll() {
	for _, s := range k.shells() {
		if s.cancel != nil {
			s.cancel()
		}
	}
}

func (k *kernel) shutdown(_ *shell, m *message) dict {
	var c struct {
		Restart bool `json:"restart"`
	}
	if bad := m.read(&c); bad != nil {
		return bad
	}
	k.publish("shutdown_reply", m.raw, ok(dict{"restart": c.Restart}))
	return ok(dict{"restart": c.Restart})
}

// end makes Run return soon.
func (k *kernel) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended {
		return
	}
	k.ended = true
	close(k.finished)
	k.cancelAll()
	k.arrived.Broadcast()
}
