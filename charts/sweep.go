package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/numbers"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/charts/internal/traces"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// SweepLine is one line of SweepLines: numbers for each rank. A NaN leaves its rank
// out.
type SweepLine struct {
	Name          string // in the legend; may be "" for a single line
	Ranks         []int  // ascending
	RelativeError []float64
	Score         []float64 // nil if no truth is known
	Seconds       []float64 // nil if not measured
}

// SweepOptions are the options of SweepLines. The zero value is the default.
type SweepOptions struct {
	Title    string // default "Ranks compared"
	Caption  string // default: what the charts show
	TrueRank int    // a dashed line there; 0: none
}

// Sweep draws the paper's three rows (figure gmm3) for one or several sweeps:
// relative error on a logarithmic axis, score, and time of all starts, against the
// rank of the model. The true rank, if Sweep.Score was given one, is a dashed line.
// See SweepLines.
func Sweep(sweeps ...*symmom.Sweep) *Figure {
	const title = "Ranks compared"
	if len(sweeps) == 0 {
		return failed(title, errors.New("charts: sweep: give at least one sweep"))
	}
	var o SweepOptions
	var lines []SweepLine
	var notes []string
	var trueRanks []int
	names := traces.SweepNames(sweeps)
	for i, s := range sweeps {
		if s == nil {
			return failed(title, fmt.Errorf("charts: sweep: sweep %d is nil", i+1))
		}
		if len(s.Fits) == 0 {
			return failed(title, fmt.Errorf("charts: sweep: sweep %d: %w", i+1, cmp.Or(s.Err(), errors.New("it has no results"))))
		}
		l := SweepLine{Name: names[i]}
		if s.Sought > s.Fits[0].Rank {
			notes = append(notes, scoreNote(s))
		}
		for i, r := range s.Fits {
			l.Ranks = append(l.Ranks, r.Rank)
			l.RelativeError = append(l.RelativeError, r.RelativeError)
			l.Score = append(l.Score, numbers.Score(s, i))
			l.Seconds = append(l.Seconds, r.Elapsed.Seconds())
			if !r.NormSquared.Exact() {
				notes = append(notes, "‖X‖² is an estimate, and so are the relative errors.")
			}
		}
		lines = append(lines, l)
		if s.TrueRank != 0 && !slices.Contains(trueRanks, s.TrueRank) {
			trueRanks = append(trueRanks, s.TrueRank)
		}
		if errors.Is(s.Err(), symmom.ErrInterrupted) {
			notes = append(notes, fmt.Sprintf("The sweep was interrupted: rank %d is unfinished.", l.Ranks[len(l.Ranks)-1]))
		}
	}
	switch len(trueRanks) {
	case 0:
	case 1:
		o.TrueRank = trueRanks[0]
	default:
		notes = append(notes, "The sweeps have no true rank in common.")
	}
	f := SweepLines(lines, o)
	for i, note := range notes {
		if slices.Index(notes, note) == i { // of several sweeps
			f.Notes = append(f.Notes, note)
		}
	}
	return f
}

// scoreNote says why scores may fall towards the true rank.
func scoreNote(s *symmom.Sweep) string {
	rank, ones := "true rank", "true ones"
	if s.TrueRank == 0 {
		rank, ones = "number of groups", "groups"
	}
	return fmt.Sprintf("Below the %s a score is that of the components found: %s without a match do not count.", rank, ones)
}

// SweepLines draws what Sweep does from plain numbers. The figure is one to three
// go-echarts Line charts, of the relative error, the score and the seconds, each with the
// lines that have it. A series has the id "line-i"; a point is [rank, value], or
// [rank, log10(value)] if the values span nine decades.
func SweepLines(lines []SweepLine, options ...SweepOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Ranks compared"), Caption: o.Caption}
	if err == nil {
		err = checkSweep(lines)
	}
	if err != nil {
		return failed(f.Title, fmt.Errorf("charts: sweep: %w", err))
	}
	rows := []sweepRow{
		{name: relativeErrorAxis, of: func(l SweepLine) []float64 { return l.RelativeError }, logFrom: 1.5},
		{name: "score", of: func(l SweepLine) []float64 { return l.Score }, logFrom: math.Inf(1)},
		{name: "seconds of all starts", of: func(l SweepLine) []float64 { return l.Seconds }, logFrom: 20},
	}
	what := []string{}
	for _, r := range rows {
		if c, notes := r.chart(lines, o.TrueRank); c != nil {
			f.charts, f.Notes, what = append(f.charts, c), append(f.Notes, notes...), append(what, r.name)
		}
	}
	if len(f.charts) == 0 {
		return failed(f.Title, errors.New("charts: sweep: there is no value to show"))
	}
	if f.Caption == "" {
		f.Caption = "Against the rank of the model."
		if len(what) > 1 {
			f.Caption = "Each against the rank of the model. The relative error is that of the best start."
		}
		if o.TrueRank > 0 {
			f.Caption += " The dashed line is the true rank."
		}
	}
	n := 0
	for _, l := range lines {
		n += len(l.Ranks)
	}
	f.summary = fmt.Sprintf("%s of %s", words.Plural(n, "rank"), words.Plural(len(lines), "sweep"))
	return f
}

