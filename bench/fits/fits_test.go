package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/store/atomicfile"
	"symmom/symmom"
)

// A fit that each test falsifies in its own way, and what the checks need of it.
type honest struct {
	q       *question
	t       *table
	session *symmom.Session
	fit     *symmom.Fit
	pairs   float64
}

func honestFit(t *testing.T) *honest {
	t.Helper()
	q := &question{kind: kinds[0], storage: inMemory, unit: 1, p: 300, n: 6, d: 3, r: 2}
	q.x = mat.NewDense(q.p, q.n, nil)
	for l := range q.p {
		v := q.x.RawRowView(l)
		for i := range v {
			v[i] = .2 * math.Sin(float64(7*l*l+3*i+l*i))
		}
		v[l%3] += 1 + float64(l%3)
	}
	h := &honest{q: q, t: newTable(q.x, nil, q.d), session: q.plain(q.x)}
	h.fit = h.session.Moment(q.d).Decompose(q.r)
	if h.fit.Err() != nil {
		t.Fatal(h.fit.Err())
	}
	h.pairs = h.t.norm()
	return h
}

// judged checks that the fit passes a check as it is and no longer once it is falsified.
func (h *honest) judged(t *testing.T, what string, falsify func(f *symmom.Fit), check func(j judged) string) {
	t.Helper()
	if fault := check(judge(h.t, "honest", h.fit)); fault != "" {
		t.Errorf("%s: an honest fit fails: %s", what, fault)
	}
	f := *h.fit
	m := *f.Model
	m.Lambda, m.Factors = append([]float64(nil), m.Lambda...), &symmom.NamedMatrix{Dense: mat.DenseCopyOf(m.Factors)}
	f.Model, f.Warnings = &m, append([]symmom.Warning(nil), f.Warnings...)
	falsify(&f)
	if fault := check(judge(h.t, "falsified", &f)); fault == "" {
		t.Errorf("%s: a falsified fit passes", what)
	}
}

// Every check fails a fit that is wrong in what it looks at.
func TestChecksCanFail(t *testing.T) {
	h := honestFit(t)
	lengths := h.t.lengths()
	h.judged(t, "f", func(f *symmom.Fit) { f.ObjectiveShifted *= 1 + 1e-7 }, h.t.objectiveRight)
	h.judged(t, "f of another model", func(f *symmom.Fit) { f.Model.Lambda[1] *= -1 }, h.t.objectiveRight)
	h.judged(t, "f that vanishes", func(f *symmom.Fit) { f.ObjectiveShifted = 0 }, h.t.objectiveRight)
	h.judged(t, "f that is infinite", func(f *symmom.Fit) { f.ObjectiveShifted = math.Inf(-1) }, h.t.objectiveRight)
	norm := func(j judged) string { return h.t.normRight(j.name, j.fit.NormSquared, h.pairs, lengths) }
	h.judged(t, "norm", func(f *symmom.Fit) { f.NormSquared.Value *= 1 + 1e-7 }, norm)
	h.judged(t, "norm that is not a number", func(f *symmom.Fit) { f.NormSquared.Value = math.NaN() }, norm)
	h.judged(t, "estimated norm", func(f *symmom.Fit) {
		f.NormSquared = symmom.Norm{Value: h.fit.NormSquared.Value * 1.07, StdErr: h.fit.NormSquared.Value * .01, Pairs: 100}
	}, norm)
	relative := func(j judged) string { return h.t.relativeRight(j, h.pairs) }
	h.judged(t, "relative error", func(f *symmom.Fit) { f.RelativeError += 1e-6 }, relative)
	h.judged(t, "relative error 0", func(f *symmom.Fit) { f.RelativeError = 0 }, relative)
	h.judged(t, "bits", func(f *symmom.Fit) { f.Model.Factors.Dense.Set(0, 0, math.Nextafter(f.Model.Factors.At(0, 0), 2)) }, func(j judged) string { return same(h.fit, j.fit) })
	h.judged(t, "bits of a start", func(f *symmom.Fit) {
		f.Starts = append([]symmom.Start(nil), f.Starts...)
		f.Starts[len(f.Starts)-1].Evaluations++
	}, func(j judged) string { return same(h.fit, j.fit) })
	h.judged(t, "bits of warnings", func(f *symmom.Fit) { f.Warnings = append(f.Warnings, symmom.Warning{Code: symmom.WarnFewStarts}) }, func(j judged) string { return same(h.fit, j.fit) })
	// The session's own evaluation of the honest model, beside another.
	e := h.session.Moment(h.q.d).Evaluate(h.fit.Model)
	evaluate := func(j judged) string { return h.t.evaluationRight(j, e) }
	h.judged(t, "evaluation", func(f *symmom.Fit) { f.Model.Lambda[0] *= 1.01 }, evaluate)
	h.judged(t, "evaluated norm", func(f *symmom.Fit) { f.NormSquared.Value *= 1.01 }, evaluate)
	h.judged(t, "evaluated relative error", func(f *symmom.Fit) { f.RelativeError *= 1.01 }, evaluate)
	h.judged(t, "finite", func(f *symmom.Fit) { f.GradientNorm = math.Inf(1) }, func(j judged) string { return finite(j.name, j.fit) })
	finitely := func(j judged) string { return finite(j.name, j.fit) }
	h.judged(t, "cosine", func(f *symmom.Fit) { f.Cosine = math.NaN() }, finitely)
	exact := *h.fit
	if exact.RelativeError, exact.Cosine = 0, math.NaN(); finite("exact", &exact) != "" {
		t.Errorf("an exact fit without a cosine: %s", finite("exact", &exact))
	}
	h.judged(t, "finite lambda", func(f *symmom.Fit) { f.Model.Lambda[0] = math.NaN() }, func(j judged) string { return finite(j.name, j.fit) })
}

