package files

import (
	"io"
	"slices"
)

// window is a part of an object that was read.
type window struct {
	off  int64
	data []byte
}

const (
	smallBytes  = 64 << 10  // read at once, are taken from a window
	windowBytes = 256 << 10 // of the first
	mostWindow  = 4 << 20   // each one after another is twice as long
	mostKept    = 32 << 20  // in all windows
)

// ReadAt reads anywhere. Small reads come from larger ones that are kept for a while, so
// that bytes one after the other are not a request each.
func (o *Object) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= o.info.Size {
		return 0, io.EOF
	}
	whole := len(p)
	p = p[:min(int64(whole), o.info.Size-off)]
	n := 0
	for n < len(p) {
		k := o.kept(p[n:], off+int64(n))
		if k == 0 {
			var err error
			if k, err = o.fetch(p[n:], off+int64(n)); err != nil {
				return n, err
			}
		}
		n += k
	}
	if n < whole {
		return n, io.EOF
	}
	return n, nil
}

// kept copies from a window.
func (o *Object) kept(p []byte, off int64) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, w := range o.windows {
		if w.off <= off && off < w.off+int64(len(w.data)) {
			n := copy(p, w.data[off-w.off:])
			o.windows = append(slices.Delete(o.windows, i, i+1), w) // the oldest is first
			return n
		}
	}
	return 0
}

// fetch asks for bytes that no window has.
func (o *Object) fetch(p []byte, off int64) (int, error) {
	if len(p) > smallBytes {
		return len(p), o.readFull(p, off)
	}
	size := int64(windowBytes)
	o.mu.Lock()
	for _, w := range o.windows {
		if w.off+int64(len(w.data)) == off {
			size = min(mostWindow, 2*int64(len(w.data)))
		}
	}
	o.mu.Unlock()
	w := window{off: off}
	if off+size > o.info.Size { // the end of a file says where the rest is
		w.off = max(0, o.info.Size-size)
		size = o.info.Size - w.off
	}
	w.data = make([]byte, size)
	if err := o.readFull(w.data, w.off); err != nil {
		return 0, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.windows = append(o.windows, w)
	kept := 0
	for _, w := range o.windows {
		kept += len(w.data)
	}
	for kept > mostKept {
		kept -= len(o.windows[0].data)
		o.windows = slices.Delete(o.windows, 0, 1)
	}
	return copy(p, w.data[off-w.off:]), nil
}

// readFull fills p, however often the connection breaks off.
func (o *Object) readFull(p []byte, off int64) error {
	for tries := 0; ; tries++ {
		b, err := o.open(off, int64(len(p)))
		if err == nil {
			var n int
			n, err = io.ReadFull(b, p)
			if err == nil {
				b.Read(make([]byte, 1)) // the end
				b.ended()
				return nil
			}
			b.close()
			if p, off = p[n:], off+int64(n); n > 0 {
				tries = 0
			}
		}
		if err := o.pause(tries, err); err != nil {
			return err
		}
	}
}
