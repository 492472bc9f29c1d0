package s3server

import (
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

// Whoever asks for any port does not get those that were taken, though he asks for
// as many as there are; whoever asks for one of them does.
func TestTake(t *testing.T) {
	slow.Test(t)
	if runtime.GOOS != "linux" {
		return // others keep such ports less strictly
	}
	taken := map[int]bool{}
	asked := 0
	for range 20 {
		taken[Take(t)] = true
	}
	if len(taken) != 20 {
		t.Errorf("%d ports, want 20", len(taken))
	}
	for begin := time.Now(); time.Since(begin) < 30*time.Second && asked < 30_000; asked++ { // within the minute, on a busy machine too
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		if taken[port] {
			t.Fatalf("the port %d was given away", port)
		}
	}
	for port := range taken {
		if _, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			t.Errorf("something listens on the port %d", port)
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Error(err)
			continue
		}
		l.Close()
	}
}
