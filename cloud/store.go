//go:build !slim

package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"symmom/internal/store/files"
)

// clients keeps clients, with the connections and the credentials that they have, as
// long as the environment is the same.
type clients[T any] struct {
	mu   sync.Mutex
	kept map[string]T
}

// get returns the client of a URL's bucket, which open makes.
func (c *clients[T]) get(ctx context.Context, u files.URL, open func(context.Context, files.URL, url.Values) (T, error)) (client T, err error) {
	key := u.Bucket + "\x00" + u.Query
	for _, v := range os.Environ() {
		for _, prefix := range []string{"AWS_", "AZURE_", "GOOGLE_", "STORAGE_EMULATOR_HOST"} {
			if strings.HasPrefix(v, prefix) {
				key += "\x00" + v
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if client, ok := c.kept[key]; ok {
		return client, nil
	}
	settings, err := url.ParseQuery(u.Query)
	if err != nil {
		return client, files.NewProblem(nil, "invalid setting after the question mark")
	}
	if client, err = open(context.WithoutCancel(ctx), u, settings); err != nil {
		return client, err
	}
	if c.kept == nil {
		c.kept = map[string]T{}
	}
	c.kept[key] = client
	return client, nil
}

// silent is how long a store may say nothing, or take nothing. Only tests change it.
var silent = time.Minute

// patient ends what waits for a store that is silent.
func patient(t *http.Transport) {
	t.ResponseHeaderTimeout = silent
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return patientConn{c}, nil
	}
}

// transport is that of package files, patient.
func transport() http.RoundTripper { return files.Transport(patient) }

// patientConn is a connection of which a write fails that waits for too long.
type patientConn struct{ net.Conn }

func (c patientConn) Write(p []byte) (n int, err error) {
	const most = 64 << 10 // of which the other side takes some in time, if it takes any
	for n < len(p) && err == nil {
		c.SetWriteDeadline(time.Now().Add(silent))
		var k int
		k, err = c.Conn.Write(p[n:min(len(p), n+most)])
		n += k
	}
	return n, err
}

// partBytes are sent at a time: S3 takes 10,000 parts.
const partBytes = 16 << 20

// writer sends what is written to it.
type writer struct {
	*io.PipeWriter
	ctx    context.Context // whose end ends the writing
	cancel context.CancelFunc
	done   chan error
}

// newWriter has upload read what is written. Where reading fails upload leaves things
// as they were; it does so when ctx ends, for which its own context lives on a while.
func newWriter(ctx context.Context, upload func(context.Context, io.Reader) error) files.Writer {
	going, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r, to := io.Pipe()
	w := &writer{PipeWriter: to, ctx: ctx, cancel: cancel, done: make(chan error, 1)}
	stop := context.AfterFunc(ctx, func() {
		r.CloseWithError(ctx.Err())
		time.AfterFunc(grace, cancel)
	})
	go func() {
		defer cancel()
		defer stop()
		err := upload(going, r)
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		r.CloseWithError(err) // fails further writes
		w.done <- err
	}()
	return w
}

// grace is the time that a pending request has when an upload is cancelled, and then the
// requests that abort it.
const grace = 400 * time.Millisecond

// Close ends the upload and waits for the store.
func (w *writer) Close() error {
	w.PipeWriter.Close()
	select {
	case err := <-w.done:
		return err
	case <-w.ctx.Done():
		return w.end()
	}
}

// Abort cancels the upload, so that the store does not keep the parts that it has.
func (w *writer) Abort() {
	w.CloseWithError(errors.New("given up"))
	w.end()
}

// end waits for a while for the cancelled upload, and returns its error.
func (w *writer) end() error {
	for range 2 {
		select {
		case err := <-w.done:
			return err
		case <-time.After(grace):
			w.cancel()
		}
	}
	return w.ctx.Err()
}

func contentType(key string) string {
	if t := mime.TypeByExtension(path.Ext(key)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// explain replaces the error of a library, which may be many lines long or hold signed
// addresses, by one of ours. say returns the error for a code of the store, or nil for a
// transient one.
func explain(ctx context.Context, err error, code string, say func(code string) error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if code != "" {
		if known := say(code); known != nil {
			return known
		}
		return fmt.Errorf("the store answers with an error (%s)", code)
	}
	var problem *files.Problem
	var host *net.DNSError
	var at *url.Error
	var op *net.OpError
	var late net.Error
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &host):
		return files.NewProblem(nil, "there is no server of this name (%s); check the endpoint, the region and the network", host.Name)
	case errors.As(err, &late) && late.Timeout():
		return errors.New("the store does not answer in time; check the endpoint and the network, or try again later")
	case errors.As(err, &op):
		return fmt.Errorf("the store does not answer (%w); check the endpoint and the network, or try again later", op)
	case errors.As(err, &at):
		return at.Err // without the address
	case errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	}
	return errors.New("the store does not answer as it should")
}

func noObject(u files.URL) error {
	return files.NewProblem(fs.ErrNotExist, "there is no such object in the bucket %s; check the URL (that of a directory ends in a slash)", u.Bucket)
}

func noBucket(u files.URL) error {
	return files.NewProblem(fs.ErrNotExist, "there is no bucket %s; check the URL", u.Bucket)
}

func denied(u files.URL) error {
	return files.NewProblem(files.ErrDenied, "access to the bucket %s is denied; check which credentials are in use and what they may do", u.Bucket)
}

func badSetting(known string) error {
	return files.NewProblem(nil, "want a setting after the question mark: %s", known)
}
