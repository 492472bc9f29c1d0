//go:build !js

package kernel

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxQueue   = 32 << 20        // bytes waiting for one peer; beyond, the sender waits
	maxNotes   = 4 << 20         // additional bytes, for messages that are not output
	maxHeld    = 128 << 20       // bytes waiting for all peers of a socket
	maxStall   = 5 * time.Second // without reading anything, if others need the room
	maxTopics  = 100             // per peer
	maxSilence = 500 * time.Millisecond
	maxHold    = 2 * time.Second // time for which a subscriber may delay the output
	fairRate   = 4 << 20         // bytes per second; peers that read this fast are waited for without limit
)

// peer is one connection to a socket.
type peer struct {
	socket   *socket
	guard    *guard
	identity string // as claimed by the peer; may be ""

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*parcel
	waiting int           // bytes in the queue and in transit
	notes   int           // bytes of these that were added when the queue was full
	took    time.Time     // when it last read something, or had nothing to read
	credit  time.Duration // time for which it may still delay the output
	lost    lost
	topics  []string
	ended   bool // no more messages are accepted
}

// lost is the output that a peer missed.
type lost struct {
	messages, bytes int
	last            [][]byte
}

// parcel is a message in the queues of some peers.
type parcel struct {
	frames [][]byte
	size   int
	queues atomic.Int32
}

func pack(frames [][]byte) *parcel {
	m := &parcel{frames: frames}
	for _, f := range frames {
		m.size += len(f)
	}
	return m
}

func newPeer(s *socket) *peer {
	p := &peer{socket: s, credit: maxHold, took: time.Now()}
	p.changed = sync.NewCond(&p.mu)
	return p
}

// topic processes a subscription: one byte, 1 to begin and 0 to end, and a prefix
// of topics.
func (p *peer) topic(frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 || frames[0][0] > 1 {
		return
	}
	topic := string(frames[0][1:])
	p.mu.Lock()
	i := slices.Index(p.topics, topic)
	begins := frames[0][0] == 1 && i < 0 && len(p.topics) < maxTopics
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

// name returns the identity that the peer claims.
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

// send queues an answer to a request of the peer. If the peer is slow, it waits; if
// the peer reads nothing at all, it is dropped, so that the sender can continue and
// the client can connect again.
func (p *peer) send(frames [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.waiting > maxQueue && !p.ended {
		if time.Since(p.took) > maxStall {
			p.hangUp("it takes no answers")
			return
		}
		p.wait(maxStall / 10)
	}
	p.add(pack(frames))
}

// wait waits until something changes, and not much longer than limit. p.mu must be
// held.
func (p *peer) wait(limit time.Duration) {
	tick := time.AfterFunc(limit, p.changed.Broadcast)
	p.changed.Wait()
	tick.Stop()
}

// offer queues a published message. If the queue is full, it waits for a peer that
// reads, which slows down excessive printing. It does not wait for a peer that has
// stopped reading or reads too slowly: that peer loses output, gets a message about it
// when it reads again, and gets everything else.
func (p *peer) offer(m *parcel, bulk bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for bulk && p.full() && !p.ended && p.credit > 0 && time.Since(p.took) < maxSilence {
		begin := time.Now()
		p.wait(maxSilence / 10)
		p.credit -= time.Since(begin)
	}
	full := p.full()
	switch {
	case p.ended:
		return
	case bulk && full:
		if p.lost.messages == 0 {
			fmt.Fprintf(p.socket.log, "kernel: the subscriber at %v does not keep up: it gets no output until it has read what waits for it\n", p.guard.RemoteAddr())
		}
		p.lost = lost{p.lost.messages + 1, p.lost.bytes + m.size, m.frames}
		return
	case full && p.notes > maxNotes:
		p.hangUp("it takes nothing")
		return
	case full:
		p.notes += m.size
	default:
		p.notes = 0
	}
	if p.lost.messages > 0 {
		fmt.Fprintf(p.socket.log, "kernel: the subscriber at %v did not get %d messages, %d MB\n", p.guard.RemoteAddr(), p.lost.messages, p.lost.bytes>>20)
		p.add(pack(p.socket.gap(p.lost)))
		p.lost = lost{}
	}
	p.add(m)
}

// full reports whether there is no room for output. A peer that has lost some gets
// more when half of the queue is gone. p.mu must be held.
func (p *peer) full() bool {
	return p.waiting > maxQueue || p.lost.messages > 0 && p.waiting > maxQueue/2
}

// add appends a message to the queue. p.mu must be held.
func (p *peer) add(m *parcel) {
	if p.ended {
		return
	}
	if p.waiting == 0 {
		p.took = time.Now()
	}
	if m.queues.Add(1) == 1 {
		p.socket.held.Add(int64(m.size))
	}
	p.queue = append(p.queue, m)
	p.waiting += m.size
	p.changed.Broadcast()
}

// remove subtracts a message from the counts. p.mu must be held.
func (p *peer) remove(m *parcel) {
	if m.queues.Add(-1) == 0 {
		p.socket.held.Add(-int64(m.size))
	}
	p.waiting -= m.size
}

// write sends queued messages until the peer ends.
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
		err := p.guard.send(m.frames, p.taken)
		p.mu.Lock()
		p.remove(m)
		if err != nil {
			p.close()
		}
		p.changed.Broadcast()
	}
}

// taken is called when the peer has read n bytes.
func (p *peer) taken(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = time.Now()
	p.credit = min(maxHold, p.credit+time.Duration(n)*time.Second/fairRate)
	p.changed.Broadcast()
}

// drop disconnects a peer that has read nothing for a while.
func (p *peer) drop(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 && time.Since(p.took) > maxStall {
		p.hangUp(why)
	}
}

// hangUp disconnects the peer and logs why. p.mu must be held.
func (p *peer) hangUp(why string) {
	if p.ended {
		return
	}
	fmt.Fprintf(p.socket.log, "kernel: %v was disconnected: %s\n", p.guard.RemoteAddr(), why)
	p.close()
	p.guard.Conn.Close()
}

// close ends the queue. write removes what is in transit. p.mu must be held.
func (p *peer) close() {
	for _, m := range p.queue {
		p.remove(m)
	}
	p.ended, p.queue = true, nil
	p.changed.Broadcast()
}

func (p *peer) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}
