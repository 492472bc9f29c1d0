package s3server

import (
	"io"
	"net"
	"testing"
)

// Take returns a TCP port of 127.0.0.1 on which nothing listens. For about a minute the system
// gives it to nobody who asks for any port, and to no outgoing connection, because a
// connection to it has just ended (TIME-WAIT); a server that asks for this port, with
// SO_REUSEADDR as servers do, gets it. A port that was merely free a moment ago
// may be another test's when the server begins to listen.
func Take(t testing.TB) int {
	t.Helper()
	port, err := take()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func take() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	there, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return 0, err
	}
	defer there.Close()
	here, err := l.Accept()
	if err != nil {
		return 0, err
	}
	// The side that closes first is the one that waits.
	if err := here.Close(); err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, there)
	return l.Addr().(*net.TCPAddr).Port, err
}
