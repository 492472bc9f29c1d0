package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"symmom/internal/test/s3server"
	"symmom/lab"
)

// patience is how long a test waits for a message that must come.
const patience = 5 * time.Minute

// running is a kernel in this process.
type running struct {
	connection Connection
	log        *safeBuffer
	stop       context.CancelFunc
	done       chan error // result of Run
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// freeConnection is a connection of five free ports.
func freeConnection(t testing.TB) Connection {
	t.Helper()
	c := Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "hmac-sha256", Key: "a secret"}
	for _, p := range []*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HeartbeatPort} {
		*p = s3server.Take(t)
	}
	return c
}

func start(t testing.TB) *running {
	t.Helper()
	return startAt(t, freeConnection(t))
}

func startAt(t testing.TB, c Connection) *running {
	t.Helper()
	r := &running{connection: c, log: &safeBuffer{}, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() {
		r.done <- Run(ctx, Config{Connection: r.connection, Library: lab.Library(), Version: "test", Log: r.log})
	}()
	t.Cleanup(func() {
		cancel()
		r.ends(t)
	})
	return r
}

// ends waits for the kernel to end.
func (r *running) ends(t testing.TB) {
	t.Helper()
	select {
	case err := <-r.done:
		if err != nil {
			t.Error(err)
		}
		r.done <- nil
	case <-time.After(patience):
		t.Error("the kernel does not end")
	}
}

// client talks to a kernel as Jupyter's clients do, over ZeroMQ.
type client struct {
	t                             testing.TB
	speak                         *kernel // composes and signs only
	id                            string
	shell, control, stdin, listen zmq4.Socket
	news                          chan *reply // of iopub
	replies                       chan *reply // of the shell
	controls                      chan *reply
	asked                         chan *reply // of stdin
}

// reply is a message from the kernel.
type reply struct {
	kind    string
	parent  string // msg_id
	content map[string]any
}

func (r *reply) String() string { return fmt.Sprintf("%s %v", r.kind, r.content) }

// text returns a string in the content.
func (r *reply) text(name string) string { s, _ := r.content[name].(string); return s }

// data returns one form of what is shown.
func (r *reply) data(mime string) any { d, _ := r.content["data"].(map[string]any); return d[mime] }

func connect(t testing.TB, c Connection) *client {
	t.Helper()
	s, err := newSigner(c.SignatureScheme, c.Key)
	if err != nil {
		t.Fatal(err)
	}
	k := &client{t: t, speak: &kernel{session: newID(), signer: s}, id: newID(),
		news: make(chan *reply, 1<<17), replies: make(chan *reply, 1<<14), controls: make(chan *reply, 1<<14), asked: make(chan *reply, 100)}
	ctx, cancel := context.WithCancel(context.Background())
	address := func(port int) string {
		if c.Transport == "ipc" {
			return fmt.Sprintf("ipc://%s-%d", c.IP, port)
		}
		return fmt.Sprintf("tcp://%s:%d", c.IP, port)
	}
	identity := zmq4.WithID(zmq4.SocketIdentity(k.id))
	k.shell, k.control = zmq4.NewDealer(ctx, identity), zmq4.NewDealer(ctx, identity)
	k.stdin, k.listen = zmq4.NewDealer(ctx, identity), zmq4.NewSub(ctx)
	for _, x := range []struct {
		socket zmq4.Socket
		port   int
		into   chan *reply
	}{{k.listen, c.IOPubPort, k.news}, {k.shell, c.ShellPort, k.replies}, {k.control, c.ControlPort, k.controls}, {k.stdin, c.StdinPort, k.asked}} {
		var err error
		for begin := time.Now(); time.Since(begin) < patience; time.Sleep(5 * time.Millisecond) {
			if err = x.socket.Dial(address(x.port)); err == nil {
				break
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if x.into == k.news {
			if err := k.listen.SetOption(zmq4.OptionSubscribe, ""); err != nil {
				t.Fatal(err)
			}
		}
		go k.follow(x.socket, x.into)
	}
	t.Cleanup(func() {
		for _, s := range []zmq4.Socket{k.shell, k.control, k.stdin, k.listen} {
			s.Close()
		}
		cancel()
	})
	k.expect(k.news, "iopub_welcome")
	return k
}

func (c *client) follow(s zmq4.Socket, into chan *reply) {
	for {
		m, err := s.Recv()
		if err != nil {
			return
		}
		start := 0
		for start < len(m.Frames) && string(m.Frames[start]) != delimiter {
			start++
		}
		frames := m.Frames[start:]
		if len(frames) < 6 || c.speak.signer.verify(frames[1], frames[2:6]) != nil {
			c.t.Errorf("not a signed message: %q", m.Frames)
			return
		}
		var head, parent header
		r := &reply{}
		for i, v := range []any{&head, &parent, nil, &r.content} {
			if v != nil {
				if err := json.Unmarshal(frames[2+i], v); err != nil {
					c.t.Errorf("%v in %q", err, m.Frames)
				}
			}
		}
		if head.Version != protocolVersion || head.MsgID == "" || head.Session == "" {
			c.t.Errorf("header %+v", head)
		}
		r.kind, r.parent = head.MsgType, parent.MsgID
		into <- r
	}
}

// frames composes a request.
func (c *client) frames(kind string, content any) (id string, frames [][]byte) {
	frames = c.speak.compose(nil, kind, nil, content)
	var h header
	if err := json.Unmarshal(frames[2], &h); err != nil {
		c.t.Fatal(err)
	}
	return h.MsgID, frames
}

func (c *client) send(s zmq4.Socket, kind string, content any) (id string) {
	c.t.Helper()
	id, frames := c.frames(kind, content)
	if err := s.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
	return id
}

// expect waits for a message of one kind and skips others.
func (c *client) expect(from chan *reply, kind string) *reply {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case r := <-from:
			if r.kind == kind {
				return r
			}
		case <-deadline:
			c.t.Fatalf("no %s came", kind)
		}
	}
}

// await waits until a matching message is published for a request.
func (c *client) await(id string, wanted func(*reply) bool) *reply {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case r := <-c.news:
			if r.parent == id && wanted(r) {
				return r
			}
		case <-deadline:
			c.t.Fatal("what is awaited is not published")
		}
	}
}

