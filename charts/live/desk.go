package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/words"
	"symmom/symmom"
	"symmom/widgets"
)

// Choice is the user's choice of a fit.
type Choice struct {
	Order, Rank int
	Form        string
	Starts      int // 0: automatic
	Seed        uint64
	Debias      bool
	Sigma       float64 // of the noise that is taken out; 0: estimated
	Whiten      int     // leading coordinates to reduce the data to; 0: none
	Table       TableChoice

	Task  string // "", a fit, or one of the tasks
	Ranks string // of a sweep
}

// Desk has the controls of a fit to the moment of a table.
type Desk struct {
	Base   *symmom.Session // the table as read
	First  Choice          // the initial choice; Rank 0: the rank that the spectrum suggests
	Forms  []string
	Stream bool // Base is on disk, and Reopen takes columns and weights
	Reread bool // Reopen takes them in memory too, as missing values depend on them

	Cumulant             bool // there is no noise to remove
	WeightsApart         bool // Base has weights from a column that is not a variable
	Truth                *mat.Dense
	TruthNote            func(Choice) string // appended to each score, unless ""
	ImageRows, ImageCols int
	Title, Version       string

	Shape   func(s *symmom.Session, how string) *symmom.Session // does what TableChoice.Shape says
	Reopen  func(context.Context, TableChoice) (*symmom.Session, error)
	Moment  func(context.Context, *symmom.Session, Choice, func(symmom.Progress)) (*symmom.Session, *symmom.Moment)
	Command func(Choice) string         // returns the command that repeats the fit or the task, or "" if none does
	Ranks   func(string) ([]int, error) // reads several
	Changed func() string               // a warning if the table has changed since it was read, or ""

	ctx                                    context.Context
	last                                   taken
	order, rank, starts, seed              *widgets.Control
	columns, weights, noise, sigma, choose *widgets.Control
	shape, whiten, ranks                   *widgets.Control
}

const (
	noiseIn    = "left in"
	noiseOut   = "taken out, sigma estimated"
	noiseGiven = "taken out, sigma given"
)

// Ends of the controls.
const (
	mostRank   = 1e9
	mostStarts = 1e9
	mostSeed   = 1e9
	mostNames  = 1000 // offered as weights or to be ticked
)

// Look looks at the table, before there are fields. Fits and pictures of a stream end
// with the context.
func (d *Desk) Look(ctx context.Context) error {
	d.ctx = ctx
	t, err := d.take(ctx, TableChoice{Shape: d.First.Table.Shape})
	if err != nil {
		return err
	}
	if d.First.Rank == 0 {
		d.First.Rank = t.summary.SuggestedRank
	}
	if d.First.Rank == 0 {
		d.First.Rank = min(3, d.Base.N())
	}
	return nil
}

// Warnings returns those of the table as it is fitted, once Look has looked at it.
func (d *Desk) Warnings() []symmom.Warning { return d.last.session.Warnings() }

// Fields makes the controls of the page.
func (d *Desk) Fields() ([]Field, error) {
	f, names := d.First, d.Base.Columns()
	d.order = widgets.Slider("order", 1, symmom.MaxOrder, 1).At(f.Order)
	d.rank = widgets.Slider("rank", 1, mostRank, 1).At(f.Rank)
	d.starts = widgets.Slider("starts", 0, mostStarts, 1).At(f.Starts)
	d.seed = widgets.Slider("seed", 1, mostSeed, 1).At(min(f.Seed, mostSeed))
	d.choose = widgets.Select("form", options(d.Forms)...).At(f.Form)
	d.columns = widgets.Text("columns", func(text string) error { _, err := d.named(text); return err })
	weights, list := []string{AsRead, AllEqual}, []string(nil)
	if len(names) > 1 && len(names) <= mostNames {
		list = names
		for _, name := range names {
			if !slices.Contains(weights, name) {
				weights = append(weights, name)
			}
		}
	}
	d.weights = widgets.Select("weights", options(weights)...)
	d.shape = widgets.Select("center", AsRead, Center, Standardize).At(cmp.Or(f.Table.Shape, AsRead))
	d.whiten = widgets.Slider("whiten", 0, float64(len(names)), 1).At(f.Whiten)
	d.ranks = widgets.Text("ranks", func(text string) error { _, err := d.readRanks(text); return err }).At(fromOne(f.Rank))
	d.noise = widgets.Select("noise", noiseIn, noiseOut, noiseGiven)
	d.sigma = widgets.Text("sigma", func(text string) error { _, err := positive(text); return err })
	if f.Debias {
		if d.noise.At(noiseOut); f.Sigma > 0 {
			d.noise.At(noiseGiven)
			d.sigma.At(strconv.FormatFloat(f.Sigma, 'g', -1, 64))
		}
	}
	kind := "moment"
	if d.Cumulant {
		kind = "cumulant"
	}
	fields := []Field{
		{Control: d.rank, Label: "Rank", Hint: "components to find", Top: float64(max(20, 2*f.Rank))},
		{Control: d.order, Label: "Order of the " + kind, Hint: "3 is the usual choice", Top: 6},
		{Control: d.starts, Label: "Starts", Hint: "0: 10, or more where they are cheap and end at different fits", Top: 50},
		{Control: d.columns, Label: "Columns", Hint: fmt.Sprintf("names, numbers or ranges, such as 1,3-7; empty: all %d", len(names)), List: list},
		{Control: d.weights, Label: "Weights of the observations"},
		{Control: d.shape, Label: "Center or standardize", Hint: "subtract the mean of each column, or scale each to mean 0 and variance 1"},
		{Control: d.whiten, Label: "Whiten", Hint: "reduce to that many leading coordinates, uncorrelated and of variance 1, which factors are then in; 0: none"},
	}
	if !d.Cumulant {
		fields = append(fields, Field{Control: d.noise, Label: "Noise common to all components"},
			Field{Control: d.sigma, Label: "Sigma of the noise", Hint: "in the units of the data", When: []string{"noise", noiseGiven}})
	}
	fields = append(fields, Field{Control: d.choose, Label: "Form", Hint: "how the moment is held; auto: the cheapest"},
		Field{Control: d.seed, Label: "Seed", Hint: "the same choice with the same seed gives the same fit"},
		Field{Control: d.ranks, Label: "Ranks to compare", Hint: "1..5, or 1,2,4; a suggestion considers ranks 1 to " + strconv.Itoa(symmom.DefaultMaxRank), Tasks: true})
	return fields, firstError(fields)
}

