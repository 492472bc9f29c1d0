package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"sync"
	"time"

	"symmom/internal/text/diag"
)

// Object is an object that is read. Its reads go on where a connection broke off. It may
// be read at by several goroutines.
type Object struct {
	ctx    context.Context
	cancel context.CancelFunc
	store  Store
	url    URL
	info   Info

	reading sync.Mutex // for the next three
	at      int64      // of Read
	body    *body
	closed  bool

	mu      sync.Mutex
	windows []window
}

const (
	// firstBytes are read of an object to see what it is.
	firstBytes = 256 << 10
	// mostTries without a byte end a read.
	mostTries = 6
	// mostIdle is how long the context of what was read to its end stays, so that the
	// connection can be used again.
	mostIdle = time.Second
)

// Only tests change these.
var (
	firstPause = 100 * time.Millisecond // before another try, twice as long each time
	stalled    = time.Minute            // without a byte is a broken connection
)

func open(ctx context.Context, u URL) (*Object, error) {
	store, err := u.store()
	if err != nil {
		return nil, err
	}
	o := &Object{store: store, url: u}
	if err := within(ctx, func(ctx context.Context, _ func()) (err error) {
		o.info, err = store.Stat(ctx, u)
		return err
	}); err != nil {
		return nil, err
	}
	o.ctx, o.cancel = context.WithCancel(ctx)
	return o, nil
}

// within asks a store, and gives up where nothing is heard for too long.
func within(ctx context.Context, ask func(ctx context.Context, heard func()) error) error {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(stalled, cancel)
	defer timer.Stop()
	err := ask(asking, func() { timer.Reset(stalled) })
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		return problem(nil, "the server says nothing; check the address and the network, or try again later")
	}
	return err
}

// BlockSize is how many bytes are best read at a time.
func (o *Object) BlockSize() int { return 1 << 20 }

// Stat describes the object as it was opened.
func (o *Object) Stat() (fs.FileInfo, error) { return objectInfo{path.Base(o.url.Key), o.info}, nil }

// Close ends reading, also what other goroutines are reading.
func (o *Object) Close() error {
	if !o.reading.TryLock() {
		o.cancel() // the read is not waited for
		o.reading.Lock()
	}
	defer o.reading.Unlock()
	o.body.close()
	o.body, o.closed = nil, true
	time.AfterFunc(mostIdle, o.cancel)
	return nil
}

// Read reads on. The first request is for the beginning alone, which shows what formats
// are that are not read from the beginning to the end.
func (o *Object) Read(p []byte) (int, error) {
	o.reading.Lock()
	defer o.reading.Unlock()
	if o.closed {
		return 0, fs.ErrClosed
	}
	if o.info.Ranges && o.at >= o.info.Size {
		return 0, io.EOF
	}
	for tries := 0; ; tries++ {
		n, err := o.read(p)
		o.at += int64(n)
		if n > 0 || err == nil || err == io.EOF {
			return n, err
		}
		if err := o.pause(tries, err); err != nil {
			return 0, err
		}
	}
}

// read reads what comes next.
func (o *Object) read(p []byte) (int, error) {
	if o.body == nil {
		n := int64(-1)
		if o.at == 0 && o.info.Ranges && o.info.Size > firstBytes {
			n = firstBytes
		}
		var err error
		if o.body, err = o.open(o.at, n); err != nil {
			return 0, err
		}
	}
	n, err := o.body.Read(p)
	if err == nil {
		return n, nil
	}
	first := o.body.first
	if err == io.EOF {
		o.body.ended()
	} else {
		o.body.close()
	}
	o.body = nil
	switch {
	case err != io.EOF:
		return 0, err
	case o.info.Size < 0 || o.at == o.info.Size:
		return 0, io.EOF
	case o.at > o.info.Size:
		return 0, ErrChanged
	case first: // the rest is another request
		return o.read(p)
	}
	return 0, io.ErrUnexpectedEOF
}

// pause waits before another try, or returns why there is none.
func (o *Object) pause(tries int, err error) error {
	var final *Problem
	switch {
	case o.ctx.Err() != nil:
		return diag.Fail(o.url.String(), "reading stopped: %w", o.ctx.Err())
	case errors.As(err, &final), errors.Is(err, ErrChanged):
		return o.url.fail(err)
	case !o.info.Ranges:
		return diag.Fail(o.url.String(), "the connection broke off after %d bytes (%v), and the server sends no parts of files; try again, or load a copy", o.at, cause(err))
	case tries+1 >= mostTries:
		return diag.Fail(o.url.String(), "the connection broke off %d times in a row (%v); try again later", tries+1, cause(err))
	}
	if tries == 0 { // after bytes came
		return nil
	}
	timer := time.NewTimer(firstPause << (tries - 1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-o.ctx.Done():
		return diag.Fail(o.url.String(), "reading stopped: %w", o.ctx.Err())
	}
}

// body is an answer that is being read. A read that waits for too long fails.
type body struct {
	io.ReadCloser
	err    error // that ended it
	cancel context.CancelFunc
	timer  *time.Timer
	first  bool // it ends before the object
}

func (o *Object) open(off, n int64) (*body, error) {
	ctx, cancel := context.WithCancel(o.ctx)
	timer := time.AfterFunc(stalled, cancel)
	r, err := o.store.Read(ctx, o.url, o.info, off, n)
	if err != nil {
		timer.Stop()
		cancel()
		return nil, err
	}
	return &body{ReadCloser: r, cancel: cancel, timer: timer, first: off == 0 && n >= 0}, nil
}

// Read returns bytes or an error, never both, as net/http does where the connection breaks
// off: who has bytes need not look at errors.
func (b *body) Read(p []byte) (n int, err error) {
	if b.err == nil {
		b.timer.Reset(stalled)
		n, b.err = b.ReadCloser.Read(p)
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

func (b *body) close() {
	if b != nil {
		b.timer.Stop()
		b.cancel() // what is on its way is not waited for
		b.ReadCloser.Close()
	}
}

// ended is close of what was read to its end.
func (b *body) ended() {
	b.timer.Stop()
	b.ReadCloser.Close()
	time.AfterFunc(mostIdle, b.cancel)
}

// objectInfo describes an object as a file.
type objectInfo struct {
	name string
	Info
}

func (i objectInfo) Name() string       { return i.name }
func (i objectInfo) Size() int64        { return i.Info.Size }
func (i objectInfo) ModTime() time.Time { return i.Modified }
func (i objectInfo) IsDir() bool        { return false }
func (i objectInfo) Sys() any           { return nil }

// Mode is that of a regular file, unless the object can be read only in order.
func (i objectInfo) Mode() fs.FileMode {
	if !i.Ranges {
		return fs.ModeIrregular | 0o444
	}
	return 0o444
}