// ask sends a request to the shell and waits for the reply.
func (c *client) ask(kind string, content any) map[string]any {
	c.t.Helper()
	id := c.send(c.shell, kind+"_request", content)
	r := c.expect(c.replies, kind+"_reply")
	if r.parent != id {
		c.t.Fatalf("the reply is to %s, want %s", r.parent, id)
	}
	return r.content
}

// run runs a cell and returns what it showed, without its status.
func (c *client) run(code string, more ...dict) (content map[string]any, shown []*reply) {
	c.t.Helper()
	request := dict{"code": code}
	for _, m := range more {
		maps.Copy(request, m)
	}
	id := c.send(c.shell, "execute_request", request)
	shown = c.output(id)
	r := c.expect(c.replies, "execute_reply")
	if r.parent != id {
		c.t.Fatalf("the reply is to %s, want %s", r.parent, id)
	}
	return r.content, shown
}

// output returns what is published for a request, from busy to idle.
func (c *client) output(id string) (shown []*reply) {
	c.t.Helper()
	deadline := time.After(patience)
	busy := false
	for {
		select {
		case r := <-c.news:
			switch {
			case r.parent != id:
			case r.kind != "status":
				if !busy {
					c.t.Errorf("%s before busy", r.kind)
				}
				shown = append(shown, r)
			case r.text("execution_state") == "idle":
				return shown
			default:
				busy = true
			}
		case <-deadline:
			c.t.Fatal("the kernel does not become idle")
		}
	}
}

// must runs a cell that must succeed and returns its value as text.
func (c *client) must(code string) string {
	c.t.Helper()
	content, shown := c.run(code)
	if content["status"] != "ok" {
		c.t.Fatalf("%s\n%v", code, content)
	}
	for _, r := range shown {
		if r.kind == "execute_result" {
			return fmt.Sprint(r.data("text/plain"))
		}
	}
	return ""
}

// printed returns everything that was printed to a stream.
func printed(shown []*reply, name string) string {
	var b strings.Builder
	for _, r := range shown {
		if r.kind == "stream" && r.text("name") == name {
			b.WriteString(r.text("text"))
		}
	}
	return b.String()
}

func kinds(shown []*reply) string {
	var out []string
	for _, r := range shown {
		out = append(out, r.kind)
	}
	return strings.Join(out, " ")
}
