package paper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"symmom/charts"
	"symmom/internal/store/atomicfile"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Result is an experiment's table or figure, with the paper's numbers.
type Result struct {
	Experiment
	Quick       bool
	Seed        uint64
	Method      string
	Machine     string
	Dates       []time.Time // of the first and the last cell
	Loads       []float64   // the lowest and the highest load average
	Finished    int         // cells
	Cells       int
	Conventions []string // what the paper leaves open
	Tables      []Table
	Claims      []Claim
	Notes       []string
	Figures     []*charts.Figure

	data any // for JSON
}

// Table is a table of text; all columns after the first Words columns are numbers.
type Table struct {
	Caption  string
	Words    int
	Header   []string
	Rows     [][]string
	PageOnly bool // too long for a terminal
}

// Claim is a statement of the paper, with the measured value.
type Claim struct {
	Method    string  `json:"method,omitempty"`
	Says      string  `json:"claim"`
	Where     string  `json:"where"` // in the paper
	Published string  `json:"published"`
	Measured  string  `json:"measured"`
	Value     number  `json:"value"`           // what was measured, as a number
	Ratio     *number `json:"ratio,omitempty"` // measured over published, if both are numbers
	Agrees    bool    `json:"agrees"`
}

// shown is a Result under construction.
type shown struct {
	*Result
	settings Settings
	store    *store
	warned   map[symmom.WarningCode]*warned
}

// warned is the first warning of its kind, which represents all of them in the notes.
type warned struct {
	at, fits int
	text     string
}

// result builds the result from the finished cells.
func (e experiment) result(s Settings, st *store) *Result {
	r := &Result{Experiment: Experiment{e.name, e.item, e.title}, Quick: s.Quick, Seed: s.Seed, Method: s.Method, Machine: machine(),
		Claims: []Claim{}, Conventions: []string{}, Notes: []string{}}
	if e.jobs != nil {
		for _, j := range e.jobs(s) {
			r.Cells++
			if c, ok := st.cells[j.key]; ok {
				r.Finished++
				r.Dates = span(r.Dates, c.Date, compareTimes)
				r.Loads = span(r.Loads, c.Load, compareLoads)
			}
		}
	}
	e.show(&shown{Result: r, settings: s, store: st, warned: map[symmom.WarningCode]*warned{}})
	return r
}

// span widens a pair of minimum and maximum.
func span[T any](pair []T, x T, compare func(a, b T) int) []T {
	if pair == nil {
		return []T{x, x}
	}
	if compare(x, pair[0]) < 0 {
		pair[0] = x
	}
	if compare(x, pair[1]) > 0 {
		pair[1] = x
	}
	return pair
}

func compareTimes(a, b time.Time) int { return a.Compare(b) }
func compareLoads(a, b float64) int   { return cmp.Compare(a, b) }

func (s *shown) convention(format string, args ...any) {
	s.Conventions = append(s.Conventions, fmt.Sprintf(format, args...))
}

func (s *shown) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// warnings adds the warnings of a fit: of each kind the first one, and how many fits have
// one.
func (s *shown) warnings(warnings []symmom.Warning) {
	for _, w := range warnings {
		first := s.warned[w.Code]
		if first == nil {
			s.warned[w.Code] = &warned{len(s.Notes), 1, w.Text}
			s.note("%s", w.Text)
			continue
		}
		first.fits++
		s.Notes[first.at] = fmt.Sprintf("%s (%s have a warning of this kind)", first.text, words.Plural(first.fits, "fit"))
	}
}

// claim adds a statement of the paper.
func (s *shown) claim(method, where, says, published, measured string, value float64, agrees bool) {
	s.Claims = append(s.Claims, Claim{Method: method, Says: says, Where: where, Published: published, Measured: measured, Value: number(value), Agrees: agrees})
}

// compare adds a published number; the two agree if their ratio is within a factor.
func (s *shown) compare(method, where, says string, published, measured, factor float64) {
	ratio := number(measured / published)
	s.Claims = append(s.Claims, Claim{Method: method, Says: says, Where: where, Published: digits(published), Measured: digits(measured),
		Value: number(measured), Ratio: &ratio, Agrees: float64(ratio) <= factor && float64(ratio) >= 1/factor})
}

// about returns lines that say where the numbers come from.
func (r *Result) about() []string {
	out := []string{"machine: " + r.Machine}
	if len(r.Dates) > 0 {
		day := "2006-01-02"
		when := r.Dates[0].Format(day)
		if last := r.Dates[1].Format(day); last != when {
			when += " to " + last
		}
		out = append(out, fmt.Sprintf("computed %s, load average %.2f to %.2f (the run itself makes 1 to 2)", when, r.Loads[0], r.Loads[1]))
	}
	out = append(out, fmt.Sprintf("seed %d, method %s", r.Seed, r.Method))
	return out
}

