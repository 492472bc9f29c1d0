// Command bench measures symmom and its peers in turns on the same data, and
// writes the results, with the target of each figure:
//
//	go run ./bench                        against NumPy/SciPy, to bench/results, and a summary to bench/RESULTS.md; about 15 minutes, 10 GB of memory
//	go run ./bench gmm                    Gaussian mixtures against scikit-learn, to bench/MIXTURES.md; about an hour
//	go run ./bench ladder                 more starts and lower tolerances of mixtures of random tables, to bench/LADDER.md; six minutes
//	go run ./bench literature             methods of others on their own experiments, to paper/LITERATURE.md; forty minutes
//	go run ./bench topics                 topic models against scikit-learn, gensim and tomotopy, to bench/TOPICS.md; hours
//	go run ./bench -quick                 a trial on smaller problems, to the terminal only
//	go run ./bench -only table1,mixture   some sections, to the terminal only
//
// The peer runs in the Python that SYMMOM_PYTHON names, .venv/bin/python by
// default (scripts/setup.sh makes it), on one thread: peer.py, both sides pinned to
// one core for the measurements of one thread, or gmm.py, symmom on one thread
// too. They never run at the same time. The machine should be otherwise idle.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	gcpu "github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"

	"symmom/internal/math/linalg"
	"symmom/internal/store/atomicfile"
)

// bench is the state of a run.
type bench struct {
	ctx     context.Context
	peer    *peer
	dir     string // of the data files
	keep    bool   // dir was given: earlier results are reused
	core    int    // for measurements of one thread; negative: any
	quick   bool
	large   bool    // kinds of topics that take hours, too
	rounds  int     // per entrant
	seconds float64 // for a short measurement
	seeds   uint64  // of gmm and ladder
	roof    roof
	lead    *section // of the report of literature
}

// suite is a run with its own report.
type suite struct {
	name, title, file string
	program           []byte // for the peer
	pinned            bool   // to one core, which must reach its expected speed
	about             func(*bench) []string
	sections          []part
}

type part struct {
	name string
	run  func(*bench) (*section, error)
}

// suites are all runs, the one without a name first, with their parts in order.
var suites = []suite{
	{"", "Benchmarks: symmom against NumPy/SciPy", filepath.Join("results", thisProcessor()+".md"), peerSource, true, (*bench).about, []part{
		{"roofline", (*bench).roofline},
		{"table1", (*bench).evaluations},
		{"mixture", (*bench).mixtures},
		{"massive", (*bench).massive},
		{"whole", (*bench).whole},
		{"forms", (*bench).forms},
		{"scaling", (*bench).scaling},
		{"byrank", (*bench).byRank},
		{"sparse", (*bench).sparse},
	}},
	{"gmm", "Gaussian mixtures: symmom beside scikit-learn", "MIXTURES.md", gmmSource, false, (*bench).aboutGMM, []part{
		{"spherical", (*bench).gmmTable},
		{"diag", (*bench).gmmDiagonal},
		{"real", (*bench).gmmReal},
		{"search", (*bench).gmmSearch},
		{"ties", (*bench).gmmTies},
		{"ica", (*bench).gmmICA},
		{"stream", (*bench).gmmStream},
	}},
	{"ladder", "Starts of Gaussian mixtures", "LADDER.md", nil, false, (*bench).aboutLadder, []part{
		{"ladder", (*bench).gmmLadder},
	}},
	{"literature", "The literature beside symmom", filepath.Join("..", "paper", "LITERATURE.md"), literatureSource, false, (*bench).aboutLiterature, []part{
		{"demo", (*bench).litDemo},
		{"odd", (*bench).litOdd},
		{"others", (*bench).litOthers},
		{"tensors", (*bench).litTensors},
		{"absent", (*bench).litAbsent},
	}},
	{"topics", "Topics: symmom beside scikit-learn, gensim and tomotopy", "TOPICS.md", topicsSource, false, (*bench).aboutTopics, []part{
		{"drawn", (*bench).topicsDrawn},
		{"reuters", (*bench).topicsReuters},
		{"above", (*bench).topicsAbove},
	}},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	u := suites[0]
	for _, s := range suites[1:] {
		if len(args) > 0 && args[0] == s.name {
			u, args = s, args[1:]
		}
	}
	var names []string
	for _, s := range u.sections {
		names = append(names, s.name)
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "sections to run, separated by commas, of "+strings.Join(names, ", "))
	quick := flags.Bool("quick", false, "smaller problems and fewer turns: a trial, no result")
	seeds := flags.Uint64("seeds", 0, fmt.Sprintf("of gmm: draws of each kind of data (default %d); of ladder: tables (default %d); of topics: draws (default %d)", defaultSeeds, ladderSeeds, topicsSeeds))
	large := flags.Bool("large", true, "of topics: the kinds of documents that take hours, too")
	out := flags.String("out", "", "file for the report (default "+filepath.Join("bench", u.file)+" for a complete run, else none)")
	data := flags.String("data", "", "directory in which data files, and fits of gmm, literature and topics, are kept and found again (default: a temporary one)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: want flags only", flags.Arg(0))
	}
	chosen := names
	if *only != "" {
		chosen = strings.Split(*only, ",")
	}
	for _, c := range chosen {
		if !slices.Contains(names, c) {
			return fmt.Errorf("-only %s: there is no section %q, but %s", *only, c, strings.Join(names, ", "))
		}
	}
	if *out == "" && *only == "" && !*quick {
		*out = filepath.Join("bench", u.file)
	}
	if *seeds == 0 {
		switch *seeds = defaultSeeds; u.name {
		case "ladder":
			*seeds = ladderSeeds
		case "topics":
			*seeds = topicsSeeds
		}
	}
	// Many short turns: what is compared is measured within a second or two, so that
	// changes of the machine's load affect all of it.
	b := &bench{ctx: ctx, dir: *data, keep: *data != "", core: -1, quick: *quick, large: *large, rounds: 15, seconds: .08, seeds: *seeds}
	if u.pinned {
		b.core = lastCore()
	}
	if b.quick {
		b.rounds, b.seconds, b.seeds = 3, .03, min(b.seeds, 2)
	}
	r, err := b.run(u, chosen)
	if err != nil {
		return err
	}
	if err := r.write(os.Stdout); err != nil || *out == "" {
		return err
	}
	if err := atomicfile.WriteFunc(*out, r.write); err != nil {
		return fmt.Errorf("-out %s: %w (run this from the root of the repository, or name another file)", *out, err)
	}
	if filepath.Dir(*out) == filepath.Clean(resultsDir) {
		return writeSummary(resultsDir)
	}
	return nil
}