// checkSweep returns an error if something is wrong with the lines.
func checkSweep(lines []SweepLine) error {
	if len(lines) == 0 {
		return errors.New("give at least one line")
	}
	for i, l := range lines {
		if len(l.Ranks) == 0 {
			return fmt.Errorf("line %d has no ranks", i+1)
		}
		if !slices.IsSorted(l.Ranks) || l.Ranks[0] < 1 {
			return fmt.Errorf("line %d: ranks %v, want them ascending from 1 or more", i+1, l.Ranks)
		}
		for name, v := range map[string][]float64{"RelativeError": l.RelativeError, "Score": l.Score, "Seconds": l.Seconds} {
			if len(v) != len(l.Ranks) && (v != nil || name == "RelativeError") {
				return fmt.Errorf("line %d: %s has %s, want one for each of %s", i+1, name, words.Plural(len(v), "value"), words.Plural(len(l.Ranks), "rank"))
			}
		}
	}
	return nil
}

// sweepRow is one of the quantities; its axis is logarithmic if the values span
// factor.
type sweepRow struct {
	name    string
	of      func(SweepLine) []float64
	logFrom float64
	axis    string // of the x axis; "": the rank
	mark    string // name of the dashed line; "": true rank
	title   string // above the chart; "": none
}

const relativeErrorAxis = "relative error  f / ‖X‖²"

// chart draws the lines that have a value, and notes what its axis cannot show; nil if there
// is none.
func (r sweepRow) chart(lines []SweepLine, trueRank int) (line *echarts.Line, notes []string) {
	lo, hi, below := math.MaxInt, 0, 0
	var values [][]float64
	var infinite []float64
	var names []string
	var drawn []int
	for i, l := range lines {
		for _, rank := range l.Ranks {
			lo, hi = min(lo, rank), max(hi, rank)
		}
		values = append(values, r.of(l))
		if slices.ContainsFunc(values[i], func(v float64) bool { return linalg.Finite(v) }) {
			drawn, names = append(drawn, i), append(names, l.Name)
		}
		for _, v := range values[i] {
			if math.IsInf(v, 0) {
				infinite = append(infinite, v)
			} else if v <= 0 {
				below++
			}
		}
	}
	if len(drawn) == 0 {
		return nil, nil
	}
	if trueRank > 0 {
		lo, hi = min(lo, trueRank), max(hi, trueRank)
	}
	y := scaling.Of(r.logFrom, values...)
	if !y.Linear() && below > 0 {
		notes = []string{fmt.Sprintf("%s of the %s at or below zero cannot stand on the logarithmic axis and are left out.", words.Plural(below, "value"), r.name)}
	}
	notes = append(notes, leftOut("the "+r.name, infinite)...)
	axis := y.Y(yNamed(r.name, "value", scripts.ShortNumber))
	if r.name == "score" && y.Plain() {
		axis.AxisLabel.Formatter = opts.FuncOpts(scripts.UpToOne)
	}
	room := markRoom(trueRank)
	if r.title != "" { // others of the figure have a mark
		room = markRoom(1)
	}
	line = echarts.NewLine()
	line.SetGlobalOptions(layout{height: panelHeight, title: r.title, legend: names, room: room}.with(
		whole(xNamed(orDefault(r.axis, "rank"), "value", ""), lo, hi), axis, scripts.SweepTooltip(orDefault(r.axis, "rank"), r.name, y.JS))...)
	for _, i := range drawn {
		data := make([]opts.LineData, len(lines[i].Ranks))
		for k, rank := range lines[i].Ranks {
			data[k].Value = []any{rank, y.Value(values[i][k])}
		}
		color := palette[i%len(palette)]
		series := []echarts.SeriesOpts{
			echarts.WithSeriesId(fmt.Sprintf("line-%d", i)),
			echarts.WithLineChartOpts(opts.LineChart{Symbol: symbols[i%len(symbols)], SymbolSize: 8, ShowSymbol: opts.Bool(true)}),
			echarts.WithLineStyleOpts(opts.LineStyle{Color: color, Width: 2}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color}),
		}
		if i == drawn[0] && trueRank > 0 {
			series = append(series, dashed(float64(trueRank), orDefault(r.mark, "true rank"))...)
		}
		line.AddSeries(lines[i].Name, data, series...)
	}
	return line, notes
}

// markRoom returns the room above a chart, with a line more for the name of a
// dashed line, if there is one.
func markRoom(at int) int {
	if at > 0 {
		return 26
	}
	return 10
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
