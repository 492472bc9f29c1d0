package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Goals of sparse observations.
const (
	sparseFaster = 2   // an evaluation beside SciPy's same products
	sparseMemory = 1.3 // of the bytes of SciPy's three arrays, once read
)

// sparse measures evaluations on sparse observations: 1e7 values in 100,000 x 20,000,
// in equally frequent variables, which no cache can hold, and in such as words are.
func (b *bench) sparse() (*section, error) {
	sec := &section{title: "One evaluation on sparse observations, beside scipy.sparse", header: evaluationHeader}
	for _, kind := range []struct {
		name string
		skew int
	}{{"equal", 1}, {"as words", 3}} {
		progress("  variables %s", kind.name)
		if err := b.sparseKind(sec, kind.name, kind.skew); err != nil {
			return nil, err
		}
	}
	return sec, b.peer.ask(request{"do": "drop"}, nil)
}

func (b *bench) sparseKind(sec *section, name string, skew int) error {
	n, p, stored := 20_000, 100_000, 10_000_000
	if b.quick {
		n, p, stored = n/10, p/10, stored/10
	}
	path := filepath.Join(b.dir, fmt.Sprintf("sparse-%d-%d-%d.npz", n, p, skew))
	if err := b.make(set{path: path}, request{"do": "sparse", "path": path, "n": n, "p": p, "stored": stored, "skew": skew, "seed": 1}); err != nil {
		return err
	}
	var theirs struct{ Stored, Bytes float64 }
	if err := b.peer.ask(request{"do": "load_sparse", "path": path}, &theirs); err != nil {
		return err
	}
	before := heap()
	x, err := load.Load(b.ctx, path, load.Options{Sparse: true})
	if err != nil {
		return err
	}
	if x.Sparse == nil || float64(x.Sparse.Stored()) != theirs.Stored {
		return fmt.Errorf("%s: %.0f values there, here %v", path, theirs.Stored, x)
	}
	sec.judge(atMost("sparse observations, variables "+name+": bytes in memory / those of SciPy's arrays", (heap()-before)/theirs.Bytes, sparseMemory, "%.2f"))
	sec.note("variables %s: SciPy's arrays are %s for %.0f values. NumPy ms is its fastest variant: CSR times a block of vectors, and back by the same arrays (csr) or by those of the transposed matrix, stored too (both).", name, bytes(theirs.Bytes), theirs.Stored)
	for _, q := range []problem{{3, n, p, 10, sparseFaster, 0, 0, 0}, {4, n, p, 5, 0, 0, 0, 0}} {
		if err := b.sparseRow(sec, q, name, &block.SparseRows{P: x.P, N: x.N, Values: x.Sparse}); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) sparseRow(s *section, q problem, name string, x *block.SparseRows) error {
	stored := float64(x.Values.Stored())
	return b.contest(s, q, contest{form: "sparse, " + name, tensor: &moment.Implicit{Data: x, D: q.d},
		flops: 4 * stored * float64(q.r), bytes: 12 * stored, read: x.Values.V,
		variants: []request{{"how": "csr"}, {"how": "both"}}, names: []string{"csr", "both"},
		tolerance: agreement, target: q.implicit, reference: -1})
}

// heap returns the bytes in use.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC() // twice: what pools hold is free only then
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
