package live

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"symmom/charts/internal/numbers"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Tasks besides a fit, called as the commands are that do the same.
const (
	Sweep = "sweep" // fits of several ranks
	Rank  = "rank"  // a suggestion
)

// comparer is a job of which several ranks can be compared.
type comparer interface {
	choice() string // its name without the rank
	compare(task string, know func(norm float64)) (*compared, error)
}

// compared is what the page shows of several ranks, one a row.
type compared struct {
	Version int         `json:"version"`
	Title   string      `json:"title"`
	Notes   []string    `json:"notes"`
	Rows    []rankTried `json:"rows"`
	Command string      `json:"command"` // makes it again, or ""
}

type rankTried struct {
	Rank      int    `json:"rank"`
	Relative  string `json:"relative"`
	AtBest    string `json:"atBest"`
	Time      string `json:"time"`
	Suggested bool   `json:"suggested"`
}

// compare tries several ranks, and returns nil if it comes to none.
func (j *FitJob) compare(task string, know func(norm float64)) (*compared, error) {
	var c *compared
	var sweep *symmom.Sweep
	var err error
	suggested := 0
	if task == Rank {
		s := j.Suggest().SuggestRank(0)
		c = &compared{Title: "A suggested rank: " + j.Choice, Command: j.Commands[Rank]}
		if s.Conclusion != "" {
			c.Notes = append(c.Notes, s.Conclusion+".")
		}
		for _, e := range s.Evidence {
			c.Notes = append(c.Notes, fmt.Sprintf("%s, %s: %s", e.Kind, e.Sure, e.Text))
		}
		for _, w := range s.Warnings {
			c.Notes = append(c.Notes, w.Text)
		}
		sweep, suggested, err = s.Sweep, s.Rank, s.Err()
	} else {
		j.learn(know)
		sweep = j.Moment.SweepRanks(j.Ranks...)
		c, err = &compared{Title: "A sweep of ranks: " + j.Choice, Command: j.Commands[Sweep]}, sweep.Err()
		for _, w := range sweep.Warnings {
			c.Notes = append(c.Notes, w.Text)
		}
	}
	for _, f := range sweep.Fits {
		relative := fmt.Sprintf("%.6g", f.RelativeError)
		if !f.NormSquared.Exact() {
			relative = "about " + relative
		}
		c.Rows = append(c.Rows, rankTried{f.Rank, relative, numbers.AtBest(f), words.Duration(f.Elapsed), f.Rank == suggested})
	}
	if len(c.Rows) == 0 {
		return nil, err
	}
	return c, err
}

// try compares ranks. The page shows what was compared until another comparison.
func (l *lab) try(ctx context.Context, job comparer, task string) {
	c, err := job.compare(task, l.know)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended = 0; l.over(err) {
		return // the next one comes
	}
	interrupted := errors.Is(err, symmom.ErrInterrupted) || ctx.Err() != nil
	if c == nil {
		l.fail(err, interrupted)
		return
	}
	l.results++
	c.Version = l.results
	if l.now.Message = "Done: the table of ranks is below."; interrupted {
		l.now.Message = "Interrupted: the ranks that were fitted are below."
		c.Title += ", interrupted"
	}
	l.ranks = c
}

func (j *FitJob) choice() string { return j.Choice }

// readRanks reads ranks as --ranks does.
func (d *Desk) readRanks(text string) ([]int, error) {
	all, err := d.Ranks(text)
	if err != nil {
		return nil, errors.New("want " + err.Error())
	}
	return all, nil
}

// fromOne are the ranks up to one and some more.
func fromOne(rank int) string { return "1.." + strconv.Itoa(max(5, rank+2)) }
