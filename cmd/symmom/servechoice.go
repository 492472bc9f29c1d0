package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/charts/live"
	columnnames "symmom/internal/columns"
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

// tableChoice is what is chosen of the table.
type tableChoice struct {
	columns []string // none: all
	weights string   // "": as read
}

// taken is a table as it was chosen.
type taken struct {
	key     string
	session *symmom.Session // shaped
	summary *symmom.Summary
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
			live.Field{Control: v.sigmaOf, Label: "Sigma of the noise", Hint: "where it is given, in the units of the data"})
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

// named returns the columns that a text lists, by their places, counted from 0; nil for
// all.
func (v *serveCommand) named(text string) ([]int, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	r.LazyQuotes = true
	parts, err := r.Read()
	if err != nil {
		return nil, errors.New("want names, numbers or ranges, with commas between them")
	}
	names := v.base.Columns()
	known := columnnames.PlacesOf(names)
	var at []int
	for _, part := range parts {
		from, to, err := columnnames.Resolve(v.base.Source(), "column", strings.TrimSpace(part), names, known, len(names))
		if err != nil {
			return nil, err
		}
		for j := from; j <= to; j++ {
			if slices.Contains(at, j) {
				return nil, fmt.Errorf("%s is named twice", words.Quote(names[j]))
			}
			at = append(at, j)
		}
	}
	return at, nil
}

var numbered = regexp.MustCompile(`^column (\d+)$`)

// chosen returns what the controls say of the table.
func (v *serveCommand) chosen() (tableChoice, error) {
	at, err := v.named(v.columnsOf.Value().(string))
	if err != nil {
		return tableChoice{}, &live.ChoiceError{Control: "columns", Err: err}
	}
	var c tableChoice
	names := v.base.Columns()
	for _, j := range at {
		c.columns = append(c.columns, names[j])
	}
	switch w := v.weightsOf.Value().(string); w {
	case asRead:
	case allEqual:
		c.weights = allEqual
	default:
		if slices.Contains(c.columns, w) {
			return c, &live.ChoiceError{Control: "columns", Err: fmt.Errorf("%s holds the weights: leave it out, or choose other weights", words.Quote(w))}
		}
		c.weights = w
		if c.columns == nil {
			c.columns = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == w })
		}
	}
	return c, nil
}

// take returns the table that was chosen, shaped, and looks at it.
func (v *serveCommand) take(ctx context.Context, c tableChoice) (taken, error) {
	key := fmt.Sprintf("%q %q", c.columns, c.weights)
	if v.last.key == key {
		return v.last, nil
	}
	v.last = taken{} // its memory is for the next one
	s, err := v.pick(ctx, c)
	if err != nil {
		return taken{}, err
	}
	t := taken{key: key, session: v.shaped(s)}
	if t.session.Err() != nil {
		return taken{}, t.session.Err()
	}
	t.summary = t.session.WithContext(ctx).Summary()
	if t.summary.Err() != nil {
		return taken{}, t.summary.Err()
	}
	v.last = t
	return t, nil
}

// pick takes columns and weights: of data in memory by a copy, of a stream by opening
// it again.
func (v *serveCommand) pick(ctx context.Context, c tableChoice) (*symmom.Session, error) {
	if c.columns == nil && c.weights == "" {
		return v.base, nil
	}
	if v.stream {
		d := v.dataFlags
		if c.columns != nil {
			d.load.Columns = nil
			for _, name := range c.columns {
				if m := numbered.FindStringSubmatch(name); m != nil {
					name = m[1]
				}
				d.load.Columns = append(d.load.Columns, name)
			}
		}
		if c.weights != "" {
			d.load.Weights, d.load.WeightsFile = strings.TrimSuffix(c.weights, allEqual), ""
		}
		s, err := d.table(ctx, v.path)
		if err != nil {
			at := "columns"
			if c.weights != "" {
				at = "weights"
			}
			return nil, &live.ChoiceError{Control: at, Err: err}
		}
		return s, nil
	}
	s := v.base.WithContext(ctx)
	var w []float64
	switch c.weights {
	case "":
	case allEqual:
		w = slices.Repeat([]float64{1}, s.Observations())
	default:
		column := s.Select(c.weights)
		if column.Err() != nil {
			return nil, &live.ChoiceError{Control: "weights", Err: column.Err()}
		}
		w = column.Matrix().RawMatrix().Data
	}
	if c.columns != nil {
		if s = s.Select(c.columns...); s.Err() != nil {
			return nil, &live.ChoiceError{Control: "columns", Err: s.Err()}
		}
	}
	if w != nil {
		if s = s.WithWeights(w); s.Err() != nil {
			return nil, &live.ChoiceError{Control: "weights", Err: s.Err()}
		}
	}
	return s, nil
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
	job := &live.Job{Name: fmt.Sprintf("order %d, rank %d", f.order, rank), Moment: m, Rank: rank, Shown: s}
	if c.columns != nil {
		job.Name += ", " + words.Plural(len(c.columns), "column")
	}
	if !v.stream { // pictures can still be drawn after an interrupt
		job.Shown = s.WithContext(context.Background())
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
	names, d := c.columns, v.load
	if c.weights == allEqual && names == nil && d.Weights != "" {
		names = v.base.Columns() // or the weights were a variable
	}
	if names == nil {
		names = d.Columns
	}
	if names != nil {
		args = append(args, "--columns", listed(names))
	}
	switch {
	case c.weights == "" && d.WeightsFile != "":
		args = append(args, "--weights", files.Name(d.WeightsFile))
	case c.weights == "" && d.Weights != "":
		args = append(args, "--weights-column", d.Weights)
	case c.weights != "" && c.weights != allEqual:
		args = append(args, "--weights-column", c.weights)
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

// listed writes names as --columns takes them; numbers where they have none.
func listed(names []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	parts := make([]string, len(names))
	for i, name := range names {
		if parts[i] = name; numbered.MatchString(name) {
			parts[i] = numbered.FindStringSubmatch(name)[1]
		}
	}
	_ = w.Write(parts) // a strings.Builder never fails
	w.Flush()
	return strings.TrimSpace(b.String())
}
