//go:build unix

package kernel

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipe is where one of the process's streams ends.
type pipe struct {
	file   *os.File // its reading end, which does not block
	raw    syscall.RawConn
	buffer []byte
}

// capture puts pipes in the place of the streams 1 and 2.
func capture() (pipes [2]*pipe, log *os.File, restore func(), err error) {
	var before [2]int
	for i := range pipes {
		stream := i + 1
		if before[i], err = unix.FcntlInt(uintptr(stream), unix.F_DUPFD_CLOEXEC, 3); err != nil {
			return pipes, nil, nil, fmt.Errorf("stream %d: %w", stream, err)
		}
		if pipes[i], err = newPipe(stream); err != nil {
			return pipes, nil, nil, fmt.Errorf("stream %d: %w", stream, err)
		}
	}
	restore = func() {
		for i := range pipes {
			// The descriptors are those that were there before.
			_ = dup2(before[i], i+1)
			pipes[i].file.Close()
		}
	}
	return pipes, os.NewFile(uintptr(before[1]), "stderr"), restore, nil
}

// newPipe makes a stream of the process the writing end of a pipe. That end
// blocks: what prints waits until it is read.
func newPipe(stream int) (*pipe, error) {
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		return nil, err
	}
	unix.CloseOnExec(ends[0])
	defer unix.Close(ends[1])
	if err := unix.SetNonblock(ends[0], true); err != nil {
		return nil, err
	}
	p := &pipe{file: os.NewFile(uintptr(ends[0]), "pipe"), buffer: make([]byte, 1<<16)}
	var err error
	if p.raw, err = p.file.SyscallConn(); err != nil {
		return nil, err
	}
	return p, dup2(ends[1], stream)
}

// drain takes what the pipe holds.
func (p *pipe) drain(take func([]byte)) {
	// Control, not Read: this is called while another goroutine waits in Read.
	_ = p.raw.Control(func(fd uintptr) { p.read(int(fd), take) })
}

func (p *pipe) read(fd int, take func([]byte)) (open bool) {
	for {
		n, err := unix.Read(fd, p.buffer)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return true
		case n <= 0:
			return false
		default:
			take(p.buffer[:n])
		}
	}
}

// follow takes what comes until the pipe is closed; locked calls the function
// that it is given under the lock of the receiver.
func (p *pipe) follow(locked func(read func(func([]byte)))) {
	_ = p.raw.Read(func(fd uintptr) bool {
		open := true
		locked(func(take func([]byte)) { open = p.read(int(fd), take) })
		return !open
	})
}
