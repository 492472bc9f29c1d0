package kernel

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// The library's own sockets look a peer up by the identity that it claims and
// write to all peers under one lock, where one that does not read stops all.
// Here a peer is its connection, with a queue and a goroutine of its own.

const (
	maxQueue = 64 << 20        // bytes that wait for one peer; then the sender waits
	maxStall = 5 * time.Second // for a peer that takes nothing; then it is dropped
	maxPeers = 1000            // of one socket
)

// socket is one of the five that a kernel listens with.
type socket struct {
	kind     zmq4.SocketType
	listener net.Listener
	log      io.Writer

	receive   func(p *peer, frames [][]byte) // a message has come
	subscribe func(p *peer, topic string)    // XPUB: a peer wants to hear of topic

	mu     sync.Mutex
	peers  []*peer
	closed bool
	active sync.WaitGroup
}

// peer is one connection to a socket.
type peer struct {
	socket   *socket
	guard    *guard
	identity string // as the peer says; "" where it does not

	mu      sync.Mutex
	changed *sync.Cond
	queue   [][][]byte
	waiting int // bytes in the queue and under way
	sent    int // messages in all
	topics  []string
	ended   bool // nothing more is accepted
}

func newPeer(s *socket) *peer {
	p := &peer{socket: s}
	p.changed = sync.NewCond(&p.mu)
	return p
}

func (s *socket) serve() {
	s.active.Go(func() {
		for {
			c, err := s.listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // such as too many open files
				fmt.Fprintln(s.log, "kernel:", err)
				time.Sleep(100 * time.Millisecond)
				continue
			}
			s.active.Go(func() { s.attend(c) })
		}
	})
}

// attend is the life of a connection.
func (s *socket) attend(c net.Conn) {
	defer c.Close()
	p := newPeer(s)
	if !s.join(p, c) { // its handshake would not be cut short by close
		return
	}
	defer s.leave(p)
	g, z, err := handshake(c, s.kind)
	if err != nil {
		return // not a ZeroMQ peer, or not of a kind that talks to this socket
	}
	p.mu.Lock()
	p.identity, p.guard = z.Peer.Meta["Identity"], g
	p.mu.Unlock()
	writer := make(chan struct{})
	go func() { defer close(writer); p.write() }()
	for {
		m, err := z.RecvMsg()
		if err != nil {
			break
		}
		if m.Type == zmq4.CmdMsg || len(m.Frames) == 0 {
			continue // a PING, which is answered, or something newer
		}
		if s.kind == zmq4.XPub {
			p.topic(m.Frames)
		} else {
			s.receive(p, m.Frames)
		}
	}
	p.end()
	c.Close()
	<-writer
}

func (s *socket) join(p *peer, c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.peers) >= maxPeers {
		return false
	}
	p.guard = &guard{Conn: c}
	s.peers = append(s.peers, p)
	return true
}

func (s *socket) leave(p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peers = slices.DeleteFunc(s.peers, func(q *peer) bool { return q == p })
}

// all returns the peers of now, the newest last.
func (s *socket) all() []*peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.peers)
}

// find returns the newest peer with an identity. Clients give their sockets
// for the shell and for stdin the same.
func (s *socket) find(identity string) *peer {
	for _, p := range slices.Backward(s.all()) {
		if identity != "" && p.name() == identity {
			return p
		}
	}
	return nil
}

// publish sends to all that want to hear of the topic, the first frame.
func (s *socket) publish(frames [][]byte) {
	for _, p := range s.all() {
		if p.wants(string(frames[0])) {
			p.send(frames)
		}
	}
}

// close sends what is queued, for a while, and hangs up.
func (s *socket) close(patience time.Duration) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.listener.Close()
	deadline := time.Now().Add(patience)
	for _, p := range s.all() {
		for time.Now().Before(deadline) {
			p.mu.Lock()
			empty := p.waiting == 0 || p.ended
			p.mu.Unlock()
			if empty {
				break
			}
			time.Sleep(time.Millisecond)
		}
		p.end()
		p.mu.Lock()
		c := p.guard.Conn
		p.mu.Unlock()
		c.Close()
	}
	s.active.Wait()
}

// topic takes in a subscription: one byte, 1 to begin and 0 to end, and the
// beginning of the topics.
func (p *peer) topic(frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 || frames[0][0] > 1 {
		return
	}
	topic := string(frames[0][1:])
	p.mu.Lock()
	i := slices.Index(p.topics, topic)
	begins := frames[0][0] == 1 && i < 0 && len(p.topics) < 1000
	switch {
	case begins:
		p.topics = append(p.topics, topic)
	case frames[0][0] == 0 && i >= 0:
		p.topics = slices.Delete(p.topics, i, i+1)
	}
	p.mu.Unlock()
	if begins {
		p.socket.subscribe(p, topic)
	}
}

// name is the identity that the peer claims.
func (p *peer) name() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.identity
}

func (p *peer) wants(topic string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.topics, func(t string) bool { return strings.HasPrefix(topic, t) })
}

// send queues a message. It waits where the peer is slow, which slows what
// prints too much, and drops a peer that takes nothing at all: then the sender
// goes on, and the client may connect again.
func (p *peer) send(frames [][]byte) {
	size := 0
	for _, f := range frames {
		size += len(f)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > maxQueue && !p.ended {
		p.stall()
	}
	if p.ended {
		return
	}
	p.queue = append(p.queue, frames)
	p.waiting += size
	p.changed.Broadcast()
}

// stall waits, with p.mu held, until there is room in the queue.
func (p *peer) stall() {
	last, since := p.sent, time.Now()
	for p.waiting > maxQueue && !p.ended {
		if p.sent != last {
			last, since = p.sent, time.Now()
		}
		if time.Since(since) > maxStall {
			p.ended = true
			p.guard.Conn.Close()
			return
		}
		tick := time.AfterFunc(maxStall/10, p.changed.Broadcast)
		p.changed.Wait()
		tick.Stop()
	}
}

// write sends what is queued until the peer ends.
func (p *peer) write() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.queue) == 0 && !p.ended {
			p.changed.Wait()
		}
		if p.ended {
			return
		}
		m := p.queue[0]
		p.queue[0] = nil
		p.queue = p.queue[1:]
		p.mu.Unlock()
		err := p.guard.send(m)
		p.mu.Lock()
		for _, f := range m {
			p.waiting -= len(f)
		}
		p.sent++
		if err != nil {
			p.ended, p.queue = true, nil
		}
		p.changed.Broadcast()
	}
}

func (p *peer) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended, p.queue = true, nil
	p.changed.Broadcast()
}
