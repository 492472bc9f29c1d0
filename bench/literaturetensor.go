package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// literatureTensors are the sizes of the tensors, variables and rank.
var literatureTensors = []struct {
	n, r  int
	quick bool
}{{8, 12, true}, {20, 60, false}, {20, 120, false}, {30, 100, false}, {40, 200, false}}

// tensorFit is a decomposition, and what it leaves of the tensor, relative.
type tensorFit struct{ Left, Processor float64 }

// litTensors decomposes tensors of order 4 of known rank.
func (b *bench) litTensors() (*section, error) {
	s := &section{title: "Tensors of order 4 and known rank", header: []string{"n/r", "method", "relative error", "processor s"}}
	s.note("Kileel & Pereira, Subspace power method for symmetric tensor decomposition, 2019 (arXiv 1912.04007), Table 1: columns uniform on the sphere, weights |N(0, 1)| (theirs have both signs, which no moment has), 40/200 is its second row; error: the norm of what is left of the tensor, relative")
	s.note("SPM: order 4, written here in NumPy, after the paper and its program; symmom: Decompose of the explicit form, the rank given, start after start until one leaves nothing, ten at most, or %d s of the processor; observations are the components, but the explicit form sees the tensor alone", literatureLimit)
	const spm = "SPM"
	for _, t := range literatureTensors {
		if b.quick && !t.quick {
			continue
		}
		path, fits := filepath.Join(b.dir, "tensor.npy"), map[string]tensorFit{}
		if err := b.peer.ask(request{"do": "tensor", "n": t.n, "r": t.r, "seed": 1, "path": path}, nil); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%d/%d", t.n, t.r)
		for _, method := range []string{methodSymmom, spm} {
			f, err := kept(b, "literature tensor "+name+" "+method, func() (f tensorFit, err error) {
				if method == spm {
					return f, b.peer.ask(request{"do": "spm", "r": t.r, "seed": 1}, &f)
				}
				return b.ourTensor(path, t.r)
			})
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", name, method, err)
			}
			fits[method] = f
			progress("%s, %s: %g, %s", name, method, f.Left, duration(f.Processor))
			s.row(name, method, shortError(f.Left), digits(f.Processor))
		}
		b.win(fmt.Sprintf("%s: %d/%d", s.title, t.n, t.r), []string{methodSymmom, spm}, noErrorOfTensor, func(m string) (float64, float64) { return fits[m].Left, fits[m].Processor })
	}
	return s, nil
}

// litAbsent says what is missing.
func (b *bench) litAbsent() (*section, error) {
	s := &section{title: "What could not be had"}
	if b.lead != nil {
		least, fastest := 0, 0
		for _, row := range b.lead.rows {
			if slices.Contains(strings.Split(row[1], "; "), methodSymmom) {
				least++
			}
			if row[3] == methodSymmom {
				fastest++
			}
		}
		b.lead.note("symmom is among the least errors in %d of %d experiments, and the fastest of these in %d", least, len(b.lead.rows), fastest)
	}
	s.note("Pereira, Kileel & Kolda 2022: the text of their experiments was not at hand, so that none is repeated; their objective is above. The debiased moments of a known or common covariance are `Moment.Debias`, and what `Session.Mixture` begins with")
	s.note("Zhang et al. 2025: neither the paper's settings nor its program (liu-lzhang/dgmm) were at hand; the settings above are those of Zhang & Singer's robust_dgmm (liu-lzhang/sgr-gmm, 2026), which has the same model and draws")
	s.note("Guo, Nie & Yang 2021 and 2024 (arXiv 2401.01337): their tables were not at hand, nor all of the text, so that no printed figure is quoted; the algorithm of 2021 is above, as its linear equations between entries give it, that of 2024 for higher orders is not")
	s.note("GMMParameterEstimation.jl (Colgate Kottler, Lindberg & Rodriguez 2025, arXiv 2502.07648): needs Julia and HomotopyContinuation.jl, which were not at hand, and so its figures")
	s.note("Kileel & Pereira 2019: the printed figures of Table 1 were not at hand, only the program that makes it (joaompereira/SPM); its rows of 400 and 600 components and of orders 3, 5 and 6 are left out for time, as symmom took minutes for 200")
	s.note("MEITD's tables of other distributions (Zhang & Kileel 2022) were not at hand, only its demo")
	return s, nil
}

// ourTensor decomposes the fourth moment of r weighted observations, which the file has with
// their weights in the last column.
func (b *bench) ourTensor(path string, r int) (f tensorFit, err error) {
	rows := symmom.Load(path)
	if err := rows.Err(); err != nil {
		return f, err
	}
	x := rows.Matrix().Dense
	_, n := x.Dims()
	w := mat.Col(nil, n-1, x)
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	s := symmom.FromMatrix(mat.DenseCopyOf(x.Slice(0, r, 0, n-1))).WithWeights(w).WithContext(ctx)
	f.Left = 1
	for seed := uint64(1); seed <= 10 && f.Left > noErrorOfTensor && ctx.Err() == nil; seed++ {
		began, before := processorSeconds(), f.Processor
		fit := s.Moment(4).Explicit().With(symmom.Options{Threads: 1, Starts: 1, Seed: seed, Progress: func(symmom.Progress) {
			if before+processorSeconds()-began > literatureLimit {
				stop()
			}
		}}).Decompose(r)
		f.Processor += processorSeconds() - began
		if err := fit.Err(); errors.Is(err, symmom.ErrInterrupted) && fit.Model.Rank() == 0 {
			break
		} else if err != nil && !errors.Is(err, symmom.ErrInterrupted) {
			return f, err
		}
		var found tensorFit
		if err := b.peer.ask(request{"do": "off", "a": fit.Model.Factors.RawMatrix().Data, "w": fit.Model.Lambda}, &found); err != nil {
			return f, err
		}
		f.Left = min(f.Left, found.Left)
	}
	return f, b.ctx.Err()
}
