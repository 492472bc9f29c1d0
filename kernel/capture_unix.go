//go:build unix

package kernel

import (
	"fmt"
	"log"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipe captures one of the process's streams.
type pipe struct {
	file   *os.File // the reading end, which does not block
	raw    syscall.RawConn
	buffer []byte
}

// capture replaces file descriptor 1 with a pipe, and os.Stderr with another. File
// descriptor 2 is not replaced: when a process dies, Go prints the reason there.
func capture() (pipes [2]*pipe, stderr *os.File, restore func(), err error) {
	stdout, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return pipes, nil, nil, fmt.Errorf("stream 1: %w", err)
	}
	var ends [2]int
	for i := range pipes {
		if pipes[i], ends[i], err = newPipe(); err != nil {
			return pipes, nil, nil, fmt.Errorf("stream %d: %w", i+1, err)
		}
	}
	if err := dup2(ends[0], 1); err != nil {
		return pipes, nil, nil, fmt.Errorf("stream 1: %w", err)
	}
	unix.Close(ends[0])
	stderr = os.Stderr
	os.Stderr = os.NewFile(uintptr(ends[1]), "stderr")
	log.SetOutput(os.Stderr)
	restore = func() {
		// stdout is the original descriptor.
		_ = dup2(stdout, 1)
		os.Stderr.Close()
		os.Stderr = stderr
		log.SetOutput(stderr)
		for _, p := range pipes {
			p.file.Close()
		}
	}
	return pipes, stderr, restore, nil
}

// newPipe returns the reading and the writing end of a pipe. Writing blocks: what
// prints waits until it is read.
func newPipe() (p *pipe, write int, err error) {
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		return nil, 0, err
	}
	unix.CloseOnExec(ends[0])
	unix.CloseOnExec(ends[1])
	if err := unix.SetNonblock(ends[0], true); err != nil {
		return nil, 0, err
	}
	p = &pipe{file: os.NewFile(uintptr(ends[0]), "pipe"), buffer: make([]byte, 1<<16)}
	p.raw, err = p.file.SyscallConn()
	return p, ends[1], err
}

// drain reads what the pipe holds.
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

// follow reads what arrives until the pipe is closed. locked calls the function
// passed to it while holding the receiver's lock.
func (p *pipe) follow(locked func(read func(func([]byte)))) {
	_ = p.raw.Read(func(fd uintptr) bool {
		open := true
		locked(func(take func([]byte)) { open = p.read(int(fd), take) })
		return !open
	})
}