// run runs the chosen sections.
func (b *bench) run(u suite, chosen []string) (r *report, err error) {
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "symmom-bench-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(b.dir)
	} else if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return nil, err
	}
	if b.dir, err = filepath.Abs(b.dir); err != nil {
		return nil, err
	}
	if u.program != nil {
		if b.peer, err = startPeer(b.ctx, python(), b.dir, u.program, b.core, 1); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, b.peer.close()) }()
	}

	r = &report{title: u.title}
	if u.pinned {
		if r.void, err = b.ceilings(); err != nil {
			return nil, err
		}
	}
	r.about = u.about(b)
	for _, s := range u.sections {
		if !slices.Contains(chosen, s.name) {
			continue
		}
		progress("%s", s.name)
		part, err := s.run(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		r.sections = append(r.sections, part)
	}
	r.lead = b.lead
	if avg, err := load.Avg(); err == nil {
		r.about = append(r.about, fmt.Sprintf("load average at the end: %.2f over 5 minutes (the run itself makes about 1)", avg.Load5))
	}
	return r, nil
}

// dgemmShare is the share of our kernels' rate that the peer's dgemm must reach.
// With the kernel for an older processor it reaches half or less.
const dgemmShare = .75

// ceilings measures the rates of both sides' multiply-adds, and returns the reason
// if no comparison is possible, or "".
func (b *bench) ceilings() (void string, err error) {
	onOneCore(b.core, func() { b.roof.registers = registerRate(b.rounds) })
	var dgemm struct{ GFLOPs float64 }
	for range 5 {
		if err := b.peer.ask(request{"do": "dgemm", "n": 2000, "repeats": 2}, &dgemm); err != nil {
			return "", err
		}
		b.roof.dgemm = max(b.roof.dgemm, dgemm.GFLOPs*1e9)
		onOneCore(b.core, func() { b.roof.kernel = max(b.roof.kernel, peakRate(1)) })
	}
	progress("dgemm of the peer %s, our kernels %s", gflops(b.roof.dgemm), gflops(b.roof.kernel))
	if b.roof.dgemm < dgemmShare*b.roof.kernel {
		void = fmt.Sprintf("NumPy's dgemm runs at %s, this machine at %s or more: OpenBLAS took the wrong kernel (set OPENBLAS_CORETYPE), or something else uses the core",
			gflops(b.roof.dgemm), gflops(b.roof.kernel))
		progress("THE COMPARISON IS VOID: %s", void)
	}
	return void, nil
}

// about describes when, on what and with what the run was made.
func (b *bench) about() []string {
	about := []string{
		"written by `scripts/bench.sh peers`",
		machine(),
		fmt.Sprintf("symmom: %s, kernels %s; one thread, then all %d", runtime.Version(), linalg.Kernel(), runtime.GOMAXPROCS(0)),
		fmt.Sprintf("peer: Python %s, NumPy %s, SciPy %s, %s, one thread (%s)", b.peer.Python, b.peer.NumPy, b.peer.SciPy, b.peer.BLAS, strings.Join(b.peer.env, " ")),
		fmt.Sprintf("dgemm 2000 x 2000 of the peer: %s; our kernels on first-level cache: %s", gflops(b.roof.dgemm), gflops(b.roof.kernel)),
		fmt.Sprintf("NumPy and symmom took turns on the same files, one at a time, on core %d for one thread; medians of %d turns of about %s each unless noted, ± half the range; ratios are of the medians, with the range of single turns in parentheses", b.core, b.rounds, duration(b.seconds)),
	}
	if b.quick {
		about = append(about, "**a -quick run: smaller problems, few turns; not a result**")
	}
	if avg, err := load.Avg(); err == nil {
		about = append(about, fmt.Sprintf("load average at the start: %.2f over 5 minutes", avg.Load5))
	}
	return about
}

// machine describes the machine and gives the date.
func machine() string {
	model := "unknown processor"
	if info, err := gcpu.Info(); err == nil && len(info) > 0 {
		model = info[0].ModelName
	}
	return fmt.Sprintf("%s, %s, %s/%s, %d cores", time.Now().Format(time.DateOnly), model, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// progress reports to the person who waits.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}
