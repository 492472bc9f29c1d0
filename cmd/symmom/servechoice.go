package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/charts/live"
	"symmom/internal/files"
	"symmom/internal/words"
	"symmom/symmom"
	"symmom/widgets"
)

// choices are the controls of the page of serve, and the tables that they stand for.
type choices struct {
	base        *symmom.Session // as the flags load it, before it is shaped
	trueFactors *mat.Dense
	fields      []live.Field
	last        taken // the one that was taken last, which most choices have, too

	orderOf, rankOf, startsOf, seedOf              *widgets.Control
	columnsOf, weightsOf, noiseOf, sigmaOf, formOf *widgets.Control
}

const (
	asRead    = "as read"
	allEqual  = "all equal"
	noiseIn   = "left in"
	noiseOut  = "taken out, sigma estimated"
	noiseSays = "taken out, sigma given"
)

// Ends of the controls.
const (
	mostRank   = 100_000
	mostStarts = 100_000
	mostNames  = 1000 // offered as weights or to be ticked
)

// defineControls makes the controls.
func (v *serveCommand) defineControls(summary *symmom.Summary) {
	rank := v.rank
	if rank == 0 {
		if rank = summary.SuggestedRank; rank == 0 {
			rank = min(3, v.base.N())
		}
	}
	names := v.base.Columns()
	v.orderOf = widgets.Slider("order", 1, symmom.MaxOrder, 1).At(v.order)
	v.rankOf = widgets.Slider("rank", 1, mostRank, 1).At(rank)
	v.startsOf = widgets.Slider("starts", 0, mostStarts, 1).At(v.options.Starts)
	v.seedOf = widgets.Slider("seed", 1, 1e9, 1).At(min(v.options.Seed, 1e9))
	v.formOf = widgets.Select("form", options(forms)...).At(v.form)
	v.columnsOf = widgets.Text("columns", func(text string) error { _, err := v.named(text); return err })
	v.weightsOf = widgets.Select("weights", options(v.weightNames(names))...)
	v.noiseOf = widgets.Select("noise", noiseIn, noiseOut, noiseSays)
	v.sigmaOf = widgets.Text("sigma", func(text string) error {
		if text == "" {
			return nil
		}
		return new(sigma).Set(text)
	})
	if v.debiased {
		if v.noiseOf.At(noiseOut); v.debias.value > 0 {
			v.noiseOf.At(noiseSays)
			v.sigmaOf.At(v.debias.String())
		}
	}
	var list []string
	if len(names) <= mostNames && len(names) > 1 {
		list = names
	}
	kind := "moment"
	if v.cumulant {
		kind = "cumulant"
	}
	v.fields = []live.Field{
		{Control: v.rankOf, Label: "Rank", Hint: "components to find", Top: float64(max(20, 2*rank))},
		{Control: v.orderOf, Label: "Order of the " + kind, Hint: "3 is the usual choice", Top: 6},
		{Control: v.startsOf, Label: "Starts", Hint: "0: 10, or more until the best was found three times if starts are cheap", Top: 50},
		{Control: v.columnsOf, Label: "Columns", Hint: fmt.Sprintf("names, numbers or ranges, such as 1,3-7; empty: all %d", len(names)), List: list},
		{Control: v.weightsOf, Label: "Weights of the observations"},
	}
	if !v.cumulant {
		v.fields = append(v.fields, live.Field{Control: v.noiseOf, Label: "Noise common to all components"},
			live.Field{Control: v.sigmaOf, Label: "Sigma of the noise", Hint: "in the units of the data", When: []string{"noise", noiseSays}})
	}
	v.fields = append(v.fields, live.Field{Control: v.formOf, Label: "Form", Hint: "how the moment is held; auto: the cheapest"},
		live.Field{Control: v.seedOf, Label: "Seed", Hint: "the same choice with the same seed gives the same fit"})
}

func options(all []string) (out []any) {
	for _, s := range all {
		out = append(out, s)
	}
	return out
}

