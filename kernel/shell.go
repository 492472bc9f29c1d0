package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"symmom/internal/system/origin"
	"symmom/repl"
)

// shell answers requests one after another: the main one, or a subshell, which answers its own
// beside it, in the same session. What its goroutines print and show belongs to the request
// that it answers; theirs is found by the origin of the goroutine.
type shell struct {
	kernel *kernel
	id     string          // "" for the main shell
	ctx    context.Context // of its cells, and the origin of its goroutines
	output *output
	input  *input
	bar    *bar
	count  int // of the cell that runs

	answering json.RawMessage // header of the message for a comm that is being answered; guarded by comms

	// Guarded by the kernel.
	queue   []*message
	cancel  context.CancelFunc // cancels the running cell; nil if there is none
	deleted bool
}

type shellKey struct{}

func newShell(k *kernel, id string) *shell {
	s := &shell{kernel: k, id: id}
	s.ctx = context.WithValue(context.Background(), shellKey{}, s)
	if id != "" {
		s.ctx = repl.Beside(s.ctx)
	}
	s.output, s.input = newOutput(k), newInput(s)
	s.bar = &bar{kernel: k, show: s.display}
	return s
}

// here returns the shell that the running goroutine works for. What no shell has started, and
// what cells have left behind, works for the main one.
func (k *kernel) here() *shell {
	if s, _ := origin.Context().Value(shellKey{}).(*shell); s != nil && s.kernel == k {
		return s
	}
	return k.main
}

// shells returns the main shell and the subshells. k.mu must be held.
func (k *kernel) shells() []*shell { return append([]*shell{k.main}, k.subshells...) }

// subshell returns the one with an ID, or nil. k.mu must be held.
func (k *kernel) subshell(id string) *shell {
	if i := slices.IndexFunc(k.subshells, func(s *shell) bool { return s.id == id && !s.deleted }); i >= 0 {
		return k.subshells[i]
	}
	return nil
}

// receiveShell gives a request to its shell.
func (k *kernel) receiveShell(p caller, frames [][]byte) {
	m := k.accept(p, frames)
	if m == nil {
		return
	}
	k.mu.Lock()
	s := k.main
	if m.Subshell != "" {
		s = k.subshell(m.Subshell)
	}
	if s != nil {
		s.queue = append(s.queue, m)
		k.arrived.Broadcast()
	}
	k.mu.Unlock()
	switch {
	case s == nil:
		k.beside(nil, m, requests)
	case asides[m.MsgType]:
		time.AfterFunc(asideAfter, func() {
			if s.drop(m) {
				origin.With(s.ctx, func() { k.beside(s, m, requests) })
			}
		})
	}
}

// asides are requests that ask, and change nothing. They are answered in their turn, as the
// protocol wants, but do not wait for a long cell: a client that has just loaded its page, or
// wants to complete a name, would get no answer until a fit has ended.
var asides = map[string]bool{"kernel_info_request": true, "complete_request": true, "inspect_request": true, "is_complete_request": true,
	"history_request": true, "comm_info_request": true, "connect_request": true}

const asideAfter = 200 * time.Millisecond

// drop takes a request from the queue, and reports whether it was still there.
func (s *shell) drop(m *message) bool {
	k := s.kernel
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.Index(s.queue, m)
	if i < 0 || k.ended || k.cells == nil {
		return false
	}
	s.queue = slices.Delete(s.queue, i, i+1)
	return true
}

// next waits for the next request; it returns nil when the kernel ends, or the shell is
// deleted.
func (s *shell) next() *message {
	k := s.kernel
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(s.queue) == 0 && !k.ended && !s.deleted || k.cells == nil && !k.ended {
		k.arrived.Wait()
	}
	if k.ended || len(s.queue) == 0 {
		return nil
	}
	m := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	return m
}

// serve answers the requests.
func (s *shell) serve() {
	origin.With(s.ctx, func() {
		for m := s.next(); m != nil; m = s.next() {
			s.kernel.handle(s, m)
		}
	})
}

// createSubshell starts a subshell.
func (k *kernel) createSubshell(*shell, *message) dict {
	s := newShell(k, newID())
	k.mu.Lock()
	k.subshells = append(k.subshells, s)
	k.mu.Unlock()
	go func() {
		s.serve()
		s.output.release()
		k.mu.Lock()
		defer k.mu.Unlock()
		k.subshells = slices.DeleteFunc(k.subshells, func(o *shell) bool { return o == s })
	}()
	return ok(dict{"subshell_id": s.id})
}

// deleteSubshell ends a subshell when its cell has ended. Those that wait are dropped.
func (k *kernel) deleteSubshell(_ *shell, m *message) dict {
	var r struct {
		ID string `json:"subshell_id"`
	}
	if bad := m.read(&r); bad != nil {
		return bad
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.subshell(r.ID)
	if s == nil {
		return unknownSubshell(r.ID)
	}
	s.deleted = true
	for _, m := range s.queue {
		m.aborted = true
	}
	k.arrived.Broadcast()
	return ok(nil)
}

func (k *kernel) listSubshells(*shell, *message) dict {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := []string{}
	for _, s := range k.subshells {
		if !s.deleted {
			ids = append(ids, s.id)
		}
	}
	return ok(dict{"subshell_id": ids})
}

func unknownSubshell(id string) dict {
	return failure("unknown subshell", fmt.Sprintf("there is no subshell %q", id), nil)
}

// handle answers the next request of a shell, between the statuses busy and idle.
func (k *kernel) handle(s *shell, m *message) {
	if s != k.main {
		k.beside(s, m, requests)
		return
	}
	k.statuses.Lock()
	k.current = m
	k.status(m, "busy")
	k.statuses.Unlock()
	k.answer(s, m, requests)
	s.output.flush()
	k.statuses.Lock()
	defer k.statuses.Unlock()
	k.current = nil
	k.status(m, "idle")
}

// beside is handle for what does not wait for the main shell. Clients show whether the kernel
// is busy by the last status of any request, so if it is, that is sent again afterwards.
func (k *kernel) beside(s *shell, m *message, handlers map[string]handler) {
	k.status(m, "busy")
	k.answer(s, m, handlers)
	if s != nil && s != k.main {
		s.output.flush()
	}
	k.statuses.Lock()
	defer k.statuses.Unlock()
	k.status(m, "idle")
	if k.current != nil {
		k.status(k.current, "busy")
	}
}

// stdio are the streams of cells: those of the shell of the goroutine that reads or prints.
type stdio struct {
	kernel *kernel
	name   string // of an output
}

func (x stdio) Write(p []byte) (int, error)  { return x.kernel.here().output.write(x.name, p) }
func (x stdio) Read(p []byte) (int, error)   { return x.kernel.here().input.Read(p) }
func (x stdio) ReadRune() (rune, int, error) { return x.kernel.here().input.ReadRune() }
func (x stdio) UnreadRune() error            { return x.kernel.here().input.UnreadRune() }
