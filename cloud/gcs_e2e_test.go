//go:build e2e

package cloud_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"symmom/datasets"
	"symmom/internal/store/files"
	"symmom/internal/test/s3server"
	"symmom/symmom"
)

// startGCS starts fake-gcs-server with a bucket, and returns its address.
func startGCS(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SYMMOM_GCS")
	if path == "" {
		t.Fatal("SYMMOM_GCS is not set: give it the path of fake-gcs-server")
	}
	port := strconv.Itoa(s3server.Take(t))
	address := net.JoinHostPort("127.0.0.1", port)
	server := exec.Command(path, "-scheme", "http", "-host", "127.0.0.1", "-port", port, "-backend", "memory", "-public-host", address, "-external-url", "http://"+address, "-log-level", "error")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		r, err := http.Post("http://"+address+"/storage/v1/b?project=p", "application/json", strings.NewReader(`{"name":"bucket"}`))
		if err == nil {
			r.Body.Close()
			break
		}
		if time.Since(begin) > time.Minute { // it may take this long on a busy machine
			t.Fatal(err)
		}
	}
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	return address
}

// TestGoogle does with gs:// what the tests above do with s3://.
func TestGoogle(t *testing.T) {
	proxy := s3server.NewProxy(t, startGCS(t))
	s := datasets.Uniform(20, 30000, 1) // 5 MB
	for _, name := range []string{"a.csv", "a.parquet", "b/1.npy", "b/2.npy"} {
		path := "gs://bucket/" + name
		if err := s.Save(path); err != nil {
			t.Fatal(err)
		}
		if got := symmom.Load(path); got.Err() != nil || got.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, path := range []string{"gs://bucket/b/", "gs://bucket/b/?.npy", "gs://bucket/*/[12].npy"} {
		if got := symmom.Stream(path); got.Err() != nil || got.Observations() != 2*s.Observations() {
			t.Errorf("%s: %v", path, got)
		}
	}
	// More than a part, and given up.
	big := strings.Repeat("0123456789abcdef", 2<<20+1)
	if err := files.Write(t.Context(), "gs://bucket/big", []byte(big)); err != nil || text(t, "gs://bucket/big") != big {
		t.Errorf("a large object: %v", err)
	}
	stopped := errors.New("stopped")
	err := files.WriteFunc(t.Context(), "gs://bucket/given-up", func(w io.Writer) error {
		if _, err := io.WriteString(w, big); err != nil {
			return err
		}
		return stopped
	})
	if got := symmom.Load("gs://bucket/given-up"); !errors.Is(err, stopped) || !errors.Is(got.Err(), fs.ErrNotExist) {
		t.Errorf("given up: %v, %v", err, got)
	}
	for path, want := range map[string]string{"gs://bucket/nothing.csv": "no such object in the bucket bucket", "gs://none/*.csv": "no bucket none", "gs://bucket/a.csv?region=x": "want a setting after the question mark: anonymous"} {
		if err := symmom.Load(path).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	stream := symmom.Stream("gs://bucket/b/1.npy", symmom.LoadOptions{NoSpill: true})
	if err := datasets.Uniform(20, 30000, 2).Save("gs://bucket/b/1.npy"); err != nil {
		t.Fatal(err)
	}
	if err := stream.Moment(3).Decompose(2).Err(); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("replaced between passes: %v", err)
	}
	t.Setenv("STORAGE_EMULATOR_HOST", proxy.Address)
	proxy.After.Store(700_000)
	if got := symmom.Load("gs://bucket/a.csv"); got.Err() != nil || got.Fingerprint() != s.Fingerprint() || proxy.Cuts.Load() < 3 {
		t.Errorf("cut off %d times: %v", proxy.Cuts.Load(), got)
	}
}
