package kernel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/slow"
)

// subscribe connects to iopub without a key, subscribes to some topics, and sends
// nothing else.
func subscribe(t testing.TB, c Connection, topics ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", c.IOPubPort))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	data := hello("", "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03SUB")
	for _, topic := range topics {
		data = append(data, longFrame)
		data = binary.BigEndian.AppendUint64(data, uint64(1+len(topic)))
		data = append(append(data, 1), topic...)
	}
	if _, err := conn.Write(data); err != nil {
		t.Fatal(err)
	}
	return conn
}

const printMuch = `import ("fmt"; "strings")
line := strings.Repeat("x", 1<<20)
for i := 0; i < %d; i++ { fmt.Println(line) }`

// Subscribers that never read delay neither output nor interrupts: before, with
// twenty of them 150 MB took more than a minute instead of two seconds, and an
// interrupt waited for 41 s.
func TestSilentSubscribers(t *testing.T) {
	slow.Test(t)
	r := start(t)
	c := connect(t, r.connection)
	timed := func() time.Duration {
		watch := clock.Start()
		_, shown := c.run(fmt.Sprintf(printMuch, 150))
		// A busy machine may read so slowly that it loses output, which is reported.
		if got := len(printed(shown, "stdout")); got != 150*(1<<20+1) && !strings.Contains(printed(shown, "stderr"), "did not reach this client") {
			t.Errorf("%d bytes arrived at the client that reads", got)
		}
		_, took := watch.Took()
		return took
	}
	timed()
	alone := timed()
	for range 20 {
		subscribe(t, r.connection, "")
	}
	time.Sleep(100 * time.Millisecond)
	beside := timed()
	t.Logf("150 MB took %v, beside 20 silent subscribers %v", alone, beside)
	if beside > 3*alone+2*time.Second {
		t.Errorf("150 MB took %v beside silent subscribers, %v without", beside, alone)
	}
	id := c.send(c.shell, "execute_request", dict{"code": fmt.Sprintf(printMuch, 1_000_000)})
	c.await(id, func(r *reply) bool { return r.kind == "stream" })
	time.Sleep(200 * time.Millisecond)
	watch, whole := clock.Start(), clock.Start()
	c.interrupt()
	_, answered := watch.Took()
	if m := c.expect(c.replies, "execute_reply"); m.content["ename"] != "interrupted" {
		t.Error(m)
	}
	_, ended := whole.Took()
	t.Logf("an interrupt was answered after %v, the cell ended after %v", answered, ended)
	if answered > promised || ended > 2*promised {
		t.Errorf("an interrupt was answered after %v, the cell ended after %v", answered, ended)
	}
	if log := r.log.String(); !strings.Contains(log, "does not keep up") {
		t.Errorf("the log does not say that output is dropped: %q", log)
	}
}

// Subscriptions are bounded: before, a topic took 256 MB, and a peer could have a
// thousand of them.
func TestTopicsAreBounded(t *testing.T) {
	r := start(t)
	c := connect(t, r.connection)
	refused := subscribe(t, r.connection, strings.Repeat("x", maxTopic+1))
	if err := refused.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, refused); err != nil {
		t.Errorf("a long topic does not end the connection: %v", err)
	}
	var topics []string
	for i := range 3 * maxTopics {
		topics = append(topics, fmt.Sprintf("%03d%s", i, strings.Repeat("x", maxTopic-3)))
	}
	many := subscribe(t, r.connection, append(topics, "end")...)
	if err := many.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	welcomes, buffer := 0, make([]byte, 1<<16)
	for welcomes < maxTopics {
		n, err := many.Read(buffer)
		if err != nil {
			t.Fatalf("%d welcomes, then %v", welcomes, err)
		}
		welcomes += strings.Count(string(buffer[:n]), "iopub_welcome")
	}
	c.must("1 + 1")
	if err := many.SetDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(many) // until the deadline
	if n := welcomes + strings.Count(string(rest), "iopub_welcome"); n != maxTopics {
		t.Errorf("%d topics were taken, want %d", n, maxTopics)
	}
}

// Connections that announce a large message and send little of it take no memory:
// before, 60 of them took 220 MB and reserved 15 GB.
func TestAnnouncedMessagesTakeNoMemory(t *testing.T) {
	r := start(t)
	c := connect(t, r.connection)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 60 {
		port := []int{r.connection.ShellPort, r.connection.ControlPort, r.connection.StdinPort}[i%3]
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		data := hello("", "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x02")
		data = binary.BigEndian.AppendUint64(data, maxMessage)
		if _, err := conn.Write(append(data, make([]byte, 100<<10)...)); err != nil {
			t.Fatal(err)
		}
	}
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		// All have arrived when their bytes are counted.
		c.must("1 + 1")
		if strings.Count(r.log.String(), "\n") > 0 || time.Since(begin) > 500*time.Millisecond {
			break
		}
	}
	runtime.ReadMemStats(&after)
	grown := float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)
	t.Logf("60 announcements of 256 MB, 100 kB sent of each: %.0f MB were allocated", grown)
	if grown > 200 {
		t.Errorf("%.0f MB were allocated", grown)
	}
}