// weightNames are the ways to weight, with the columns that can hold weights.
func (v *serveCommand) weightNames(names []string) []string {
	all := []string{asRead, allEqual}
	for _, name := range names {
		if len(names) <= mostNames && len(names) > 1 && name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// prepare makes the job that the controls stand for.
func (v *serveCommand) prepare(ctx context.Context, tell func(symmom.Progress)) (*live.Job, error) {
	f, rank := v.fitFlags, v.rankOf.Value().(int)
	f.order, f.form, f.debiased = v.orderOf.Value().(int), v.formOf.Value().(string), !v.cumulant && v.noiseOf.Value() != noiseIn
	o := v.given
	o.Starts, o.Progress = v.startsOf.Value().(int), tell
	if seed := v.seedOf.Value().(int); seed < 1e9 { // a greater one can only be the flag's
		o.Seed = uint64(seed)
	}
	if f.debias.value = 0; v.noiseOf.Value() == noiseSays {
		if err := f.debias.Set(orElse(v.sigmaOf.Value().(string), "nothing")); err != nil || f.debias.value == 0 {
			return nil, &live.ChoiceError{Control: "sigma", Err: errors.New("want a number above 0, or a sigma that is estimated")}
		}
	}
	c, err := v.chosen()
	if err != nil {
		return nil, err
	}
	t, err := v.take(ctx, c)
	if err != nil {
		return nil, err
	}
	s, m := f.momentOf(ctx, t.session, o)
	if s.Err() != nil {
		return nil, s.Err()
	}
	if m.Err() != nil {
		return nil, m.Err()
	}
	job := &live.Job{Name: fmt.Sprintf("order %d, rank %d", f.order, rank), Moment: m, Rank: rank, Shown: s.WithContext(v.ctx)}
	if !v.stream { // pictures can be drawn after an interrupt, too
		job.Shown = s.WithContext(context.Background())
	}
	if c.columns != nil {
		job.Name += ", " + words.Plural(len(c.columns), "column")
	}
	job.Report = charts.ReportOptions{Title: v.title, Summary: t.summary, Command: v.again(f, o, rank, c), Version: version()}
	if v.rows*v.cols == s.N() {
		job.Report.ImageRows, job.Report.ImageCols = v.rows, v.cols
	} else if v.rows > 0 {
		job.Notes = append(job.Notes, fmt.Sprintf("Rows are no pictures of %d x %d pixels with %s.", v.rows, v.cols, words.Plural(s.N(), "column")))
	}
	if v.trueFactors != nil {
		if n, _ := v.trueFactors.Dims(); n == s.N() {
			job.Report.Truth = v.trueFactors
		} else {
			job.Notes = append(job.Notes, fmt.Sprintf("There is no score: the truth is for %s, not %d.", words.Plural(n, "variable"), s.N()))
		}
	}
	return job, nil
}

// chosenHere are the flags that the page chooses, and those that are of it alone.
var chosenHere = []string{"order", "rank", "starts", "seed", "form", "debias", "columns", "weights", "weights-column",
	"port", "host", "no-open", "title", "images", "save", "html", "quiet"}

// again returns the command that makes the fit again.
func (v *serveCommand) again(f fitFlags, o symmom.Options, rank int, c tableChoice) string {
	args := []string{"decompose", files.Name(v.path), "--order", strconv.Itoa(f.order), "--rank", strconv.Itoa(rank)}
	if f.form != forms[0] {
		args = append(args, "--form", f.form)
	}
	if o.Starts > 0 {
		args = append(args, "--starts", strconv.Itoa(o.Starts))
	}
	if o.Seed != symmom.DefaultSeed {
		args = append(args, "--seed", strconv.FormatUint(o.Seed, 10))
	}
	switch {
	case f.debiased && f.debias.value > 0:
		args = append(args, "--debias="+f.debias.String())
	case f.debiased:
		args = append(args, "--debias")
	}
	if names := v.columnFlag(c); names != nil {
		args = append(args, "--columns", listed(names))
	}
	switch {
	case c.weights >= columnWeights:
		args = append(args, "--weights-column", v.inFile([]int{c.weights - columnWeights})[0])
	case c.weights == readWeights && v.load.WeightsFile != "":
		args = append(args, "--weights", files.Name(v.load.WeightsFile))
	case c.weights == readWeights && v.load.Weights != "":
		args = append(args, "--weights-column", v.load.Weights)
	}
	return commandLine(append(args, v.others()...))
}

// others are the flags that were given and that the page does not choose.
func (v *serveCommand) others() (args []string) {
	v.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains(chosenHere, f.Name):
		case f.Value.Type() == "bool":
			args = append(args, "--"+f.Name)
		default:
			args = append(args, "--"+f.Name, f.Value.String())
		}
	})
	return args
}

// listed writes names as --columns takes them.
func listed(names []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // a strings.Builder never fails
	w.Flush()
	return strings.TrimSpace(b.String())
}
