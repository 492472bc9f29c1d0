package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/cmd/symmom/internal/bar"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/store/files"
	"symmom/symmom"
)

// fitFlags are the flags that decompose and sweep share: the data, the moment and
// the search.
type fitFlags struct {
	dataFlags
	momentFlags
	order        int
	form         string
	basis        int
	samples      int
	init         string
	tolerance    float64
	decrease     float64
	options      symmom.Options
	truth        string
	quiet, asked bool // --quiet, --json
}

var (
	forms   = []string{"auto", "implicit", "explicit", "compressed", "sampled"}
	scales  = []string{symmom.ScaleAuto, symmom.ScaleNone}
	solvers = []string{symmom.SolverAuto, symmom.SolverGaussNewton, symmom.SolverLBFGS}
	inits   = []string{symmom.InitRRF, symmom.InitPlain, symmom.InitGaussian}

	// formsOf are the forms that flags which not all forms heed go with: Adam, the solver of
	// the sampled form, ends by rules of its own.
	formsOf = map[string][]string{"basis": {"compressed"}, "samples": {"sampled"}, "tol": forms[:4], "ftol": forms[:4], "corrections": forms[:4]}
)

const momentGroup = "The moment and the model"

// defineMoment adds --order, the command's other flags for the moment, and the rest
// of that group. It sets the defaults of the search too, for commands that ask less of it.
func (f *fitFlags) defineMoment(cmd *cobra.Command, rank func(*pflag.FlagSet)) {
	o := &f.options
	f.order = 3
	f.form, o.Scale, f.init, o.Solver, o.Seed = forms[0], scales[0], inits[0], solvers[0], symmom.DefaultSeed
	f.tolerance, f.decrease = symmom.DefaultTolerance, symmom.DefaultRelativeDecrease
	flagGroup(cmd, momentGroup, func(fs *pflag.FlagSet) {
		fs.VarP(flags.Whole(&f.order, 1), "order", "d", "order of the moment")
		rank(fs)
		fs.Var(flags.Choice(&f.form, forms), "form", "how to hold the moment: auto (the cheapest), implicit (the data), explicit (the n^d tensor), compressed (leading eigenvectors, then polished) or sampled (Adam on random observations)")
		fs.Var(flags.Whole(&f.basis, 1), "basis", "eigenvectors of the compressed form (default 2 r + 10)")
		fs.Var(flags.Whole(&f.samples, 1), "samples", "observations per step of the sampled form (default 1000)")
		f.defineKind(fs)
		fs.Var(flags.Choice(&o.Scale, scales), "scale", "auto: results do not depend on the data's unit; none: they do, as in the paper")
		fs.BoolVar(&o.Nonnegative, "nonnegative", false, "keep lambda and factors at or above zero")
	})
	completeWords(cmd, "form", forms...)
	completeWords(cmd, "scale", scales...)
	complete(cmd, "order", cobra.FixedCompletions([]string{"3", "4"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *fitFlags) defineSearch(cmd *cobra.Command) {
	o := &f.options
	o.MaxIterations, o.MaxEvaluations, o.Corrections = symmom.DefaultMaxIterations, symmom.DefaultMaxEvaluations, symmom.DefaultCorrections
	flagGroup(cmd, "The search", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&o.Starts, 1), "starts", "starts to try; the best fit wins (default 10, or more where they are cheap and end at different fits)")
		seedFlag(fs, &o.Seed)
		fs.Var(overwrite.ReadsThese(&f.init, f.guess), "init", "draw starts by rrf, plain or gaussian; or `GUESS` is a model file, which is the first start, and the only one unless --starts is given")
		fs.Var(flags.Choice(&o.Solver, solvers), "solver", "gaussnewton, lbfgs (the paper's; within bounds L-BFGS-B), or auto: gaussnewton except with --form sampled")
		fs.Var(flags.Real(&f.tolerance, 0, 1e300, "a number, 0 (off) or above"), "tol", "stop when the cosine between residual and Jacobian is below this, 0: never; with --solver lbfgs --scale none: when the gradient is")
		fs.Var(flags.Real(&f.decrease, 0, 1, "a number, 0 (off) to 1"), "ftol", "stop when an iteration lowers f by less than this share of it, 0: never")
		fs.Var(flags.Whole(&o.MaxIterations, 1), "max-iters", "iterations of one start, and of its polish in the compressed form")
		fs.Var(flags.Whole(&o.MaxEvaluations, 1), "max-evals", "evaluations of one start, and of its polish; the sampled form makes one more")
		fs.Var(flags.Whole(&o.Corrections, 1), "corrections", "correction pairs that L-BFGS keeps")
		threadsFlag(fs, &o.Threads)
	})
	completeWords(cmd, "solver", solvers...)
	complete(cmd, "init", completeInit(inits))
}

// defineOutput adds the output flags, beginning with those of the command.
func (f *fitFlags) defineOutput(cmd *cobra.Command, own func(*pflag.FlagSet)) {
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Reads(&f.truth), "truth", "`FILE` with true factors, n x r, for the score")
		own(fs)
		jsonFlag(fs, &f.asked)
		quietFlag(fs, &f.quiet)
	})
	completeFiles(cmd, "truth", dataExtensions...)
}

// job is a loaded table and the moment of it to decompose.
type job struct {
	session *symmom.Session
	moment  *symmom.Moment
	truth   *mat.Dense // nil if there is none
}

// groups returns the means of labelled groups in the coordinates of the moment, to score components
// against; nil if there are none, or if the data would have to be read again.
func (f *fitFlags) groups(ctx context.Context, j *job) *symmom.NamedMatrix {
	if f.load.Labels == "" || f.stays() || ctx.Err() != nil {
		return nil
	}
	s := j.session
	if f.cumulant && s.Coordinates() == "" { // it is about the mean
		s = s.Center()
	}
	if means := s.GroupMeans(); means.Err() == nil {
		return means
	}
	return nil
}