// A fit that says it converged, and did not, is found by its restart.
func TestRestartCanFail(t *testing.T) {
	h := honestFit(t)
	for _, shift := range []float64{0, .01} {
		f := *h.fit
		m := *f.Model
		m.Factors = &symmom.NamedMatrix{Dense: mat.DenseCopyOf(m.Factors)}
		m.Factors.Dense.Set(1, 0, m.Factors.At(1, 0)+shift)
		f.Model = &m
		v := &verdict{q: h.q, faults: map[string]string{}}
		j := judge(h.t, "fit", &f)
		v.restart(h.t, h.session, j, h.pairs)
		if failed := v.faults[checkRestart] != ""; failed != (shift > 0) {
			t.Errorf("moved by %g: %q", shift, v.faults[checkRestart])
		}
	}
}

// A better fit is a fault only without a warning.
func TestBest(t *testing.T) {
	fit := func(f float64, codes ...symmom.WarningCode) judged {
		j := judged{name: "x", f: f, fit: &symmom.Fit{}}
		for _, c := range codes {
			j.fit.Warnings = append(j.fit.Warnings, symmom.Warning{Code: c})
		}
		return j
	}
	for _, c := range []struct {
		auto, other   judged
		warned, fault bool
	}{
		{fit(-1), fit(-1), false, false},
		{fit(-1), fit(-.9), false, false},
		{fit(-1), fit(-1.0005), false, false},
		{fit(-1), fit(-1.002), false, true},
		{fit(-1, symmom.WarnScales), fit(-1.002), false, true},
		{fit(-1, symmom.WarnFewStarts), fit(-1.002), true, false},
	} {
		warned, fault := best(c.auto, []judged{fit(-.5), c.other})
		if (warned > 0) != c.warned || (fault != "") != c.fault {
			t.Errorf("%g and %g, warnings %s: warned of %g, %q", c.auto.f, c.other.f, codes(c.auto.fit), warned, fault)
		}
	}
}

// The judge's sums are those of dense tensors.
func TestTable(t *testing.T) {
	for _, unit := range []float64{1, 1e40, 1e-40} {
		x := mat.NewDense(5, 2, []float64{1, 2, -3, .5, 0, 0, 2, 2, .1, -4})
		x.Scale(unit, x)
		w := []float64{1, 2, 3, 1, 1}
		const d = 3
		tab := newTable(x, w, d)
		model, err := symmom.NewModel(d, []float64{1.5 * math.Pow(unit, d), -.5 * math.Pow(unit, d)}, mat.NewDense(2, 2, []float64{1, .6, .5, -.8}))
		if err != nil {
			t.Fatal(err)
		}
		var norm, f float64 // sums over the entries of X and of M, in the unit
		for i := range 8 {
			at := []int{i & 1, i >> 1 & 1, i >> 2}
			entry, approx := 0., 0.
			for l := range 5 {
				v := w[l] / 8
				for _, k := range at {
					v *= x.At(l, k) / unit
				}
				entry += v
			}
			for j := range 2 {
				v := model.Lambda[j] / math.Pow(unit, d)
				for _, k := range at {
					v *= model.Factors.At(k, j)
				}
				approx += v
			}
			norm += entry * entry
			f += approx*approx - 2*approx*entry
		}
		own, gross := tab.objective(model)
		scale := math.Pow(math.Ldexp(1/unit, tab.e), 2*d) // from the table's units to the unit
		for what, c := range map[string][2]float64{"f": {own * scale, f}, "norm": {tab.norm() * scale, norm}, "norm by products": {tab.normFast() * scale, norm}} {
			if math.Abs(c[0]-c[1]) > 1e-12*(1+gross*scale) {
				t.Errorf("unit %g, %s: %.15g, by the tensor %.15g", unit, what, c[0], c[1])
			}
		}
		if l := tab.lengths(); !(l >= tab.norm()) {
			t.Errorf("lengths %g, norm %g", l, tab.norm())
		}
	}
}