// A subscriber that has stopped reading loses only output, and gets a message in its
// place. The delay is measured by a clock that stops while anything runs, since
// packing and signing messages may take any time on a busy machine.
func TestGapIsReported(t *testing.T) {
	k, err := listen(Config{Connection: freeConnection(t), Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer k.hangUp()
	synctest.Test(t, func(t *testing.T) {
		log := &safeBuffer{}
		iopub := k.iopub.(*socket)
		iopub.log = log
		here, there := net.Pipe() // has no buffer
		defer there.Close()
		p := newPeer(iopub)
		p.guard = &guard{Conn: here}
		p.topics = []string{""}
		iopub.peers = append(iopub.peers, p)
		defer func() { iopub.peers = nil }() // the kernel hangs up outside the bubble
		go p.write()
		defer p.end()
		parent := json.RawMessage(`{"msg_id":"7"}`)
		text := strings.Repeat("x", 1<<20)
		begin := time.Now()
		const sent = 80
		for range sent {
			k.publish("stream", parent, dict{"name": "stdout", "text": text})
		}
		k.publish("status", parent, dict{"execution_state": "idle"})
		// It looks ten times within the silence, whether that has become too long.
		if held := time.Since(begin); held < maxSilence || held > maxSilence+maxSilence/10 {
			t.Errorf("a silent subscriber held up the output for %v, want %v", held, maxSilence)
		}
		read := &safeBuffer{}
		go func() { _, _ = io.Copy(read, there) }()
		synctest.Wait() // until it has read all that waited for it
		all := read.String()
		got := strings.Count(all, text)
		want := fmt.Sprintf("[%d messages of output, %d.0 MB, did not reach this client", sent-got, sent-got)
		if got >= sent || got < maxQueue>>20 || !strings.Contains(all, want) || !strings.Contains(all, `"idle"`) || strings.Index(all, want) > strings.Index(all, `"idle"`) {
			t.Errorf("%d of %d messages, then %.300s; want %s", got, sent, all[strings.LastIndex(all, "xxx")+3:], want)
		}
		if log := log.String(); !strings.Contains(log, "does not keep up") || !strings.Contains(log, fmt.Sprintf("did not get %d messages", sent-got)) {
			t.Error(log)
		}
	})
}

// A peer that reads no answers is disconnected; the kernel continues.
func TestAnswersThatNobodyTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &socket{log: &safeBuffer{}}
		here, there := net.Pipe()
		defer there.Close()
		p := newPeer(s)
		p.guard = &guard{Conn: here}
		go p.write()
		chunk := [][]byte{make([]byte, maxQueue/4)}
		begin := time.Now()
		for range 8 {
			p.send(chunk)
		}
		took := time.Since(begin)
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		if took < maxStall || took > maxStall+maxStall/5 || !p.ended || s.held.Load() > maxQueue/4 {
			t.Errorf("%v, ended %v, %d bytes are held", took, p.ended, s.held.Load())
		}
	})
}

// Other users of the machine, who need no key to read what cells print, are
// refused.
func TestOtherUsersAreRefused(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // owner is unknown on this system, as README says
	}
	dir := t.TempDir()
	for _, at := range []struct{ network, address string }{{"tcp", "127.0.0.1:0"}, {"tcp", "[::1]:0"}, {"unix", filepath.Join(dir, "s")}} {
		l, err := net.Listen(at.network, at.address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		there, err := net.Dial(l.Addr().Network(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer there.Close()
		here, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer here.Close()
		if uid, known := owner(here); !known || uid != os.Getuid() {
			t.Errorf("%v: the owner is %d, known %v", l.Addr(), uid, known)
		}
	}
	k, err := listen(Config{Connection: freeConnection(t), Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	log := &safeBuffer{}
	k.config.Log = log
	for _, s := range k.sockets {
		if s.mine == nil || !s.mine(os.Getuid()) || !s.mine(0) || s.mine(os.Getuid()+1) {
			t.Error("all users are let in, or the own is not")
		}
		s.mine = func(int) bool { return false }
	}
	k.serve()
	defer k.hangUp()
	conn := subscribe(t, k.config.Connection, "")
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if data, _ := io.ReadAll(conn); len(data) > 0 { // the kernel hangs up
		t.Errorf("%q was sent", data)
	}
	if !strings.Contains(log.String(), "--any-user") {
		t.Error(log.String())
	}
}

// Sockets in the file system accept no other user, and those left by a killed
// kernel do no harm.
func TestIPC(t *testing.T) {
	dir, err := os.MkdirTemp("", "k") // short: a socket's path is limited to about a hundred bytes
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := Connection{Transport: "ipc", IP: filepath.Join(dir, "kernel-ipc"), ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5, Key: "a secret"}
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.IP + "-2", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	r := startAt(t, c)
	k := connect(t, c)
	if got := k.must("40 + 2"); got != "42" {
		t.Error(got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("%v %v, want five sockets", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", e.Name(), info.Mode(), err)
		}
	}
	if _, err := listen(Config{Connection: c, Log: io.Discard}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second kernel at the same sockets: %v", err)
	}
	r.stop()
	r.ends(t)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%v %v are left", entries, err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := listen(Config{Connection: c, Log: io.Discard}); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a directory in which others may write: %v", err)
	}
	c.IP = filepath.Join(dir, strings.Repeat("x", 100))
	if _, err := listen(Config{Connection: c, Log: io.Discard}); err == nil || !strings.Contains(err.Error(), "JUPYTER_RUNTIME_DIR") {
		t.Errorf("a long path: %v", err)
	}
}