func firstError(fields []Field) error {
	for _, f := range fields {
		if f.Err() != nil {
			return f.Err()
		}
	}
	return nil
}

// seedOf returns the seed of a control, which cannot show a first one above mostSeed.
func seedOf(c *widgets.Control, first uint64) uint64 {
	if seed := uint64(c.Value().(int)); seed < mostSeed {
		return seed
	}
	return max(mostSeed, first)
}

func options(all []string) (out []any) {
	for _, s := range all {
		out = append(out, s)
	}
	return out
}

// positive reads a number above 0, or nothing.
func positive(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0) || x > 1e300 {
		return 0, errors.New("want a number above 0")
	}
	return x, nil
}

// chosen returns the values of the controls.
func (d *Desk) chosen() (c Choice, err error) {
	c = Choice{Order: d.order.Value().(int), Rank: d.rank.Value().(int), Form: d.choose.Value().(string), Starts: d.starts.Value().(int),
		Seed: seedOf(d.seed, d.First.Seed), Whiten: d.whiten.Value().(int), Debias: !d.Cumulant && d.noise.Value() != noiseIn}
	if c.Debias && d.noise.Value() == noiseGiven {
		if c.Sigma, err = positive(d.sigma.Value().(string)); err != nil || c.Sigma == 0 {
			return c, &ChoiceError{"sigma", errors.New("want a number above 0, or choose a sigma that is estimated")}
		}
	}
	c.Ranks = d.ranks.Value().(string)
	c.Table, err = d.chosenTable()
	return c, err
}

// Prepare makes the job of the controls.
func (d *Desk) Prepare(ctx context.Context, tell func(symmom.Progress)) (Job, error) {
	c, err := d.chosen()
	if err != nil {
		return nil, err
	}
	t, err := d.take(ctx, c.Table)
	if err != nil {
		return nil, err
	}
	s, m := d.Moment(ctx, t.session, c, tell)
	if s.Err() != nil {
		return nil, s.Err()
	}
	if m.Err() != nil {
		return nil, m.Err()
	}
	job := &FitJob{Name: fmt.Sprintf("order %d, rank %d", c.Order, c.Rank), Moment: m, Rank: c.Rank, Shown: s.WithContext(d.ctx)}
	if job.InMemory = !d.Stream; job.InMemory { // pictures can be drawn after an interrupt, too
		job.Shown = s.WithContext(context.Background())
	}
	if c.Table.places != nil {
		job.Name += ", " + words.Plural(len(c.Table.places), "column")
	}
	if shaped[c.Table.Shape] != "" {
		job.Name += ", " + shaped[c.Table.Shape]
	}
	if c.Whiten > 0 {
		job.Name += fmt.Sprintf(", whitened to %d", c.Whiten)
	}
	job.Choice = strings.Replace(job.Name, fmt.Sprintf(", rank %d", c.Rank), "", 1)
	job.Summary, job.Title, job.Command, job.Version = t.summary, d.Title, d.Command(c), d.Version
	job.Drawn.Observations = job.Shown
	if d.ImageRows*d.ImageCols == s.N() {
		job.Drawn.ImageRows, job.Drawn.ImageCols = d.ImageRows, d.ImageCols
	} else if d.ImageRows > 0 {
		job.Notes = append(job.Notes, fmt.Sprintf("Rows of %[3]s are not pictures of %[1]d x %[2]d pixels.", d.ImageRows, d.ImageCols, words.Plural(s.N(), "column")))
	}
	if job.Ranks, err = d.readRanks(c.Ranks); err != nil {
		return nil, &ChoiceError{"ranks", err}
	}
	job.Commands = map[string]string{}
	for _, task := range []string{Sweep, Rank} {
		c.Task = task
		job.Commands[task] = d.Command(c)
	}
	job.Suggest = func() *symmom.Moment {
		_, m := d.Moment(ctx, t.session, c, tell)
		return m
	}
	if d.Changed != nil {
		if text := d.Changed(); text != "" {
			job.Notes = append(job.Notes, text)
		}
	}
	if d.Truth != nil {
		if n, _ := d.Truth.Dims(); n == s.N() {
			job.Drawn.Truth = d.Truth
			if d.TruthNote != nil {
				job.TruthNote = d.TruthNote(c)
			}
		} else {
			job.Notes = append(job.Notes, fmt.Sprintf("There is no score: the truth is for %s, not %d.", words.Plural(n, "variable"), s.N()))
		}
	}
	return job, nil
}
