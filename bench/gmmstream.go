package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/disk"
)

// Parameters of a table that stays on disk.
const (
	streamVariables    = 100
	streamObservations = 10_000_000
	streamSigma        = .5
	streamPasses       = 15
	streamBytes        = 1e9 // of memory, whatever the size of the table
)

// gmmStream fits a table of 4 GB on disk with the command.
func (b *bench) gmmStream() (*section, error) {
	p := streamObservations
	if b.quick {
		p /= 100
	}
	size := 4 * streamVariables * float64(p)
	if u, err := disk.Usage(b.dir); err == nil && float64(u.Free) < 1.2*size {
		return nil, fmt.Errorf("%s has room for %s, the table takes %s: name another directory with -data", b.dir, bytes(float64(u.Free)), bytes(size))
	}
	path, truth := filepath.Join(b.dir, "stream.npy"), filepath.Join(b.dir, "stream-means.npy")
	defer os.Remove(path)
	progress("writing %s", bytes(size))
	if err := b.peer.ask(request{"do": "write", "path": path, "truth": truth, "n": streamVariables, "r": gaussians, "p": p, "sigma": streamSigma, "seed": 1}, nil); err != nil {
		return nil, err
	}
	symmom := filepath.Join(b.dir, "symmom")
	if out, err := exec.CommandContext(b.ctx, "go", "build", "-o", symmom, "./cmd/symmom").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./cmd/symmom: %w: %s", err, out)
	}
	s := &section{title: "A table on disk", header: []string{"command", "passes", "EM", "error of means", "log-likelihood", "s", "processor s", "memory at most"}}
	s.note("%d observations of %d variables in float32, %s, five components, cosine .5 between any two means, sigma %g; on all threads; memory is the resident set of the process at its largest", p, streamVariables, bytes(size), streamSigma)
	for _, more := range [][]string{nil, {"--converge"}} {
		args := append([]string{"mixture", "--components", fmt.Sprint(gaussians), "--stream", "--json", "--quiet", "--truth", truth, path}, more...)
		cmd := exec.CommandContext(b.ctx, symmom, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("symmom mixture: %w", err)
		}
		var found struct {
			Observations  int
			LogLikelihood float64 `json:"log_likelihood"`
			MeanError     float64 `json:"mean_error"`
			Iterations    int
			Converged     bool
			DataPasses    int `json:"data_passes"`
			Seconds       float64
		}
		if err := json.Unmarshal(out, &found); err != nil {
			return nil, err
		}
		if found.Observations != p {
			return nil, fmt.Errorf("symmom mixture saw %d observations, the table has %d", found.Observations, p)
		}
		processor := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		memory := mostMemory(cmd.ProcessState)
		em := fmt.Sprintf("%d iterations, not converged", found.Iterations)
		if found.Converged {
			em = fmt.Sprintf("%d iterations, converged", found.Iterations)
		}
		name := "symmom mixture --stream"
		if more != nil {
			name += " " + more[0]
		} else {
			s.judge(atMost("passes over a table on disk", float64(found.DataPasses), streamPasses, "%.0f"))
		}
		s.judge(atMost(name+": memory in MB", memory/1e6, streamBytes/1e6, "%.0f"))
		s.row(name, fmt.Sprint(found.DataPasses), em, fmt.Sprintf("%.5f", found.MeanError), fmt.Sprintf("%.6f", found.LogLikelihood/float64(p)), fmt.Sprintf("%.1f", found.Seconds), fmt.Sprintf("%.1f", processor), bytes(memory))
		progress("%s: %d passes, %.1f s", name, found.DataPasses, found.Seconds)
	}
	return s, nil
}