// unfit returns the reasons why the numbers should not be compared.
func (r *Result) unfit() (out []string) {
	if r.Quick {
		out = append(out, "QUICK: small problems that show that it works. The published values are those of the full size.")
	}
	if r.Finished < r.Cells {
		out = append(out, fmt.Sprintf("UNFINISHED: %d of %d cells; the rest is missing.", r.Finished, r.Cells))
	}
	return out
}

// claimTable returns the claims as a table.
func (r *Result) claimTable() Table {
	t := Table{Caption: "What the paper says", Words: 2,
		Header: []string{"what", "method", "paper", "here", "ratio", "agrees"}}
	if r.Quick {
		t.Caption = "What the paper says of problems of the full size"
	}
	for _, c := range r.Claims {
		method, ratio, agrees := c.Method, "", "no"
		if method == "" {
			method = "-"
		}
		if c.Ratio != nil {
			ratio = digits(float64(*c.Ratio))
		}
		if c.Agrees {
			agrees = "yes"
		}
		t.Rows = append(t.Rows, []string{c.Says, method, c.Published, c.Measured, ratio, agrees})
	}
	return t
}

// tables returns the tables that have rows, the claims last; long ones only for a
// page.
func (r *Result) tables(page bool) []Table {
	var out []Table
	for _, t := range r.Tables {
		if len(t.Rows) > 0 && (page || !t.PageOnly) {
			out = append(out, t)
		}
	}
	if len(r.Claims) > 0 {
		out = append(out, r.claimTable())
	}
	return out
}

// writer fills a table.
func (t Table) writer() table.Writer {
	w := plaintable.New()
	configs := make([]table.ColumnConfig, len(t.Header))
	row := func(cells []string) table.Row {
		out := make(table.Row, len(cells))
		for i, c := range cells {
			out[i] = c
		}
		return out
	}
	for i := range configs {
		align := text.AlignRight
		if i < t.Words {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, WidthMax: 64, WidthMaxEnforcer: text.WrapSoft}
	}
	w.SetColumnConfigs(configs)
	w.AppendHeader(row(t.Header))
	for _, r := range t.Rows {
		w.AppendRow(row(r))
	}
	return w
}

// String returns the result for a terminal.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", r.Title, r.Item)
	for _, w := range r.unfit() {
		fmt.Fprintf(&b, "%s\n", w)
	}
	for _, t := range r.tables(false) {
		fmt.Fprintf(&b, "\n  %s\n", t.Caption)
		b.WriteString(t.writer().Render() + "\n")
	}
	b.WriteString("\n")
	for _, l := range slices.Concat(r.Conventions, r.Notes, r.about()) {
		b.WriteString(wrap(l, "  - ", "    ", 80))
	}
	return b.String()
}

// Markdown returns the result's tables, conventions and notes for a file.
func (r *Result) Markdown() string {
	var b strings.Builder
	for _, w := range r.unfit() {
		fmt.Fprintf(&b, "**%s**\n\n", w)
	}
	for _, t := range r.tables(false) {
		fmt.Fprintf(&b, "%s:\n\n%s\n\n", t.Caption, t.writer().RenderMarkdown())
	}
	for _, l := range slices.Concat(r.Conventions, r.Notes) {
		b.WriteString(wrap(l, "- ", "  ", 80))
	}
	return b.String()
}

// Report returns the result as a page.
func (r *Result) Report() *charts.Report {
	p := charts.NewReport(r.Title)
	p.Subtitle = r.Item + " of Sherman and Kolda (2020)"
	p.Footer = strings.Join(r.about(), "; ")
	for _, w := range r.unfit() {
		p.Text(w)
	}
	p.Add(r.Figures...)
	for _, t := range r.tables(true) {
		p.Table(t.Caption, t.Header, t.Rows)
	}
	for _, l := range slices.Concat(r.Conventions, r.Notes) {
		p.Text(l)
	}
	return p
}

// JSON returns the result with all its cells as one object.
func (r *Result) JSON() ([]byte, error) {
	return json.MarshalIndent(struct {
		Schema      string      `json:"schema"` // docs/reference/output.schema.json
		Experiment  string      `json:"experiment"`
		Item        string      `json:"item"`
		Title       string      `json:"title"`
		Quick       bool        `json:"quick"`
		Method      string      `json:"method"`
		Seed        uint64      `json:"seed"`
		Machine     string      `json:"machine"`
		Dates       []time.Time `json:"dates,omitempty"`
		Loads       []float64   `json:"load_average,omitempty"`
		Finished    int         `json:"finished"`
		Cells       int         `json:"cells"`
		Claims      []Claim     `json:"claims"`
		Conventions []string    `json:"conventions"`
		Notes       []string    `json:"notes"`
		Data        any         `json:"data"`
	}{"paper/1", r.Name, r.Item, r.Title, r.Quick, r.Method, r.Seed, r.Machine, r.Dates, r.Loads, r.Finished, r.Cells,
		r.Claims, r.Conventions, r.Notes, r.data}, "", " ")
}

// SaveJSON writes JSON to a file atomically.
func (r *Result) SaveJSON(path string) error {
	b, err := r.JSON()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := atomicfile.Write(path, append(b, '\n')); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
