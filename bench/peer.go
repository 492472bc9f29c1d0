package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// The peer's programs.
var (
	//go:embed peer.py
	peerSource []byte
	//go:embed gmm.py
	gmmSource []byte
	//go:embed serve.py
	serveSource []byte // all import it
)

// peerError is what the peer says of a request that failed.
type peerError struct{ do, text string }

func (e *peerError) Error() string { return fmt.Sprintf("the peer failed at %q: %s", e.do, e.text) }

// peer is the Python process that the measurements are compared with.
type peer struct {
	cmd  *exec.Cmd
	in   *json.Encoder
	out  *bufio.Reader
	stop func() error

	Python, NumPy, SciPy, ScikitLearn, BLAS string
	env                                     []string // set for it
}

// request is a message to the peer; "do" is the method.
type request map[string]any

// python is the one that runs the peer.
func python() string {
	return cmp.Or(os.Getenv("SYMMOM_PYTHON"), filepath.Join(".venv", "bin", "python"))
}

// startPeer starts python with a program, written to dir, on so many threads (0: all) and
// one core (any core, if core is negative).
func startPeer(ctx context.Context, python, dir string, program []byte, core, threads int) (*peer, error) {
	python, err := exec.LookPath(python)
	if err != nil {
		return nil, fmt.Errorf("there is no Python for the peer (run scripts/setup.sh, or set SYMMOM_PYTHON to one with NumPy and SciPy): %w", err)
	}
	script := filepath.Join(dir, "peer.py")
	err = os.WriteFile(script, program, 0o644)
	for name, module := range map[string][]byte{"serve.py": serveSource, "gmm.py": gmmSource} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), module, 0o644))
	}
	if err != nil {
		return nil, err
	}
	args := []string{python, script}
	if taskset, err := exec.LookPath("taskset"); err == nil && core >= 0 {
		args = append([]string{taskset, "-c", strconv.Itoa(core)}, args...)
	}
	p := &peer{}
	if threads > 0 {
		p.env = []string{fmt.Sprintf("OPENBLAS_NUM_THREADS=%d", threads), fmt.Sprintf("OMP_NUM_THREADS=%d", threads)}
	}
	if cpu.X86.HasAVX512F {
		p.env = append(p.env, "OPENBLAS_CORETYPE=SkylakeX")
	}
	p.cmd = exec.CommandContext(ctx, args[0], args[1:]...)
	ownGroup(p.cmd)
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the peer does not start: %w", err)
	}
	p.in, p.out = json.NewEncoder(in), bufio.NewReader(out)
	p.stop = in.Close
	var hello struct{ Python, NumPy, SciPy, ScikitLearn, BLAS string }
	if err := p.ask(request{"do": "hello"}, &hello); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (does %s have NumPy and SciPy?)", err, python), p.close())
	}
	p.Python, p.NumPy, p.SciPy, p.ScikitLearn, p.BLAS = hello.Python, hello.NumPy, hello.SciPy, hello.ScikitLearn, hello.BLAS
	return p, nil
}

// ask sends a request and decodes the answer into answer, unless that is nil.
func (p *peer) ask(r request, answer any) error {
	if err := p.in.Encode(r); err != nil {
		return fmt.Errorf("the peer does not take %q: %w", r["do"], err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the peer ended during %q: %w", r["do"], err)
	}
	var failed struct{ Error string }
	if err := json.Unmarshal(line, &failed); err != nil {
		return fmt.Errorf("the peer's answer to %q: %w: %s", r["do"], err, strings.TrimSpace(string(line)))
	}
	if failed.Error != "" {
		return &peerError{fmt.Sprint(r["do"]), failed.Error}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(line, answer)
}

// close ends the peer.
func (p *peer) close() error { return errors.Join(p.stop(), p.cmd.Wait()) }

// blocks are the numbers of observations that the peer multiplies at once, the
// fastest of which counts; 0 means all.
var blocks = []int{64, 128, 256, 512, 0}

// blocksFor omits multiplying all at once if the products would not stay in cache.
func blocksFor(p int) []int {
	if p > 10000 {
		return blocks[:len(blocks)-1]
	}
	return blocks
}

// timed is the peer's answer to "time".
type timed struct {
	Seconds float64
	F, G    float64 // f, and the infinity norm of its gradient
}

// fastestBlock returns the block size at which the peer evaluates fastest.
func (p *peer) fastestBlock(ctx context.Context, obs, d, r int, x []float64, seconds float64) (int, error) {
	sizes := blocksFor(obs)
	entrants := make([]entrant, len(sizes))
	for i, b := range sizes {
		entrants[i] = p.entrant(request{"how": "implicit", "d": d, "r": r, "block": b, "x": x, "seconds": seconds}, nil)
	}
	times, err := turns(ctx, 3, entrants)
	if err != nil {
		return 0, err
	}
	_, i := fastest(times)
	return sizes[i], nil
}

// entrant returns an entrant that calls "time" and stores the last answer in answer
// unless that is nil.
func (p *peer) entrant(r request, answer *timed) entrant {
	r["do"] = "time"
	if answer == nil {
		answer = new(timed)
	}
	return entrant{"NumPy", func() (float64, error) {
		err := p.ask(r, answer)
		return answer.Seconds, err
	}}
}
