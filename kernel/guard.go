//go:build !js

package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// The library's Conn does the handshake of ZMTP 3.0, with two faults that could
// kill a kernel: it allocates memory for frames of any size that a peer announces,
// and it panics on a handshake with a truncated property. guard filters between it
// and the network, and reads the messages itself: it allocates memory for what has
// arrived, not for what is announced.

const (
	maxMessage = 256 << 20        // bytes; a notebook's cells are far smaller
	maxTopic   = 1 << 10          // bytes of a topic
	maxBeat    = 1 << 16          // bytes of a heartbeat
	maxFrames  = 1000             // per message
	maxHello   = 1 << 16          // bytes of a frame of the handshake, or of a command
	maxPartial = 512 << 20        // bytes of all messages in transit together
	helloLimit = 10 * time.Second // for the handshake
	pauseLimit = 30 * time.Second // without a byte, within a message
	greetBytes = 64
	firstPiece = 4 << 10  // bytes allocated for an announcement
	piece      = 64 << 10 // bytes read at once, which every message may have
)

var (
	errTooLarge = errors.New("message is larger than the kernel takes")
	errTooMuch  = errors.New("too much is under way to the kernel")
	errProtocol = errors.New("this is not ZMTP 3.0")
)

// guard is a connection whose frames are checked.
type guard struct {
	net.Conn

	// Used by the one goroutine that reads.
	in       *bufio.Reader
	greeting int           // bytes of it still to come
	header   []byte        // of the current frame of the handshake
	body     uint64        // bytes of it still to come
	limit    uint64        // on the bytes of a message
	partial  *atomic.Int64 // bytes of all peers' messages in transit

	mu sync.Mutex // held while a message is written
}

// handshake does the ZMTP handshake with a peer. On return the peer is known.
func handshake(c net.Conn, kind zmq4.SocketType, limit uint64, partial *atomic.Int64) (g *guard, z *zmq4.Conn, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handshake: %v", r)
		}
	}()
	g = &guard{Conn: c, in: bufio.NewReader(c), greeting: greetBytes, limit: limit, partial: partial}
	if err := c.SetDeadline(time.Now().Add(helloLimit)); err != nil {
		return nil, nil, err
	}
	z, err = zmq4.Open(g, null.Security(), kind, nil, true, nil)
	if err != nil {
		return nil, nil, err
	}
	return g, z, c.SetDeadline(time.Time{})
}

// Read is called by the library during the handshake. It reads no more than the
// library asks for, which reads a header, then the rest of a long header, then the
// body, so the size is known before the library allocates memory for it.
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
				if size > maxHello {
					return 0, errTooLarge
				}
				g.header, g.body = g.header[:0], size
			}
		}
	}
	return n, err
}

// frameSize returns the size of the body after a header, once the header is
// complete.
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
	command    = 4
)

// receive reads the next message. It answers a PING before it and ignores other
// commands.
func (g *guard) receive() ([][]byte, error) {
	var frames [][]byte
	whole := uint64(0) // bytes of the message so far
	defer func() { g.partial.Add(-int64(whole)) }()
	if err := g.SetReadDeadline(time.Time{}); err != nil { // a peer may be silent between messages
		return nil, err
	}
	for {
		flags, err := g.in.ReadByte()
		if err != nil {
			return nil, err
		}
		size, err := g.size(flags)
		switch {
		case err != nil:
			return nil, err
		case flags > moreFrames|longFrame|command, flags&command != 0 && (len(frames) > 0 || flags&moreFrames != 0):
			return nil, errProtocol
		case flags&command != 0 && size > maxHello, size > g.limit-whole, len(frames) == maxFrames:
			return nil, errTooLarge
		}
		body, err := g.piecewise(size, &whole)
		if err != nil {
			return nil, err
		}
		if flags&command != 0 {
			if err := g.answer(body); err != nil {
				return nil, err
			}
			continue
		}
		if frames = append(frames, body); flags&moreFrames == 0 {
			return frames, nil
		}
	}
}

// size reads the rest of a frame's header.
func (g *guard) size(flags byte) (uint64, error) {
	if err := g.SetReadDeadline(time.Now().Add(pauseLimit)); err != nil {
		return 0, err
	}
	var b [8]byte
	if flags&longFrame == 0 {
		_, err := io.ReadFull(g.in, b[7:])
		return uint64(b[7]), err
	}
	_, err := io.ReadFull(g.in, b[:])
	return binary.BigEndian.Uint64(b[:]), err
}

// piecewise reads a body, and allocates more memory whenever what it has is full.
func (g *guard) piecewise(size uint64, whole *uint64) ([]byte, error) {
	body := make([]byte, 0, min(size, firstPiece))
	for uint64(len(body)) < size {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(size, 2*uint64(cap(body))))
			copy(grown, body)
			body = grown
		}
		room := body[len(body):min(cap(body), len(body)+piece)]
		*whole += uint64(len(room))
		if all := g.partial.Add(int64(len(room))); all > maxPartial && *whole > piece {
			return nil, errTooMuch
		}
		if err := g.SetReadDeadline(time.Now().Add(pauseLimit)); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(g.in, room); err != nil {
			return nil, err
		}
		body = body[:len(body)+len(room)]
	}
	return body, nil
}

// answer answers a command.
func (g *guard) answer(body []byte) error {
	const ping, pong, ttl = "\x04PING", "\x04PONG", 2
	if len(body) < len(ping)+ttl || string(body[:len(ping)]) != ping {
		return nil
	}
	context := body[len(ping)+ttl:]
	if len(context) > 16 { // the protocol allows no more
		return errProtocol
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.Conn.Write(append([]byte{command, byte(len(pong) + len(context))}, pong+string(context)...))
	return err
}

// send writes a message in one piece, and reports the number of bytes taken.
func (g *guard) send(frames [][]byte, taken func(int)) error {
	const atOnce = 1 << 20
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
		buffers = append(buffers, head)
		for ; len(f) > atOnce; f = f[atOnce:] {
			buffers = append(buffers, f[:atOnce])
		}
		buffers = append(buffers, f)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(buffers) > 0 {
		k, n := 0, 0
		for k < len(buffers) && (k == 0 || n+len(buffers[k]) <= atOnce) {
			n += len(buffers[k])
			k++
		}
		part := buffers[:k:k]
		buffers = buffers[k:]
		if _, err := part.WriteTo(g.Conn); err != nil {
			return err
		}
		taken(n)
	}
	return nil
}
