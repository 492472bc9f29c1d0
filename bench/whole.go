package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Goals from file to fit.
const (
	wholeTurns  = 5
	wholePasses = 18  // times reading the observations from memory once: ten starts, one thread
	wholeFaster = 80  // than NumPy's L-BFGS, ten starts
	wholeShare  = .45 // of what loading the file and one product take in NumPy, all threads
	normShare   = .15 // of the whole run, for ||X||^2
)

// printed is the command's output for a decomposition.
type printed struct {
	whole            float64 // seconds from starting the command to its end
	Seconds          float64 `json:"seconds"` // after loading
	ObjectiveShifted float64 `json:"objective_shifted"`
	Phases           map[string]struct {
		Seconds float64
		Passes  int
	}
}

// whole times the command from the file to the printed fit, phase by phase, beside what
// NumPy takes for the same.
func (b *bench) whole() (*section, error) {
	const n, r, d = 500, 10, 3
	s := &section{title: "From file to fit: the command", header: []string{"p", "threads", "from start to end s", "of these after loading s", "phases s (passes)", "NumPy", "s", "ratio"}}
	program := filepath.Join(b.dir, "symmom")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.CommandContext(b.ctx, "go", "build", "-o", program, "./cmd/symmom").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./cmd/symmom: %w: %s (run this from the root of the repository)", err, out)
	}
	per, many := 6000, 50000
	if b.quick {
		per, many = 1000, 3000
	}
	if err := b.wholeSearch(s, program, n, r, d, per); err != nil {
		return nil, err
	}
	if err := b.wholeFile(s, program, n, r, d, many); err != nil {
		return nil, err
	}
	s.note("medians of %d turns; files are in the page cache; ten starts, the form chosen by symmom. From start to end: of the process, with loading and printing. NumPy's L-BFGS: one plain start, times ten, with data and ||X||^2 at hand. A pass: reading the observations from memory once, at the bandwidth measured in the same turns.", wholeTurns)
	return s, nil
}

// wholeSearch compares ten starts on one thread with NumPy's L-BFGS, and with the time
// that reading takes.
func (b *bench) wholeSearch(s *section, program string, n, r, d, per int) error {
	data, err := b.gaussians(n, r, per, .1)
	if err != nil {
		return err
	}
	progress("  p=%d, one thread", data.p)
	x, err := b.load(data)
	if err != nil {
		return err
	}
	block, err := b.peer.fastestBlock(b.ctx, data.p, d, r, point(n, r), .1)
	if err != nil {
		return err
	}
	var theirs found
	var ours printed
	var bands, whole sample
	times, err := turns(b.ctx, wholeTurns, []entrant{
		b.solver(data, d, r, block, 1, &theirs),
		{"symmom", func() (float64, error) {
			ours, err = command(b.ctx, program, data.path, d, r, 1)
			whole = append(whole, ours.whole)
			return ours.Seconds, err
		}},
		{"the bandwidth", func() (float64, error) {
			onOneCore(b.core, func() { bands = append(bands, bandwidth(x.V, 1)) })
			return 0, nil
		}},
	})
	if err != nil {
		return err
	}
	for i := range times[0] {
		times[0][i] *= starts
	}
	pass := 8 * float64(len(x.V)) / bands.median()
	ratio := times[0].over(times[1])
	what := fmt.Sprintf("from file to fit, p=%d, one thread: ", data.p)
	s.judge(atMost(what+"seconds after loading / a pass", times[1].median()/pass, wholePasses, "%.1f"))
	s.judge(atLeast(what+"NumPy's L-BFGS, ten starts / symmom", ratio.value, wholeFaster, "%.0f"))
	s.judge(atMost(what+"f above NumPy's, relative", (ours.ObjectiveShifted-theirs.f)/-theirs.f, massiveF, "%.1e"))
	s.row(fmt.Sprint(data.p), "1", digits(whole.median()), digits(times[1].median()), ours.phases(), "L-BFGS, ten starts", digits(times[0].median()), ratio.String())
	return nil
}

// wholeFile compares the whole command on all threads with loading the file and one
// product in NumPy.
func (b *bench) wholeFile(s *section, program string, n, r, d, per int) error {
	data, err := b.gaussians(n, r, per, .1)
	if err != nil {
		return err
	}
	progress("  p=%d, all threads", data.p)
	free, err := startPeer(b.ctx, python(), b.dir, peerSource, -1, 0)
	if err != nil {
		return err
	}
	defer free.close()
	var ours printed
	var norm sample
	times, err := turns(b.ctx, wholeTurns, []entrant{
		{"NumPy", func() (float64, error) {
			var t struct{ Load, Product float64 }
			err := free.ask(request{"do": "once", "path": data.path}, &t)
			return t.Load + t.Product, err
		}},
		{"symmom", func() (float64, error) {
			ours, err = command(b.ctx, program, data.path, d, r, 0)
			norm = append(norm, ours.Phases["norm"].Seconds)
			return ours.whole, err
		}},
	})
	if err != nil {
		return err
	}
	ratio := times[0].over(times[1])
	what := fmt.Sprintf("from file to fit, p=%d, all threads: ", data.p)
	s.judge(atMost(what+"the command / numpy.load and one V.T @ V", 1/ratio.value, wholeShare, "%.2f"))
	s.judge(atMost(what+"the norm / the command", norm.over(times[1]).value, normShare, "%.2f"))
	s.row(fmt.Sprint(data.p), "all", digits(times[1].median()), digits(ours.Seconds), ours.phases(), "numpy.load, V.T @ V", digits(times[0].median()), ratio.String())
	return nil
}

// command runs symmom decompose on a file; 0 threads are all.
func command(ctx context.Context, program, path string, d, r, threads int) (printed, error) {
	args := []string{"decompose", path, "--order", fmt.Sprint(d), "--rank", fmt.Sprint(r), "--starts", fmt.Sprint(starts), "--json", "--quiet"}
	if threads > 0 {
		args = append(args, "--threads", fmt.Sprint(threads))
	}
	var out printed
	began := time.Now()
	text, err := exec.CommandContext(ctx, program, args...).Output()
	out.whole = time.Since(began).Seconds()
	if err != nil {
		return out, fmt.Errorf("symmom %s: %w", strings.Join(args, " "), err)
	}
	return out, json.Unmarshal(text, &out)
}

// phases lists what each phase took, in the order of a run.
func (r printed) phases() string {
	var list []string
	for _, name := range []string{"load", "sample", "basis", "projection", "tensor", "scale", "starts", "search", "polish", "norm"} {
		if p, ok := r.Phases[name]; ok {
			list = append(list, fmt.Sprintf("%s %s (%d)", name, digits(p.Seconds), p.Passes))
		}
	}
	return strings.Join(list, ", ")
}
