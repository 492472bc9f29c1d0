//go:build !js

package kernel

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// The library's own sockets look up a peer by the identity that it claims, and
// write to all peers under one lock, so that a peer that does not read stops all.
// Here each connection is a peer with its own queue and goroutine (peer.go).

const maxPeers = 1000 // per socket

// socket is one of the five sockets that a kernel listens on.
type socket struct {
	kind     zmq4.SocketType
	listener net.Listener
	log      io.Writer
	limit    uint64        // on the bytes of an incoming message
	partial  *atomic.Int64 // shared by the kernel, see guard

	mine      func(uid int) bool              // whether a user of this machine may connect; nil: all may
	receive   func(p caller, frames [][]byte) // called for each message
	subscribe func(p caller, topic string)    // XPUB: called when a peer subscribes to topic
	gap       func(lost lost) [][]byte        // XPUB: tells a peer what it missed

	held   atomic.Int64 // bytes waiting for the peers
	mu     sync.Mutex
	peers  []*peer
	closed bool
	active sync.WaitGroup
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

// attend serves a connection until it ends.
func (s *socket) attend(c net.Conn) {
	defer c.Close()
	if uid, known := owner(c); s.mine != nil && known && !s.mine(uid) {
		fmt.Fprintf(s.log, "kernel: a connection of another user (uid %d) was refused; --any-user lets all of this machine in\n", uid)
		return
	}
	p := newPeer(s)
	if !s.join(p, c) { // close would not cut its handshake short
		return
	}
	defer s.leave(p)
	g, z, err := handshake(c, s.kind, s.limit, s.partial)
	if err != nil {
		return // not a ZeroMQ peer, or of the wrong kind for this socket
	}
	p.mu.Lock()
	p.identity, p.guard, p.took = z.Peer.Meta["Identity"], g, time.Now()
	p.mu.Unlock()
	writer := make(chan struct{})
	go func() { defer close(writer); p.write() }()
	for {
		frames, err := g.receive()
		if errors.Is(err, errTooLarge) || errors.Is(err, errTooMuch) {
			fmt.Fprintf(s.log, "kernel: %v was disconnected: %v\n", c.RemoteAddr(), err)
		}
		if err != nil {
			break
		}
		if s.kind == zmq4.XPub {
			p.topic(frames)
		} else {
			s.receive(p, frames)
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

// all returns the current peers, the newest last.
func (s *socket) all() []*peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.peers)
}

// find returns the newest peer with an identity. Clients use the same identity for
// the shell and stdin.
func (s *socket) find(identity string) caller {
	for _, p := range slices.Backward(s.all()) {
		if identity != "" && p.name() == identity {
			return p
		}
	}
	return nil
}

// publish sends to all subscribers of the topic, the first frame. bulk marks
// output, for which the sender waits a while and of which slow peers may lose some;
// everything else is sent without waiting.
func (s *socket) publish(frames [][]byte, bulk bool) {
	m := pack(frames)
	all := s.all()
	for _, p := range all {
		if p.wants(string(frames[0])) {
			p.offer(m, bulk)
		}
	}
	if s.held.Load() > maxHeld {
		for _, p := range all {
			p.drop("it takes nothing, and too much waits to be sent")
		}
	}
}

// close sends what is queued, for at most patience, and disconnects.
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
