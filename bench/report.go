package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// section is a part of the report: a table and its notes.
type section struct {
	title  string
	notes  []string
	header []string
	rows   [][]string
	goals  []goal
}

// goal is a target of the design, and the measured value.
type goal struct {
	what   string
	target string
	got    string
	met    bool
}

func (g goal) verdict() string {
	if g.met {
		return "pass"
	}
	return "**FAIL**"
}

// atLeast and atMost return goals for one number.
func atLeast(what string, got, target float64, format string) goal {
	return goal{what, ">= " + fmt.Sprintf(format, target), fmt.Sprintf(format, got), got >= target}
}

func atMost(what string, got, target float64, format string) goal {
	return goal{what, "<= " + fmt.Sprintf(format, target), fmt.Sprintf(format, got), got <= target}
}

func (s *section) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

func (s *section) row(cells ...string) { s.rows = append(s.rows, cells) }

// judge adds a goal and returns it.
func (s *section) judge(g goal) goal {
	s.goals = append(s.goals, g)
	return g
}

// report holds all results of a run.
type report struct {
	title    string
	about    []string // machine, date, versions
	lead     *section // before all others, if there is one
	void     string   // why the comparison is void; "" if it is valid
	sections []*section
}

// write writes the report as Markdown that is also readable in a terminal.
func (r *report) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", r.title)
	for _, a := range r.about {
		fmt.Fprintf(&b, "- %s\n", a)
	}
	if r.void != "" {
		fmt.Fprintf(&b, "\n**THE COMPARISON IS VOID: %s**\n", r.void)
	}
	if r.lead != nil {
		r.lead.write(&b)
	}
	summary := section{title: "Targets", header: []string{"what", "target", "measured", ""}}
	for _, s := range r.sections {
		for _, g := range s.goals {
			verdict := g.verdict()
			if r.void != "" {
				verdict = "void"
			}
			summary.row(g.what, g.target, g.got, verdict)
		}
	}
	if len(summary.rows) > 0 {
		summary.write(&b)
	}
	for _, s := range r.sections {
		s.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes the section: title, table, notes.
func (s *section) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", s.title)
	if len(s.rows) > 0 {
		table(b, s.header, s.rows)
	}
	if len(s.rows) > 0 && len(s.notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range s.notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
}

// table writes a Markdown table with aligned columns, numbers to the right.
func table(b *strings.Builder, header []string, rows [][]string) {
	width := make([]int, len(header))
	right := make([]bool, len(header))
	for j, h := range header {
		width[j], right[j] = max(3, utf8.RuneCountInString(h)), true
		for _, r := range rows {
			width[j] = max(width[j], utf8.RuneCountInString(r[j]))
			right[j] = right[j] && (r[j] == "" || r[j] == "-" || strings.ContainsAny(r[j][:1], "0123456789.-<>="))
		}
	}
	line := func(cells []string) {
		for j, c := range cells {
			c = strings.ReplaceAll(c, "|", "/") // it would end the cell
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(c))
			if right[j] {
				c = pad + c
			} else {
				c += pad
			}
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	line(header)
	for j, w := range width {
		if right[j] {
			b.WriteString("|" + strings.Repeat("-", w+1) + ":")
		} else {
			b.WriteString("|" + strings.Repeat("-", w+2))
		}
	}
	b.WriteString("|\n")
	for _, r := range rows {
		line(r)
	}
}

// duration formats seconds with three digits in a suitable unit.
func duration(seconds float64) string {
	switch {
	case seconds != seconds:
		return "-"
	case seconds < 1:
		return digits(seconds*1e3) + " ms"
	}
	return digits(seconds) + " s"
}

// milliseconds formats seconds as milliseconds, with their spread.
func milliseconds(s sample) string {
	return fmt.Sprintf("%s ±%.0f%%", digits(s.median()*1e3), 100*s.spread())
}

// digits formats v with three significant digits and no exponent.
func digits(v float64) string {
	decimals := 3
	switch {
	case v >= 100:
		decimals = 0
	case v >= 10:
		decimals = 1
	case v >= 1:
		decimals = 2
	case v < .1:
		decimals = 4
	}
	return fmt.Sprintf("%.*f", decimals, v)
}

// String formats a ratio with its range over single turns.
func (r ratio) String() string { return fmt.Sprintf("%.2f (%.2f-%.2f)", r.value, r.low, r.high) }

func percent(v float64) string { return fmt.Sprintf("%.0f%%", 100*v) }

// bytes formats a size.
func bytes(v float64) string {
	for _, u := range []string{"bytes", "kB", "MB"} {
		if v < 1000 {
			return fmt.Sprintf("%.3g %s", v, u)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.3g GB", v)
}
