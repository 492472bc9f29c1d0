package repl

import (
	"reflect"
	"sync"
)

// place is where an atomic.Pointer of a cell has its pointer.
type place struct {
	mu      sync.Mutex
	pointer any
}

// Load is that of atomic.Pointer.
func (p *place) Load() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pointer
}

// Store is that of atomic.Pointer.
func (p *place) Store(v any) { p.Swap(v) }

// Swap is that of atomic.Pointer.
func (p *place) Swap(v any) (old any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, p.pointer = p.pointer, v
	return old
}

// CompareAndSwap is that of atomic.Pointer.
func (p *place) CompareAndSwap(old, v any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if address(p.pointer) != address(old) {
		return false
	}
	p.pointer = v
	return true
}

func address(pointer any) uintptr {
	if pointer == nil {
		return 0
	}
	return reflect.ValueOf(pointer).Pointer()
}
