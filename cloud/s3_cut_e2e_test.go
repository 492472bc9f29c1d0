//go:build e2e

package cloud_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"symmom/internal/store/files"
	"symmom/internal/test/s3server"
)

// client is one of the server's in use.
func client(t *testing.T) *s3.Client {
	t.Helper()
	c, err := config.LoadDefaultConfig(context.Background(), config.WithRegion("us-east-1"))
	if err != nil {
		t.Fatal(err)
	}
	return s3.NewFromConfig(c, func(o *s3.Options) { o.UsePathStyle = true })
}

// uploads counts what the server keeps of uploads that have not ended.
func uploads(t *testing.T) int {
	t.Helper()
	list, err := client(t).ListMultipartUploads(context.Background(), &s3.ListMultipartUploadsInput{Bucket: aws.String(s3server.Bucket)})
	if err != nil {
		t.Error(err)
		return -1
	}
	return len(list.Uploads)
}

// waitForUploads waits until the server keeps n uploads: one that was given up while a
// part was under way is given up again, in the background.
func waitForUploads(t *testing.T, n int) {
	t.Helper()
	for begin := time.Now(); uploads(t) != n; time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > 2*time.Minute { // on a busy machine; as long as uploads are given up
			t.Fatalf("the server keeps %d uploads, want %d", uploads(t), n)
		}
	}
}

// lastByte gives its last byte when release is closed.
type lastByte struct {
	*bytes.Reader
	release <-chan struct{}
}

func (b lastByte) Read(p []byte) (int, error) {
	if b.Len() > 1 {
		return b.Reader.Read(p[:min(len(p), b.Len()-1)])
	}
	<-b.release
	return b.Reader.Read(p)
}

// TestPartAfterAbort is an interrupt while the server takes a part: it writes the part
// when the upload has been given up, and so has it again.
func TestPartAfterAbort(t *testing.T) {
	server := s3server.Start(t)
	// Without another upload of the object the server keeps such a part and does not list it.
	if _, err := client(t).CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: aws.String(s3server.Bucket), Key: aws.String("cut.npy")}); err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(&neturl.URL{Scheme: "http", Host: server})
	arrived, aborted, counted, written := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan int, 1)
	var once sync.Once
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut && r.URL.Query().Get("partNumber") == "2":
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			r = r.WithContext(context.WithoutCancel(r.Context())) // as a server that has all of it
			r.Body = io.NopCloser(lastByte{bytes.NewReader(body), aborted})
			close(arrived)
			r.Header.Del("Expect")
			answer := httptest.NewRecorder()
			pass.ServeHTTP(answer, r)
			if answer.Code != http.StatusOK {
				t.Errorf("the server did not take the part: %d %s", answer.Code, answer.Body)
			}
			written <- uploads(t)
			close(counted)
		case r.Method == http.MethodDelete:
			select {
			case <-aborted:
				<-counted // else the upload may be gone before it is counted
			default:
			}
			pass.ServeHTTP(w, r)
			once.Do(func() { close(aborted) })
		default:
			pass.ServeHTTP(w, r)
		}
	}))
	defer front.Close()
	s3server.Use(t, front.Listener.Addr().String())
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	err := files.WriteFunc(ctx, url("cut.npy"), func(w io.Writer) error {
		_, err := w.Write(make([]byte, 40<<20))
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := <-written; n != 2 {
		t.Errorf("%d uploads after the part that came late, want two", n)
	}
	waitForUploads(t, 1)
}
