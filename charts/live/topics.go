package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"symmom/charts"
	"symmom/internal/text/words"
	"symmom/symmom"
	"symmom/widgets"
)

// Topics are found from the choices of a TopicsDesk.
var Topics = Kind{Name: "set of topics", Verb: "Find", Doing: "Finding", Models: []string{".json"}, Says: func(p symmom.Progress) string {
	switch p.Phase {
	case symmom.PhaseMoments:
		return "the topics of the moments"
	case symmom.PhaseEM:
		return fmt.Sprintf("polish, iteration %d, log-likelihood of a word %.4f", p.Iterations, p.Objective)
	}
	return p.String()
}}

// TopicsChoice is the user's choice of topics.
type TopicsChoice struct {
	Topics  int // 0: as many as stand out
	Words   int // to show of each
	Options symmom.TopicsOptions
}

// TopicsDesk has the controls of topics of documents.
type TopicsDesk struct {
	Base           *symmom.Session // counts of words; pictures of a stream end with its context
	First          TopicsChoice    // the initial choice
	Stream         bool            // Base is on disk
	Title, Version string
	Command        func(TopicsChoice) string // returns the command that repeats it
	Changed        func() string             // as of a Desk

	topics, words, starts, seed *widgets.Control
	concentration, moments      *widgets.Control
	last                        *foundTopics // of which only the words shown may differ
}

// Size describes the counts.
func (d *TopicsDesk) Size() string {
	return fmt.Sprintf("%s of %s", words.Plural(d.Base.Observations(), "document"), words.Plural(d.Base.N(), "word"))
}

// Fields makes the controls of the page.
func (d *TopicsDesk) Fields() ([]Field, error) {
	f, o := d.First, d.First.Options
	d.topics = widgets.Slider("topics", 0, float64(d.Base.N()), 1).At(f.Topics)
	d.words = widgets.Slider("words", 1, float64(max(2, d.Base.N())), 1).At(min(f.Words, d.Base.N()))
	d.concentration = widgets.Text("concentration", func(text string) error {
		if text == "0" { // estimated, as of symmom.TopicsOptions
			return nil
		}
		_, err := positive(text)
		return err
	})
	if o.Concentration > 0 {
		d.concentration.At(strconv.FormatFloat(o.Concentration, 'g', -1, 64))
	}
	d.moments = widgets.Check("momentsonly", o.MomentsOnly)
	d.starts = widgets.Slider("starts", 0, mostStarts, 1).At(o.Starts)
	d.seed = widgets.Slider("seed", 1, mostSeed, 1).At(min(o.Seed, mostSeed))
	fields := []Field{
		{Control: d.topics, Label: "Topics", Hint: "0: as many as stand out from the noise of the pairs of words", Top: float64(min(d.Base.N(), max(30, 2*f.Topics)))},
		{Control: d.words, Label: "Words shown of a topic", Hint: "topics that were found stay as they are", Top: float64(min(d.Base.N(), max(30, f.Words)))},
		{Control: d.concentration, Label: "Concentration", Hint: "near 0 a document has one topic, with more it mixes more of them; empty: estimated"},
		{Control: d.moments, Label: "Moments only", Hint: "without the polish: faster, and less accurate"},
		{Control: d.starts, Label: "Starts", Hint: "random rotations to begin from; 0: 5", Top: 50},
		{Control: d.seed, Label: "Seed", Hint: "the same choice with the same seed gives the same topics"},
	}
	return fields, firstError(fields)
}

// Prepare makes the job of the controls.
func (d *TopicsDesk) Prepare(ctx context.Context, tell func(symmom.Progress)) (Job, error) {
	c := d.First
	c.Topics, c.Words = d.topics.Value().(int), d.words.Value().(int)
	o := &c.Options
	o.Concentration, _ = positive(d.concentration.Value().(string)) // which the control has checked
	o.MomentsOnly, o.Starts, o.Seed = d.moments.Value().(bool), d.starts.Value().(int), seedOf(d.seed, d.First.Options.Seed)
	o.Progress = tell
	j := &topicsJob{desk: d, choice: c, counts: d.Base.WithContext(ctx), name: "as many topics as stand out"}
	if c.Topics > 0 {
		j.name = words.Plural(c.Topics, "topic")
	}
	if o.Concentration > 0 {
		j.name += fmt.Sprintf(", concentration %g", o.Concentration)
	}
	if o.MomentsOnly {
		j.name += ", moments only"
	}
	j.key = fmt.Sprintf("%d %g %t %d %d", c.Topics, o.Concentration, o.MomentsOnly, o.Starts, o.Seed)
	if d.Changed != nil {
		j.changed = d.Changed()
	}
	return j, nil
}

// topicsJob are topics that were chosen.
type topicsJob struct {
	desk          *TopicsDesk
	choice        TopicsChoice
	counts        *symmom.Session // with the context of the run
	name, changed string
	key           string // of what is found, whatever is shown of it
}

func (j *topicsJob) String() string { return j.name }
func (j *topicsJob) Again() string  { return j.desk.Command(j.choice) }

// Find finds topics, unless they are those of before.
func (j *topicsJob) Find(func(norm float64)) Found {
	if last := j.desk.last; last != nil && last.job.key == j.key {
		f := *last
		f.job = j
		return &f
	}
	j.desk.last = nil
	f := &foundTopics{Topics: j.counts.Topics(j.choice.Topics, j.choice.Options), job: j}
	if f.None() {
		return f
	}
	s := j.counts
	if !j.desk.Stream { // of a stopped run, too
		s = s.WithContext(context.Background())
	}
	f.coherence, f.incoherent = f.Coherence(s)
	if f.Err() == nil {
		j.desk.last = f
	}
	return f
}

// foundTopics is what a topicsJob came to.
type foundTopics struct {
	*symmom.Topics
	job        *topicsJob
	coherence  []float64
	incoherent error // why there is none
}

func (f *foundTopics) None() bool     { return f.Components == 0 }
func (f *foundTopics) Source() string { return f.job.desk.Base.Source() }

// Facts describes the topics in a line.
func (f *foundTopics) Facts() string {
	text := fmt.Sprintf("%s, %s", words.Plural(f.Iterations, "iteration"), words.Duration(f.Elapsed))
	if f.job.choice.Options.Concentration == 0 {
		text = fmt.Sprintf("concentration %s, %s", words.Brief(f.Concentration), text)
	}
	if f.job.choice.Topics == 0 {
		text = words.Count(f.Components) + " of them, " + text
	}
	return text
}

// Notes has the warnings.
func (f *foundTopics) Notes() []string {
	all := texts(f.Warnings)
	if f.job.changed != "" {
		all = append(all, f.job.changed)
	}
	return all
}

// Report draws the topics, and says how to make them again.
func (f *foundTopics) Report() *charts.Report {
	d := f.job.desk
	p := charts.NewReport(cmp.Or(d.Title, f.Source()))
	p.Subtitle = f.Source() + ": " + d.Size()
	p.AddTopics(f.Topics, charts.TopicsOptions{Words: f.job.choice.Words, Coherence: f.coherence})
	switch {
	case errors.Is(f.incoherent, symmom.ErrInterrupted):
		p.Text("The interrupt left no time for the coherence.")
	case f.incoherent != nil:
		p.Text("There is no coherence: " + f.incoherent.Error() + ".")
	}
	if f.job.changed != "" {
		p.Text(f.job.changed)
	}
	return p.Heading("How to make it again").Verbatim(f.job.Again())
}