// An error that the question does not ask for is a fault.
func TestRefusals(t *testing.T) {
	h := honestFit(t)
	for text, sane := range map[string]bool{
		"data.npy: every value is zero, so every moment is zero; there is nothing to decompose": false,
		"the moment of order 3 is zero to within rounding: there is nothing to fit":             false,
		"decompose: no start reached a finite objective":                                        false,
	} {
		v := &verdict{q: h.q, faults: map[string]string{}}
		v.refuse(errorString(text), h.q.x)
		if (v.faults[checkSane] == "") != sane {
			t.Errorf("%s: %q", text, v.faults[checkSane])
		}
	}
	q := *h.q
	q.storage, q.standardize = streamCSV, true
	v := &verdict{q: &q, faults: map[string]string{}}
	v.refuse(errorString("/tmp/x/data.csv: Standardize needs the observations in memory, 300 of them"), q.x)
	if v.faults[checkSane] == "" || v.refused != "FILE: Standardize needs the observations in memory, N of them" {
		t.Errorf("a stream that is not standardized: %v, %q", v.faults, v.refused)
	}
}

type errorString string

func (e errorString) Error() string { return string(e) }

// A session that does not hold the numbers of its file is found.
func TestHeld(t *testing.T) {
	h := honestFit(t)
	v := &verdict{q: h.q}
	if fault := v.held(h.session.Matrix().Dense, h.q.x); fault != "" {
		t.Error(fault)
	}
	x := mat.DenseCopyOf(h.q.x)
	x.Set(3, 4, math.Nextafter(x.At(3, 4), 9))
	if v.held(h.session.Matrix().Dense, x) == "" {
		t.Error("another number passes")
	}
}

// A few seeds, of each storage, pass; so does the page of them. The whole is
// bench/FITS.md.
func TestSeeds(t *testing.T) {
	p := &page{}
	for _, seed := range []uint64{18, 19, 20, 28, 30, 93} {
		v, err := examine(context.Background(), seed)
		if err != nil {
			t.Fatal(err)
		}
		for c, fault := range v.faults {
			t.Errorf("seed %d, %s: %s: %s", seed, v.q, c, fault)
		}
		p.add(v.record(time.Second))
	}
	var b bytes.Buffer
	if err := p.write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "| all |") || strings.Count(text, "None.") != 2 {
		t.Errorf("the page:\n%s", text)
	}
	p.records[0].Faults = map[string]string{checkF: "a fault"}
	b.Reset()
	if err := p.write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "**f**: a fault") || !strings.Contains(text, "**1**") {
		t.Errorf("the page of a fault:\n%s", text)
	}
	// The stored records make the same page.
	path, again := filepath.Join(t.TempDir(), "kept"), &page{}
	if err := atomicfile.WriteFunc(path, p.keep); err != nil {
		t.Fatal(err)
	}
	var c bytes.Buffer
	if err := errors.Join(again.read(path), again.write(&c)); err != nil || c.String() != b.String() {
		t.Errorf("%v, kept:\n%s", err, c.String())
	}
}

// The same seed is the same table in every run, and each storage holds it.
func TestQuestionsRepeat(t *testing.T) {
	for seed := range uint64(40) {
		a := ask(seed)
		if p, n := a.x.Dims(); p < leastRows || n < leastColumns || p > mostRows || n > mostColumns || p*n > mostNumbers {
			t.Errorf("seed %d: %s", seed, a)
		}
		if a.p*a.n > 50_000 {
			continue
		}
		if b := ask(seed); a.String() != b.String() || !mat.Equal(a.x, b.x) {
			t.Errorf("seed %d: %s, then %s", seed, a, b)
		}
		path, err := a.write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == "data.csv" { // as text, numbers are exact, too
			s := symmom.Load(path, symmom.LoadOptions{Weights: map[bool]string{true: "weight"}[a.weighted]})
			if s.Err() != nil || !mat.Equal(s.Matrix(), a.x) {
				t.Errorf("seed %d: %v, or other numbers", seed, s.Err())
			}
		}
	}
}
