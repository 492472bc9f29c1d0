package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Messages without the key, and repeated messages, are dropped: they are neither
// answered nor run.
func TestForgedMessagesAreDropped(t *testing.T) {
	r := start(t)
	c := connect(t, r.connection)
	c.must("n := 0")
	request := func() [][]byte { _, f := c.frames("execute_request", dict{"code": "n++"}); return f }
	wrong := request()
	wrong[1] = []byte(strings.Repeat("0", 64))
	unsigned := request()
	unsigned[1] = nil
	changed := request()
	changed[5] = []byte(`{"code": "n += 100"}`)
	short := request()
	short[1] = short[1][:10]
	otherKey, err := newSigner("hmac-sha256", "another")
	if err != nil {
		t.Fatal(err)
	}
	other := request()
	other[1] = otherKey.sign(other[2:6])
	for _, f := range [][][]byte{wrong, unsigned, changed, short, other, {[]byte("x")}, {[]byte(delimiter)}, {{}}} {
		for _, s := range []zmq4.Socket{c.shell, c.control, c.stdin} {
			if err := s.SendMulti(zmq4.NewMsgFrom(f...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	good := request()
	for range 3 {
		if err := c.shell.SendMulti(zmq4.NewMsgFrom(good...)); err != nil {
			t.Fatal(err)
		}
	}
	c.expect(c.replies, "execute_reply")
	if got := c.must("n"); got != "1" {
		t.Errorf("n is %s, want 1 of the message that was good, once", got)
	}
	if log := r.log.String(); !strings.Contains(log, "wrong signature") || !strings.Contains(log, "came before") {
		t.Error(log)
	}
	// A signed message that makes no sense is not answered either.
	for _, f := range [][]byte{[]byte("[]"), []byte("{"), []byte(`"text"`), {}} {
		frames := request()
		frames[2] = f
		frames[1] = c.speak.signer.sign(frames[2:6])
		if err := c.shell.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
			t.Fatal(err)
		}
	}
	c.send(c.shell, "no_such_request", dict{})
	if got := c.must("n"); got != "1" {
		t.Errorf("n is %s", got)
	}
}

func hello(kind, body string) []byte {
	greeting := make([]byte, greetBytes)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	return append(greeting, kind+body...)
}

// Anything that is not ZeroMQ, or is malformed, ends only its own connection; a
// frame whose size is only announced takes no memory, whatever the size.
func TestHostilePeers(t *testing.T) {
	r := start(t)
	c := connect(t, r.connection)
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
	command := func(body string) string { return "\x04" + string(byte(len(body))) + body }
	huge := "\x02" + string(binary.BigEndian.AppendUint64(nil, 1<<62))
	big := "\x02" + string(binary.BigEndian.AppendUint64(nil, maxMessage+1))
	claimed := "\x02" + string(binary.BigEndian.AppendUint64(nil, maxMessage))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	attack := func(port int) {
		for name, data := range map[string][]byte{
			"http":                    []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + strings.Repeat("x", 100)),
			"nothing":                 nil,
			"half a greeting":         hello("", "")[:20],
			"zeros":                   make([]byte, 200),
			"a cut property":          hello("", command("\x05READY\xff")),
			"a cut length":            hello("", command("\x05READY\x01A\x00")),
			"a long value":            hello("", command("\x05READY\x01A\xff\xff\xff\xff")),
			"another command":         hello("", command("\x05HELLO")),
			"an empty command":        hello("", "\x04\x00"),
			"a huge greeting":         hello("", "\x06"+huge[1:]),
			"another kind of socket":  hello("", command("\x05READY\x0bSocket-Type\x00\x00\x00\x04PULL")),
			"a huge frame":            hello("", command(ready)+huge),
			"a big frame":             hello("", command(ready)+big),
			"a frame that is claimed": hello("", command(ready)+claimed+"x"),
			"frames without an end":   hello("", command(ready)+strings.Repeat("\x01\x00", 100000)),
			"an empty frame":          hello("", command(ready)+"\x00\x00"),
			"a command in a message":  hello("", command(ready)+"\x01\x01a"+command("\x04PING\x00\x00")),
			"a ping, and it is gone":  hello("", command(ready)+command("\x04PING\x00\x00")),
			"a command without bytes": hello("", command(ready)+"\x04\x00"),
		} {
			conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if err := conn.SetDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
				t.Error(err)
			}
			// The kernel may hang up at any point.
			_, _ = conn.Write(data)
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1000))
			conn.Close()
		}
	}
	var attacks sync.WaitGroup
	for _, port := range r.connection.ports() {
		attacks.Go(func() { attack(port) })
	}
	attacks.Wait()
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > maxMessage {
		t.Errorf("%d bytes were allocated", grown)
	}
	if got := c.must("1 + 1"); got != "2" {
		t.Error(got)
	}
}

