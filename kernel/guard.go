package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// The library's Conn does the handshake and reads frames as ZMTP 3.0 has
// them. Three things it does not do, and a kernel must not die of them: it
// makes room for frames of any size and number that a peer claims, it panics on a
// handshake with a property that is cut off, and it writes an answer to a PING
// between the frames of another message. guard stands between it and the
// network.

const (
	maxMessage = 256 << 20        // bytes; a notebook's cells stay far below
	maxHello   = 1 << 16          // bytes of a frame of the handshake
	helloLimit = 10 * time.Second // for the handshake
	greetBytes = 64
)

var errTooLarge = errors.New("message is larger than the kernel takes")

// guard is a connection whose frames are looked at on their way.
type guard struct {
	net.Conn

	// Reading, by one goroutine.
	in       *bufio.Reader
	greeting int    // bytes of it that are still to come
	header   []byte // of the frame that comes
	body     uint64 // bytes of it that are still to come
	message  uint64 // bytes of the message's frames, each counted as one more
	limit    uint64 // of message

	// Writing.
	mu      sync.Mutex
	open    bool   // the handshake is over
	pending []byte // a frame that the library has begun to write
}

// handshake speaks ZMTP with a peer. On return the peer is known.
func handshake(c net.Conn, kind zmq4.SocketType) (g *guard, z *zmq4.Conn, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handshake: %v", r)
		}
	}()
	g = &guard{Conn: c, in: bufio.NewReader(c), greeting: greetBytes, limit: maxHello}
	if err := c.SetDeadline(time.Now().Add(helloLimit)); err != nil {
		return nil, nil, err
	}
	z, err = zmq4.Open(g, null.Security(), kind, nil, true, nil)
	if err != nil {
		return nil, nil, err
	}
	g.limit = maxMessage
	g.mu.Lock()
	g.open = true
	g.mu.Unlock()
	return g, z, c.SetDeadline(time.Time{})
}

// Read reads no farther than the library asks, which reads a header, then the
// rest of a long one, then the body: so the size is known before the library
// makes room for it.
func (g *guard) Read(p []byte) (int, error) {
	n, err := g.in.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		switch {
		case g.greeting > 0:
			k := min(g.greeting, len(rest))
			g.greeting -= k
			rest = rest[k:]
		case g.body > 0:
			k := min(g.body, uint64(len(rest)))
			g.body -= k
			rest = rest[k:]
		default:
			g.header = append(g.header, rest[0])
			rest = rest[1:]
			if size, whole := frameSize(g.header); whole {
				// Not their sum, which could overflow.
				if size > g.limit || g.message > g.limit {
					return 0, errTooLarge
				}
				if g.message += size + 1; g.header[0]&moreFrames == 0 {
					g.message = 0
				}
				g.header, g.body = g.header[:0], size
			}
		}
	}
	return n, err
}

// frameSize is the size of the body behind a header, once that is whole.
func frameSize(header []byte) (size uint64, whole bool) {
	if len(header) < 2 {
		return 0, false
	}
	if header[0]&longFrame == 0 {
		return uint64(header[1]), true
	}
	if len(header) < 9 {
		return 0, false
	}
	return binary.BigEndian.Uint64(header[1:]), true
}

const (
	moreFrames = 1
	longFrame  = 2
)

// Write is called by the library: in the handshake, and to answer a PING.
// That goes out whole, so that it cannot come between the frames of a message.
func (g *guard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open {
		return g.Conn.Write(p)
	}
	g.pending = append(g.pending, p...)
	head := 2
	if len(g.pending) > 0 && g.pending[0]&longFrame != 0 {
		head = 9
	}
	size, whole := frameSize(g.pending)
	if !whole || uint64(len(g.pending)-head) < size {
		return len(p), nil
	}
	frame := g.pending
	g.pending = nil
	if _, err := g.Conn.Write(frame); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send writes a message in one piece.
func (g *guard) send(frames [][]byte) error {
	buffers := make(net.Buffers, 0, 2*len(frames))
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = moreFrames
		}
		head := []byte{flags, byte(len(f))}
		if len(f) > 255 {
			head = binary.BigEndian.AppendUint64([]byte{flags | longFrame}, uint64(len(f)))
		}
		buffers = append(buffers, head, f)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := buffers.WriteTo(g.Conn)
	return err
}
