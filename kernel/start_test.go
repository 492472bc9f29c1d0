package kernel

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
)

// early is a kernel that accepts clients but runs no cell before open is called.
func early(t *testing.T) (k *server, open func()) {
	t.Helper()
	k, err := listen(Config{Connection: freeConnection(t), Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.main.output.release)
	k.serve()
	return k, func() {
		t.Helper()
		if err := k.openSession(); err != nil {
			t.Fatal(err)
		}
		served := make(chan struct{})
		go func() { defer close(served); k.main.serve() }()
		t.Cleanup(func() { k.end(); <-served; k.hangUp() })
	}
}

// Clients are accepted, and receive the kernel's info, before there is a session;
// requests to the shell in the meantime are answered once there is one.
func TestClientsComeBeforeTheSession(t *testing.T) {
	k, open := early(t)
	c := connect(t, k.config.Connection)
	id := c.send(c.shell, "execute_request", dict{"code": "40 + 2"})
	c.send(c.control, "kernel_info_request", dict{})
	if got := c.expect(c.controls, "kernel_info_reply").text("implementation"); got != "go" {
		t.Errorf("the kernel is %q", got)
	}
	if k.cells != nil {
		t.Fatal("there is a session already")
	}
	open()
	if r := c.expect(c.replies, "execute_reply"); r.parent != id || r.text("status") != "ok" {
		t.Errorf("%v", r)
	}
	if got := c.expect(c.news, "execute_result").data("text/plain"); got != "42" {
		t.Errorf("the cell is %v", got)
	}
}

// A kernel listens at all five addresses or at none.
func TestPortTaken(t *testing.T) {
	c := freeConnection(t)
	taken, err := net.Listen("tcp", net.JoinHostPort(c.IP, strconv.Itoa(c.HeartbeatPort)))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	err = Run(context.Background(), Config{Connection: c, Log: io.Discard})
	if err == nil || !strings.Contains(err.Error(), "hb_port "+strconv.Itoa(c.HeartbeatPort)) {
		t.Errorf("got %v, want an error that names hb_port", err)
	}
	free, err := net.Listen("tcp", net.JoinHostPort(c.IP, strconv.Itoa(c.ShellPort)))
	if err != nil {
		t.Fatalf("the shell's port is still bound: %v", err)
	}
	free.Close()
}
