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
	maxQueue   = 32 << 20        // bytes that wait for one peer; then the sender waits
	maxNotes   = 4 << 20         // bytes beyond these, of messages that are not output
	maxHeld    = 128 << 20       // bytes that wait for all peers of a socket
	maxStall   = 5 * time.Second // without taking anything, where others need the room
	maxTopics  = 100             // of a peer
	maxSilence = 500 * time.Millisecond
	maxHold    = 2 * time.Second // for which a subscriber may hold up the output
	fairRate   = 4 << 20         // bytes a second; who takes as much is waited for without end
)

// peer is one connection to a socket.
type peer struct {
	socket   *socket
	guard    *guard
	identity string // as the peer says; "" where it does not

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*parcel
	waiting int           // bytes in the queue and under way
	notes   int           // of these, bytes that came when the queue was full
	took    time.Time     // when it last took something, or there was nothing to take
	credit  time.Duration // for which it may still hold up the output
	lost    lost
	topics  []string
	ended   bool // nothing more is accepted
}

// lost is the output that a peer did not get.
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

// topic takes in a subscription: one byte, 1 to begin and 0 to end, and the
// beginning of the topics.
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

// send queues an answer to a request of the peer's own. It waits where the
// peer is slow, and drops one that takes nothing at all: then the sender goes
// on, and the client may connect again.
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

// wait waits, with p.mu held, until something changes, and not much longer
// than limit.
func (p *peer) wait(limit time.Duration) {
	tick := time.AfterFunc(limit, p.changed.Broadcast)
	p.changed.Wait()
	tick.Stop()
}

// offer queues what is published. If the queue is full, it waits for a peer
// that reads, which slows down what prints too much. It does not wait for a peer
// that has stopped reading or reads too slowly: that one loses output, is told
// so when it reads on, and gets everything else.
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

// full reports, with p.mu held, whether there is no room for output. One that
// has lost some gets more when half of what waits is gone.
func (p *peer) full() bool {
	return p.waiting > maxQueue || p.lost.messages > 0 && p.waiting > maxQueue/2
}

// add puts a message at the end of the queue, with p.mu held.
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

// remove takes a message out of the count, with p.mu held.
func (p *peer) remove(m *parcel) {
	if m.queues.Add(-1) == 0 {
		p.socket.held.Add(-int64(m.size))
	}
	p.waiting -= m.size
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
		err := p.guard.send(m.frames, p.taken)
		p.mu.Lock()
		p.remove(m)
		if err != nil {
			p.close()
		}
		p.changed.Broadcast()
	}
}

// taken is called when the peer has taken some bytes.
func (p *peer) taken(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = time.Now()
	p.credit = min(maxHold, p.credit+time.Duration(n)*time.Second/fairRate)
	p.changed.Broadcast()
}

// drop hangs up on a peer that has taken nothing for a while.
func (p *peer) drop(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 && time.Since(p.took) > maxStall {
		p.hangUp(why)
	}
}

// hangUp hangs up, with p.mu held, and says so.
func (p *peer) hangUp(why string) {
	if p.ended {
		return
	}
	fmt.Fprintf(p.socket.log, "kernel: %v was hung up on: %s\n", p.guard.RemoteAddr(), why)
	p.close()
	p.guard.Conn.Close()
}

// close ends the queue, with p.mu held. What is under way write takes out.
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
