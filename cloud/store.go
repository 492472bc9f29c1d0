//go:build !nocloud

package cloud

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/url"
	"path"
	"time"

	"gocloud.dev/blob"

	"symmom/internal/files"
)

// kind is what the stores differ in.
type kind interface {
	// open opens the bucket that a URL names.
	open(ctx context.Context, u *url.URL) (*blob.Bucket, error)

	// like makes a request be for the object that attributes are of.
	like(as func(any) bool, version string)

	// version tells one object from another of the same name.
	version(a *blob.Attributes) string

	// say says what an error means; nil: it may be another one the next time.
	say(u files.URL, err error) *files.Problem
}

// store is a files.Store.
type store struct{ kind }

func (s store) bucket(ctx context.Context, u files.URL) (*blob.Bucket, error) {
	return opened.get(ctx, s.kind, &url.URL{Scheme: u.Scheme, Host: u.Bucket, RawQuery: u.Query})
}

func (s store) Stat(ctx context.Context, u files.URL) (files.Info, error) {
	b, err := s.bucket(ctx, u)
	if err != nil {
		return files.Info{}, s.explain(ctx, u, err)
	}
	a, err := b.Attributes(ctx, u.Key)
	if err != nil {
		var op *net.OpError
		if !errors.As(err, &op) {
			// The answer about attributes alone has no reason in it.
			r, why := b.NewRangeReader(ctx, u.Key, 0, 1, nil)
			if why == nil {
				r.Close()
			} else {
				err = why
			}
		}
		return files.Info{}, s.explain(ctx, u, err)
	}
	return files.Info{Size: a.Size, Modified: a.ModTime, Version: s.version(a), Ranges: true}, nil
}

func (s store) Read(ctx context.Context, u files.URL, info files.Info, off, n int64) (io.ReadCloser, error) {
	b, err := s.bucket(ctx, u)
	if err != nil {
		return nil, s.explain(ctx, u, err)
	}
	o := &blob.ReaderOptions{BeforeRead: func(as func(any) bool) error {
		s.like(as, info.Version)
		return nil
	}}
	r, err := b.NewRangeReader(ctx, u.Key, off, n, o)
	if err != nil {
		return nil, s.explain(ctx, u, err)
	}
	if r.Size() != info.Size || !r.ModTime().Equal(info.Modified) {
		r.Close()
		return nil, files.ErrChanged
	}
	return r, nil
}

func (s store) List(ctx context.Context, u files.URL, flat bool, add func(string)) error {
	b, err := s.bucket(ctx, u)
	if err != nil {
		return s.explain(ctx, u, err)
	}
	o := &blob.ListOptions{Prefix: u.Key}
	if flat {
		o.Delimiter = "/"
	}
	for list := b.List(o); ; {
		object, err := list.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.explain(ctx, u, err)
		}
		if !object.IsDir {
			add(object.Key)
		}
	}
}

// partBytes are sent at a time: S3 takes 10,000 parts.
const partBytes = 16 << 20

func (s store) Create(ctx context.Context, u files.URL) (files.Writer, error) {
	b, err := s.bucket(ctx, u)
	if err != nil {
		return nil, s.explain(ctx, u, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	r, to := io.Pipe()
	w := &writer{PipeWriter: to, cancel: cancel, done: make(chan error, 1)}
	o := &blob.WriterOptions{BufferSize: partBytes, MaxConcurrency: 2, ContentType: mime.TypeByExtension(path.Ext(u.Key))}
	if o.ContentType == "" {
		o.ContentType = "application/octet-stream"
	}
	go func() {
		defer cancel()
		err := b.Upload(ctx, u.Key, r, o)
		if err != nil {
			err = s.explain(ctx, u, err)
		}
		r.CloseWithError(err) // who writes is told
		w.done <- err
	}()
	return w, nil
}

// writer sends what is written to it.
type writer struct {
	*io.PipeWriter
	cancel context.CancelFunc
	done   chan error
}

func (w *writer) Close() error {
	w.PipeWriter.Close()
	return <-w.done
}

// Abort gives up. The store is told, so that it does not keep the parts that it has.
func (w *writer) Abort() {
	w.CloseWithError(errors.New("given up"))
	select {
	case <-w.done:
	case <-time.After(800 * time.Millisecond):
		w.cancel()
	}
}
