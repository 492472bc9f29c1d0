package support

import (
	"errors"
	"reflect"
	"sync"
	"testing"
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

func unlock(m *sync.Mutex)        { unlockLocker(m) }
func unlockWrite(m *sync.RWMutex) { unlockLocker(m) }
func unlockRead(m *sync.RWMutex)  { unlockLocker(m.RLocker()) }

// unlockLocker implements the method Unlock of sync.Locker.
func unlockLocker(l sync.Locker) {
	mustBeLocked(l)
	l.Unlock()
}

// mustBeLocked panics if a mutex is not locked.
func mustBeLocked(l sync.Locker) {
	switch m := l.(type) {
	case *sync.Mutex:
		if m.TryLock() {
			m.Unlock()
			panic(errUnlock)
		}
	case *sync.RWMutex:
		if m.TryRLock() { // no writer holds it
			m.RUnlock()
			panic(errUnlockW)
		}
	case nil:
	default:
		if v := reflect.ValueOf(l); v.Type() == readers {
			if w := v.Convert(reflect.TypeFor[*sync.RWMutex]()).Interface().(*sync.RWMutex); w.TryLock() { // no reader holds it
				w.Unlock()
				panic(errUnlockR)
			}
		}
	}
}

var readers = reflect.TypeOf(new(sync.RWMutex).RLocker())

// benchmarkRun implements the method Run of testing.B, which unlocks a mutex that only
// testing.Benchmark locks.
func benchmarkRun(b *testing.B, name string, f func(b *testing.B)) bool {
	if b.N == 0 {
		panic(errors.New("testing: Run of a B that testing.Benchmark has not made"))
	}
	return b.Run(name, f)
}