// begin is like prepare, with a bar that says what is being done.
func (f *fitFlags) begin(ctx context.Context, cmd *cobra.Command, path string, bar *bar.Bar) (*job, error) {
	f.options.Progress = bar.Update
	bar.Note("reading %s", files.Name(path))
	j, err := f.prepare(ctx, cmd, path)
	if err == nil {
		bar.Note("preparing %s", tableSize(j.session))
	}
	return j, err
}

// prepare loads what the flags name and builds the chain, and detects whatever can
// be detected before the search begins.
func (f *fitFlags) prepare(ctx context.Context, cmd *cobra.Command, path string) (*job, error) {
	o, err := f.search(ctx, cmd)
	if err != nil {
		return nil, err
	}
	s, err := f.session(ctx, path)
	if err != nil {
		return nil, err
	}
	s, m := f.momentOf(ctx, s, o)
	if s.Err() != nil {
		return nil, inFlags(s.Err())
	}
	truth, err := loadTruth(ctx, f.truth, s.N(), 0)
	if err != nil {
		return nil, err
	}
	return &job{session: s, moment: m, truth: truth}, inFlags(m.Err())
}

// search returns the options of the search, and checks the flags with each other.
func (f *fitFlags) search(ctx context.Context, cmd *cobra.Command) (symmom.Options, error) {
	o := f.options
	o.MemoryLimit = f.load.MemoryLimit
	o.Tolerance, o.RelativeDecrease = orOff(f.tolerance), orOff(f.decrease)
	if err := f.initial(ctx, &o); err != nil {
		return o, err
	}
	for flag, of := range formsOf {
		if cmd.Flags().Changed(flag) && !slices.Contains(of, f.form) {
			return o, usagef("--%s: goes with --form %s, not %s", flag, strings.Join(of, " or "), f.form)
		}
	}
	if cmd.Flags().Changed("corrections") && o.Solver != symmom.SolverLBFGS {
		return o, usagef("--corrections: goes with --solver lbfgs; other solvers keep none")
	}
	if f.load.Spark != "" && (f.form == "implicit" || f.form == "sampled") {
		return o, usagef("--spark and --form %s: that form takes hundreds of passes, and each is a job of its own on the cluster; want compressed, or explicit where the tensor is small", f.form)
	}
	if err := f.check(cmd, &f.dataFlags); err != nil {
		return o, err
	}
	kind := f.momentFlags
	kind.whiten = 0 // that depends on the table; which orders there are does not
	if kind.distinct = false; f.distinct && f.order < 2 {
		return o, usagef("--order: got %d, want 2 or more with --distinct", f.order)
	}
	if _, m := kind.moment(symmom.FromRows([][]float64{{1}, {2}}), f.order); m.Err() != nil {
		return o, asUsage(m.Err())
	}
	own := o.InitialModel != nil || o.Init == symmom.InitGaussian
	return o, refuse(
		contradiction{o.Nonnegative && f.form == "compressed", "--nonnegative", "--form compressed", "its coordinates have no signs, those of implicit do"},
		contradiction{o.Nonnegative && f.form == "sampled", "--nonnegative", "--form sampled", "its solver, Adam, knows no bounds"},
		contradiction{f.form == "sampled" && o.Solver != symmom.SolverAuto, "--form sampled", "--solver " + o.Solver, "the solver of that form is Adam"},
		contradiction{f.form == "sampled" && f.debiased, "--form sampled", "--debias", "the other forms can be debiased"},
		contradiction{f.form == "sampled" && f.cumulant, "--form sampled", "--cumulant", "the other forms have cumulants"},
		contradiction{f.distinct && (f.form == "compressed" || f.form == "sampled"), "--distinct", "--form " + f.form, "want auto, implicit or explicit"},
		contradiction{f.form == "compressed" && own, "--form compressed", "--init " + f.init, "that form begins from rrf or plain, implicit from any"},
	)
}

// momentOf returns the moment of a table, and the table in the coordinates that it is in.
func (f *fitFlags) momentOf(ctx context.Context, s *symmom.Session, o symmom.Options) (*symmom.Session, *symmom.Moment) {
	s, m := f.moment(s.WithContext(ctx), f.order)
	switch f.form {
	case "implicit":
		m = m.Implicit()
	case "explicit":
		m = m.Explicit()
	case "compressed":
		m = m.Compressed(f.basis)
	case "sampled":
		m = m.Sampled(f.samples)
	}
	return s, m.With(o)
}

// orOff converts 0 to the library's value for off.
func orOff(v float64) float64 {
	if v == 0 {
		return -1
	}
	return v
}

// drawn returns the word by which --init asks for random starts, or "".
func (f *fitFlags) drawn() string {
	for _, w := range inits {
		if strings.EqualFold(f.init, w) {
			return w
		}
	}
	return ""
}

// guess returns the model file that --init names, if it does.
func (f *fitFlags) guess() []string {
	if f.drawn() != "" {
		return nil
	}
	return []string{f.init}
}

// initial converts --init.
func (f *fitFlags) initial(ctx context.Context, o *symmom.Options) error {
	if w := f.drawn(); w != "" {
		o.Init = w
		return nil
	}
	if _, err := os.Stat(f.init); err != nil && filepath.Ext(f.init) == "" {
		return usagef("--init: got %q, want %s or a model file", f.init, strings.Join(inits, ", "))
	}
	m, err := symmom.LoadModel(f.init, symmom.LoadOptions{Context: ctx})
	if err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	o.InitialModel = m
	return nil
}
