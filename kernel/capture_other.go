//go:build !unix

package kernel

import (
	"log"
	"os"
)

// pipe captures one of the process's streams.
type pipe struct{ file *os.File }

// capture replaces os.Stdout and os.Stderr with pipes. File descriptors cannot be
// replaced on these systems, so only what Go code prints is captured.
func capture() (pipes [2]*pipe, before *os.File, restore func(), err error) {
	stdout, stderr := os.Stdout, os.Stderr
	var ends [2]*os.File
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			return pipes, nil, nil, err
		}
		pipes[i], ends[i] = &pipe{r}, w
	}
	os.Stdout, os.Stderr = ends[0], ends[1]
	log.SetOutput(os.Stderr)
	restore = func() {
		os.Stdout, os.Stderr = stdout, stderr
		log.SetOutput(stderr)
		for i := range ends {
			ends[i].Close()
		}
	}
	return pipes, stderr, restore, nil
}

func (p *pipe) drain(func([]byte)) {} // follow does what is possible

func (p *pipe) follow(locked func(read func(func([]byte)))) {
	buffer := make([]byte, 1<<16)
	for {
		n, err := p.file.Read(buffer)
		if n > 0 {
			locked(func(take func([]byte)) { take(buffer[:n]) })
		}
		if err != nil {
			p.file.Close()
			return
		}
	}
}
