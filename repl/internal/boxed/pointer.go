package boxed

import (
	"reflect"
	"sync"
)

// Pointer holds the pointer of a cell's atomic.Pointer.
type Pointer struct {
	mu      sync.Mutex
	pointer any
}

// Load implements the method of atomic.Pointer.
func (p *Pointer) Load() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pointer
}

// Store implements the method of atomic.Pointer.
func (p *Pointer) Store(v any) { p.Swap(v) }

// Swap stores v and returns the previous value, as atomic.Pointer does.
func (p *Pointer) Swap(v any) (old any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, p.pointer = p.pointer, v
	return old
}

// CompareAndSwap implements the method of atomic.Pointer.
func (p *Pointer) CompareAndSwap(old, v any) bool {
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
