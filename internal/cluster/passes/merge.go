package passes

import (
	"fmt"
	"math"
	"strings"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/gmm"
	"symmom/internal/estimate/topics"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// tree says how the answers of splits are added up: those of Fan splits in a row first,
// then these sums. It depends on the splits alone, so that sums have the same bits
// whether they are made here or, where the answers are many, on the cluster.
type tree struct {
	Kind        string
	Fan, Splits int
}

// The two levels of sums. Only tests change them.
var (
	LeastFan     = 32    // splits whose answers are added up first, at least
	MostTogether = 256e6 // bytes of the answers of all splits above which workers do so
)

func (m *Message) tree() tree {
	splits := len(m.Splits)
	return tree{m.Pass.Kind, max(LeastFan, int(math.Ceil(math.Sqrt(float64(splits))))), splits}
}

// size returns how many splits are in the group that begins with first.
func (t tree) size(first int) int { return min(t.Fan, t.Splits-first) }

// first returns the first split of the group of one.
func (t tree) first(split int) int { return split / t.Fan * t.Fan }

// merges reports whether the cluster should add up the answers of each group: they are
// large, or of a size that is not known yet.
func (m *Message) merges() bool {
	t := m.tree()
	switch m.Pass.Kind {
	case Look, Sample, Rows:
		return false
	case Survey:
		return t.Splits > t.Fan
	}
	return 8*m.numbers()*4/3*float64(t.Splits) > MostTogether
}

// numbers returns how many numbers an answer has, except for a few.
func (m *Message) numbers() (sum float64) {
	n := float64(m.N)
	switch p := m.Pass; p.Kind {
	case moment.Products, moment.DistinctProducts:
		for _, a := range p.Data[1:] {
			sum += float64(len(a))
		}
	case moment.Moments:
		k := m.N
		if q := p.Data[0]; len(q) > 0 {
			k = len(q) / m.N
		}
		for _, d := range p.Orders {
			sum += moment.PackedBytes(d, k) / 8
		}
	case gmm.Sums:
		sum = float64(gmm.SumsSize(m.N, p.Orders[0], gmm.Shape(p.Orders[2])))
	case topics.Sums:
		sum = float64(topics.Size(p, m.N))
	default:
		sum = 4 * n
	}
	return sum
}

// group adds up answers of splits in a row.
type group struct {
	tree
	first  int
	parts  []answer // what they say besides numbers
	sum    []float64
	values *values // the sum of surveys
	n      int
}

// add adds the answer of the next split.
func (g *group) add(a answer, data [][]float64) error {
	a.Tree = nil
	g.parts = append(g.parts, a)
	switch {
	case a.Empty:
		return nil
	case len(data) != 1 || g.Kind == Survey && (a.Found == nil || a.Found.N < 1 || a.Found.Rows < 1):
		return errDamaged
	case g.Kind == Survey:
		if g.values == nil {
			g.n, g.values = a.Found.N, newValues(a.Found.N)
		}
		if a.Found.N != g.n {
			return nil // which is refused when the splits are compared
		}
		return g.values.join(data[0])
	case g.sum == nil:
		g.sum = data[0]
	case len(g.sum) != len(data[0]):
		return errDamaged
	default:
		g.join(g.sum, data[0])
	}
	return nil
}

// join adds the sums of what comes next.
func (t tree) join(sum, next []float64) {
	if t.Kind == tables.Each {
		tables.JoinEach(sum, next)
		return
	}
	linalg.Axpy(1, next, sum)
}

func (g *group) complete() bool { return len(g.parts) == g.size(g.first) }

// numbers returns the sum, nil if all splits are empty.
func (g *group) numbers() []float64 {
	if g.values != nil {
		return g.values.numbers()
	}
	return g.sum
}

// merger adds up the answers of groups on the cluster: lines of the number of a split, a
// tab and an answer, ascending.
type merger struct {
	now    *group
	failed bool // a split has an error, which was handed on
}

// line takes a line, and returns one to answer, or "".
func (g *merger) line(text string) string {
	_, line, _ := strings.Cut(text, "\t")
	var a answer
	data, err := unpack(line, &a)
	if err == nil && a.Tree == nil && a.Error != "" {
		return line // it could not read the message
	}
	if err == nil && (a.Tree == nil || a.Tree.Fan < 1 || a.Split < 0 || a.Split >= a.Tree.Splits) {
		err = errDamaged
	}
	if err != nil {
		return refusal(0, fmt.Errorf("an answer that is to be added up %w", err))
	}
	if first := a.Tree.first(a.Split); g.now == nil || g.now.first != first {
		if refused := g.end(); refused != "" {
			return refused
		}
		g.now, g.failed = &group{tree: *a.Tree, first: first}, false
	}
	if a.Error != "" && !a.Empty {
		g.failed = true
		return line
	}
	next := g.now.first + len(g.now.parts)
	if a.Split < next || g.failed {
		return "" // again
	}
	if a.Split == next {
		err = g.now.add(a, data)
	}
	if err != nil || a.Split > next {
		g.failed = true
		return refusal(a.Split, fmt.Errorf("an answer that is to be added up is missing or damaged: split %d of %d", next, a.Tree.Splits))
	}
	if !g.now.complete() {
		return ""
	}
	out := answer{Split: g.now.first, Parts: g.now.parts, Kernel: linalg.Kernel()}
	numbers := g.now.numbers()
	g.now = nil
	if line, err = pack(out, [][]float64{numbers}); err != nil {
		return refusal(out.Split, err)
	}
	return line
}

// end returns the answer after the last line: an error, unless it completed a group.
func (g *merger) end() string {
	now := g.now
	g.now = nil
	if now == nil || g.failed {
		return ""
	}
	return refusal(now.first, fmt.Errorf("there are answers for only %d of the splits %d to %d, which are to be added up", len(now.parts), now.first, now.first+now.size(now.first)-1))
}

// refusal is a line with an error.
func refusal(split int, err error) string {
	line, _ := pack(answer{Split: split, Error: err.Error()}, nil)
	return line
}
