//go:build e2e

package s3server

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// The credentials and the bucket of the server.
const (
	Key    = "symmom-access"
	Secret = "not-to-be-seen-0123456789"
	Bucket = "bucket"
)

// patience is how long the server may take to answer on a busy machine.
const patience = 5 * time.Minute

// Start starts versitygw with an empty bucket, and points the environment of the test
// to it. It returns its address.
func Start(t *testing.T) (address string) {
	t.Helper()
	path := os.Getenv("SYMMOM_S3")
	if path == "" {
		t.Fatal("SYMMOM_S3 is not set: give it the path of versitygw")
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, Bucket), 0o755); err != nil {
		t.Fatal(err)
	}
	address = net.JoinHostPort("127.0.0.1", strconv.Itoa(Take(t)))
	var output bytes.Buffer
	server := exec.Command(path, "--keep-alive", "--port", address, "posix", root)
	server.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+Key, "ROOT_SECRET_KEY="+Secret)
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
		if t.Failed() {
			t.Logf("the server printed: %s", output.String())
		}
	})
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			break
		}
		if time.Since(begin) > patience {
			t.Fatal(err)
		}
	}
	// Settings of the machine are not used.
	for _, name := range []string{"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(root, "none"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(root, "none"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_ACCESS_KEY_ID", Key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", Secret)
	Use(t, address)
	return address
}

// Use points the environment to a server.
func Use(t *testing.T, address string) { t.Setenv("AWS_ENDPOINT_URL", "http://"+address) }

// Proxy passes connections on to a server.
type Proxy struct {
	Address string
	Moved   atomic.Int64 // bytes from the server
	After   atomic.Int64 // of these in a connection, it is cut; 0: never
	Cuts    atomic.Int64
	Stalls  atomic.Bool // nothing more comes from the server
}

// NewProxy starts a proxy.
func NewProxy(t *testing.T, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Address: l.Addr().String()}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); close(done) })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client.(*net.TCPConn), server, done)
		}
	}()
	return p
}

func (p *Proxy) serve(client *net.TCPConn, address string, done <-chan struct{}) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		io.Copy(server, client)
		server.Close()
	}()
	buf := make([]byte, 16<<10)
	for total := int64(0); ; {
		n, err := server.Read(buf)
		if p.Stalls.Load() {
			<-done
			return
		}
		if after := p.After.Load(); after > 0 && total+int64(n) > after {
			client.Write(buf[:max(0, after-total)])
			client.SetLinger(0) // a reset, not an end
			p.Cuts.Add(1)
			return
		}
		total += int64(n)
		p.Moved.Add(int64(n))
		if _, wrote := client.Write(buf[:n]); err != nil || wrote != nil {
			return
		}
	}
}

// URL is that of an object in the bucket.
func URL(format string, args ...any) string {
	return "s3://" + Bucket + "/" + fmt.Sprintf(format, args...)
}
