package compiled

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/exec"

	"symmom/repl/internal/compiled/wire"
)

// process is a program that runs.
type process struct {
	*wire.Stream
	mark   wire.Mark
	cmd    *exec.Cmd
	pipes  []*os.File // our ends: of its input, its answers, its output
	buffer []byte     // for its output
	unseen []byte     // what was read of that
	ended  chan struct{}
}

// start compiles a cell and starts it. When it runs there is nothing of it on the disk, except
// on Windows, which does not remove programs that run: there until it ends.
func start(ctx context.Context, source string, names []string) (*process, error) {
	dir, err := os.MkdirTemp("", "symmom-compile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := build(ctx, dir, source, names)
	if err != nil {
		return nil, err
	}
	x := &process{cmd: exec.Command(program), buffer: make([]byte, 1<<16), ended: make(chan struct{})}
	x.cmd.Env = environment()
	_, _ = rand.Read(x.mark[:])
	theirs, err := x.connect()
	if err == nil {
		err = x.cmd.Start()
	}
	closeAll(theirs)
	if err != nil {
		closeAll(x.pipes)
		return nil, err
	}
	cmd, ended := x.cmd, x.ended // not x: if nobody needs its pipes they close, and the program ends
	go func() {
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
		close(ended)
	}()
	return x, nil
}

// connect makes the pipes, and returns the program's ends.
func (x *process) connect() (theirs []*os.File, err error) {
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		if i == 0 {
			r, w = w, r
		}
		x.pipes, theirs = append(x.pipes, r), append(theirs, w)
	}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	x.Stream = wire.NewStream(x.pipes[1], x.pipes[0])
	return theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// kill ends the program, and what waits for it, even if another one that it has started holds
// its pipes.
func (x *process) kill() {
	_ = x.cmd.Process.Kill()
	closeAll(x.pipes)
}

// end kills the program and waits until it has ended.
func (x *process) end() {
	x.kill()
	<-x.ended
}

// forward writes what the program prints to w, up to the mark. It reports whether there is one.
func (x *process) forward(w io.Writer) bool {
	for {
		before, after, found := bytes.Cut(x.unseen, x.mark[:])
		if !found { // the mark may have begun
			n := len(x.unseen)
			for n > 0 && !bytes.HasPrefix(x.mark[:], x.unseen[len(x.unseen)-n:]) {
				n--
			}
			before, after = x.unseen[:len(x.unseen)-n], x.unseen[len(x.unseen)-n:]
		}
		if len(before) > 0 {
			_, _ = w.Write(before)
		}
		n := copy(x.buffer, after)
		x.unseen = x.buffer[:n]
		if found {
			return true
		}
		more, err := x.pipes[2].Read(x.buffer[n:])
		x.unseen = x.buffer[:n+more]
		if err != nil {
			if len(x.unseen) > 0 {
				_, _ = w.Write(x.unseen)
			}
			return false
		}
	}
}
