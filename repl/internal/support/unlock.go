package support

import (
	"errors"
	"sync"
)

// Unlocking an unlocked mutex ends a Go program, and nothing can recover from that.
// So a cell's call first checks whether it is locked, and its panic ends the cell
// alone. Another goroutine may unlock it between the check and the call; that still
// ends the process.

var (
	errUnlock  = errors.New("sync: unlock of unlocked mutex")
	errUnlockW = errors.New("sync: Unlock of unlocked RWMutex")
	errUnlockR = errors.New("sync: RUnlock of unlocked RWMutex")
)

func unlock(m *sync.Mutex) {
	if m.TryLock() {
		m.Unlock()
		panic(errUnlock)
	}
	m.Unlock()
}

func unlockWrite(m *sync.RWMutex) {
	if m.TryRLock() { // nobody writes
		m.RUnlock()
		panic(errUnlockW)
	}
	m.Unlock()
}

func unlockRead(m *sync.RWMutex) {
	if m.TryLock() { // nobody reads
		m.Unlock()
		panic(errUnlockR)
	}
	m.RUnlock()
}