// The total size of the frames of one message is bounded, too.
func TestGuardBoundsMessages(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	done := make(chan error, 1)
	go func() {
		g, _, err := handshake(here, zmq4.Router, 1000, new(atomic.Int64))
		if err == nil {
			_, err = g.receive()
		}
		done <- err
	}()
	go func() {
		// Nothing can be done about a pipe that the other side closes.
		_, _ = there.Write(hello("", "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"))
		for {
			if _, err := there.Write(append([]byte{moreFrames, 100}, make([]byte, 100)...)); err != nil {
				return
			}
		}
	}()
	go func() { _, _ = io.Copy(io.Discard, there) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), errTooLarge.Error()) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("it reads on and on")
	}
}

// If a client disconnects at any point, the kernel still serves the next one.
func TestClientVanishes(t *testing.T) {
	r := start(t)
	first := connect(t, r.connection)
	first.must("import \"fmt\"\nn := 0")
	first.send(first.shell, "execute_request", dict{"code": "for ; n < 2000; n++ { fmt.Println(\"line\", n) }"})
	first.expect(first.news, "stream")
	for _, s := range []zmq4.Socket{first.shell, first.control, first.stdin, first.listen} {
		s.Close()
	}
	second := connect(t, r.connection)
	if got := second.must("n"); got != "2000" {
		t.Errorf("n is %s", got)
	}
	// A client that asks for input and disconnects.
	third := connect(t, r.connection)
	third.send(third.shell, "execute_request", dict{"code": "var s string\nfmt.Scanln(&s)", "allow_stdin": true})
	third.expect(third.asked, "input_request")
	for _, s := range []zmq4.Socket{third.shell, third.control, third.stdin, third.listen} {
		s.Close()
	}
	second.interrupt()
	if got := second.must("n + 1"); got != "2001" {
		t.Errorf("n is %s", got)
	}
}

func FuzzParse(f *testing.F) {
	s, err := newSigner("hmac-sha256", "a secret")
	if err != nil {
		f.Fatal(err)
	}
	parts := [][]byte{[]byte(`{"msg_id":"1","msg_type":"execute_request"}`), []byte("{}"), []byte("{}"), []byte(`{"code":"1 + 1"}`)}
	whole := append([][]byte{[]byte("identity"), []byte(delimiter), s.sign(parts)}, parts...)
	f.Add(bytes.Join(whole, []byte("\n")))
	f.Add([]byte(delimiter + "\n\n{}\n{}\n{}\n{}"))
	f.Add([]byte(delimiter + "\n" + string(s.sign([][]byte{[]byte("{}"), []byte("{}"), []byte("{}"), []byte("{}")})) + "\n{}\n{}\n{}\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		frames := bytes.Split(data, []byte("\n"))
		fresh, err := newSigner("hmac-sha256", "a secret")
		if err != nil {
			t.Fatal(err)
		}
		if m, err := parse(fresh, frames); err == nil {
			if m.MsgType == "" || m.MsgID == "" || !bytes.Equal(bytes.Join(parts, nil), bytes.Join(frames[len(m.routing)+2:len(m.routing)+6], nil)) {
				t.Errorf("a message that nobody signed: %q", frames)
			}
			if _, err := parse(fresh, frames); err != errReplayed {
				t.Errorf("again: %v", err)
			}
		}
		// With a valid signature the content may be anything.
		if len(frames) >= 4 {
			signed := append([][]byte{[]byte(delimiter), s.sign(frames[:4])}, frames[:4]...)
			if m, err := parse(fresh, signed); err == nil {
				for _, into := range []any{&executeRequest{}, &historyRequest{}} {
					if bad := m.read(into); bad != nil && bad["status"] != "error" {
						t.Errorf("%v", bad)
					}
				}
			}
		}
	})
}

// FuzzFrames gives the guard and the library whatever a peer may send.
func FuzzFrames(f *testing.F) {
	ready := "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
	f.Add(hello("", ready+"\x01\x01a\x00\x01b"))
	f.Add(hello("", ready+"\x02"+string(binary.BigEndian.AppendUint64(nil, 1<<62))))
	f.Add(hello("", "\x04\x08\x05READY\xff"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		here, there := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, there) }()
		go func() {
			_, _ = there.Write(data)
			there.Close()
		}()
		defer here.Close()
		partial := new(atomic.Int64)
		g, _, err := handshake(here, zmq4.Router, 1<<20, partial)
		for err == nil {
			_, err = g.receive()
		}
		if n := partial.Load(); n != 0 {
			t.Errorf("%d bytes are still counted", n)
		}
	})
}
