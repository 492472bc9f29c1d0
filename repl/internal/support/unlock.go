package support

import (
	"errors"
	"sync"
)

// Unlocking an unlocked mutex ends a Go program, and nothing can recover from that.
// So a cell's call first checks whether the mutex is locked; if not, it panics and
// ends only the cell. Another goroutine may unlock the mutex between the check and
// the call; that still ends the process.

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
	if m.TryRLock() { // no writer holds it
		m.RUnlock()
		panic(errUnlockW)
	}
	m.Unlock()
}

func unlockRead(m *sync.RWMutex) {
	if m.TryLock() { // no reader holds it
		m.Unlock()
		panic(errUnlockR)
	}
	m.RUnlock()
}
