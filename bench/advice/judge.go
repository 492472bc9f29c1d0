package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// wanted is how many tables a piece of advice is followed on, and tried how many seeds are
// tried to find them.
const (
	wanted = 3
	tried  = 40
)

// result is the result of a run: its warnings, a figure, and the error that ended it.
type result struct {
	warnings []symmom.Warning
	figure   float64
	err      error
}

// table is a run that warns or fails, and one that does what it advises.
type table struct {
	name          string
	before, after func() result
}

// advice is a way out that a warning or an error names.
type advice struct {
	code   string // of the warning; "" for an error
	help   string // the option, method or argument that it names; "" for what is done to the data
	phrase string // in its text
	what   string // how it is followed
	figure string // what is compared
	sign   int    // 1 if a higher figure is better, -1 if a lower one is, 0 if neither
	most   float64
	again  float64 // a figure that differs by no more than this share was found again, which settles a doubt
	at     func(seed uint64) table
}

// row is a line of the page.
type row struct {
	advice
	table         string
	before, after result
	gone, better  bool
	ok            bool
}

func (a *advice) given(r result) bool {
	if a.code == "" {
		return r.err != nil && strings.Contains(r.err.Error(), a.phrase) && slices.Contains(symmom.Help(r.err), a.help)
	}
	return r.err == nil && slices.ContainsFunc(r.warnings, func(w symmom.Warning) bool {
		return string(w.Code) == a.code && strings.Contains(w.Text, a.phrase) && (a.help == "" || slices.Contains(w.Help, a.help))
	})
}

// follow does what a table's run advises, unless it does not advise it.
func (a *advice) follow(t table) (row, bool) {
	before := t.before()
	if !a.given(before) {
		return row{}, false
	}
	r := row{advice: *a, table: t.name, before: before, after: t.after()}
	r.gone = r.after.err == nil && !a.given(r.after)
	gain := float64(a.sign) * (r.after.figure - before.figure)
	r.better = gain > 0 && r.after.err == nil
	found := a.again > 0 && math.Abs(gain) <= a.again*math.Abs(before.figure)
	r.ok = r.after.err == nil && (r.gone || r.better || found) && !(a.sign != 0 && -gain > a.most && !found)
	return r, true
}

// judge follows all advice, each on as many tables as are wanted.
func judge(ctx context.Context, all []advice, only string, progress io.Writer) (rows []row, err error) {
	for i := range all {
		a := &all[i]
		if only != "" && !strings.Contains(a.code+" "+a.help+" "+a.phrase, only) {
			continue
		}
		some := 0
		for seed := uint64(1); seed <= tried && some < wanted; seed++ {
			if ctx.Err() != nil {
				return rows, ctx.Err()
			}
			if r, given := a.follow(a.at(seed)); given {
				rows, some = append(rows, r), some+1
				fmt.Fprintf(progress, "%s %s %q: %s\n", a.code, a.help, a.phrase, r.outcome())
			}
		}
		if some < wanted {
			fmt.Fprintf(progress, "%s %s %q: given on %s of %d, want %d\n", a.code, a.help, a.phrase, words.Plural(some, "table"), tried, wanted)
			rows = append(rows, row{advice: *a, table: "too few give it"})
		}
	}
	return rows, nil
}

// outcome is the result of following advice.
func (r *row) outcome() string {
	doubt := "the doubt stays"
	if r.gone {
		doubt = "gone"
	}
	if r.code == "" && r.gone {
		doubt = "runs"
	}
	switch {
	case r.after.err != nil:
		doubt = "fails: " + r.after.err.Error()
	case r.before.figure == r.after.figure || r.sign == 0:
	case r.better:
		doubt += ", better"
	case r.ok && !r.gone:
		doubt = "found again"
	default:
		doubt += ", less good"
	}
	if !r.ok {
		doubt = "**" + doubt + "**"
	}
	return doubt
}

// write writes the page.
func write(w io.Writer, rows []row, sites []site, seconds string) error {
	wrong := 0
	for _, r := range rows {
		if !r.ok {
			wrong++
		}
	}
	fmt.Fprintf(w, `# Advice, followed

`+"`go run ./bench/advice`"+`: %s on which a warning or an error advises something, and the same with the
advice followed, in %s. Wrong: %d, in bold.

Each way out that a warning names (there are %d in the source, of %d warnings) is followed on %d tables that
give it. It is right if the doubt is gone or the figure is better, and the figure is not worse by
more than "at most" allows; "found again" settles the doubt of a fit that few starts found.

| code | named | advice | figure | at most | table | before | after | outcome |
|---|---|---|---|---|---|---|---|---|
`, words.Plural(len(rows), "run"), seconds, wrong, pairs(sites), len(sites), wanted)
	for _, r := range rows {
		code, most := r.code, "-"
		if code == "" {
			code = "(error)"
		}
		if r.sign != 0 {
			most = fmt.Sprintf("%g", r.most)
		}
		before := fmt.Sprintf("%.4g", r.before.figure)
		if r.code == "" {
			before = "refused"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %.4g | %s |\n", code, r.help, r.what, r.advice.figure, most, r.table, before, r.after.figure, r.outcome())
	}
	return nil
}

// asWarned returns warnings as package symmom has them.
func asWarned(of ...diag.Warning) (out []symmom.Warning) {
	for _, w := range of {
		out = append(out, symmom.Warning{Code: symmom.WarningCode(w.Code), Text: w.Text, Help: w.Help})
	}
	return out
}
