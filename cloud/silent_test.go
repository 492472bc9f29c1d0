//go:build !slim

package cloud

import (
	"net"
	"strings"
	"testing"
	"time"

	"symmom/internal/store/files"
)

// TestSilentStores writes to servers that take connections and say nothing, and take no
// more than fits into the buffers of the system.
func TestSilentStores(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	silent, retryAfter = 100*time.Millisecond, time.Millisecond
	t.Cleanup(func() { silent, retryAfter = time.Minute, time.Second })
	t.Setenv("STORAGE_EMULATOR_HOST", l.Addr().String())
	t.Setenv("AWS_ENDPOINT_URL", "http://"+l.Addr().String())
	t.Setenv("AWS_ACCESS_KEY_ID", "a")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "b")
	for _, url := range []string{"gs://bucket/object", "s3://bucket/object"} {
		for _, size := range []int{1000, partBytes - 1, 2 * partBytes} {
			if err := files.Write(t.Context(), url, make([]byte, size)); err == nil || !strings.Contains(err.Error(), "the store does not answer") {
				t.Errorf("%s, %d bytes: %v", url, size, err)
			}
		}
	}
}
