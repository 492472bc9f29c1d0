package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Places of the observations during the fit.
const (
	inMemory  = "memory"
	inFloat32 = "Float32"
	streamNPY = "stream of NPY"
	streamCSV = "stream of CSV"
)

var storages = []string{inMemory, inFloat32, streamNPY, streamCSV}

// question is the problem of a seed: a table in a file, and a fit of its moment.
type question struct {
	seed        uint64
	kind        kind
	storage     string
	p, n, d, r  int
	unit        float64 // of the data
	offset      float64 // length of what is added to all observations, in root mean square lengths
	standardize bool
	weighted    bool

	x *mat.Dense // the numbers of the file
	w []float64  // weights of the observations, or nil
}

// ask draws the question of a seed. Kinds and storages take turns.
func ask(seed uint64) *question {
	rng := rand.New(rand.NewPCG(seed, 4))
	q := &question{seed: seed, kind: kinds[seed%uint64(len(kinds))], storage: storages[seed/uint64(len(kinds))%uint64(len(storages))], unit: 1}
	q.p, q.n = q.kind.dims(rng)
	q.d, q.r = 3+rng.IntN(3), 1+rng.IntN(8)
	q.x = q.kind.draw(rng, q.p, q.n)
	if rng.IntN(6) == 0 {
		q.offset = logUniform(rng, .3, 100)
		by := direction(rng, q.n, q.offset*mat.Norm(q.x, 2)/math.Sqrt(float64(q.p)))
		for l := range q.p {
			for i, v := range by {
				q.x.RawRowView(l)[i] += v
			}
		}
	}
	if rng.IntN(8) == 0 {
		q.unit = []float64{1e40, 1e-40}[rng.IntN(2)]
		q.x.Scale(q.unit, q.x)
	}
	often := 6
	if q.stream() {
		often = 20 // so were the questions of earlier pages drawn
	}
	q.standardize = rng.IntN(often) == 0
	if q.weighted = rng.IntN(6) == 0; q.weighted {
		q.w = make([]float64, q.p)
		for l := range q.w {
			q.w[l] = .1 + rng.ExpFloat64()
		}
	}
	return q
}

func (q *question) stream() bool { return q.storage == streamNPY || q.storage == streamCSV }

// String describes the problem.
func (q *question) String() string {
	s := fmt.Sprintf("%s, %s, %d x %d, d = %d, r = %d", q.kind.name, q.storage, q.p, q.n, q.d, q.r)
	if q.unit != 1 {
		s += fmt.Sprintf(", times %g", q.unit)
	}
	if q.offset > 0 {
		s += fmt.Sprintf(", offset %.3g", q.offset)
	}
	if q.standardize {
		s += ", standardized"
	}
	if q.weighted {
		s += ", weighted"
	}
	return s
}

// write writes the file, and returns its path. A stream has its weights in the last
// column.
func (q *question) write(dir string) (string, error) {
	x := q.x
	if q.stream() && q.weighted {
		x = mat.NewDense(q.p, q.n+1, nil)
		x.Slice(0, q.p, 0, q.n).(*mat.Dense).Copy(q.x)
		x.SetCol(q.n, q.w)
	}
	if q.storage != streamCSV {
		path := filepath.Join(dir, "data.npy")
		return path, symmom.SaveMatrix(path, x)
	}
	path := filepath.Join(dir, "data.csv")
	return path, writeCSV(path, x, q.weighted)
}

// writeCSV writes the shortest texts that are read back as the same numbers.
func writeCSV(path string, x *mat.Dense, weighted bool) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewWriterSize(f, 1<<20)
	p, n := x.Dims()
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("v%d", j+1)
	}
	if weighted {
		names[n-1] = "weight"
	}
	b.WriteString(strings.Join(names, ",") + "\n")
	var text []byte
	for l := range p {
		text = text[:0]
		for j, v := range x.RawRowView(l) {
			if j > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
		b.Write(append(text, '\n'))
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// open opens the file as the question says.
func (q *question) open(path string) *symmom.Session {
	var s *symmom.Session
	switch {
	case q.storage == inFloat32:
		s = symmom.Load(path, symmom.LoadOptions{Float32: true})
	case !q.stream():
		s = symmom.Load(path)
	case q.weighted && q.storage == streamCSV:
		s = symmom.Stream(path, symmom.LoadOptions{Weights: "weight"})
	case q.weighted:
		s = symmom.Stream(path, symmom.LoadOptions{Weights: strconv.Itoa(q.n + 1)})
	default:
		s = symmom.Stream(path)
	}
	if q.weighted && !q.stream() {
		s = s.WithWeights(q.w)
	}
	if q.standardize {
		s = s.Standardize()
	}
	return s
}

// plain is a session of the judge's own numbers in memory.
func (q *question) plain(x *mat.Dense) *symmom.Session {
	s := symmom.FromMatrix(x)
	if q.weighted {
		s = s.WithWeights(q.w)
	}
	return s
}

// values returns the numbers that the session should have, apart from standardization.
func (q *question) values() *mat.Dense {
	if q.storage != inFloat32 {
		return q.x
	}
	x := mat.DenseCopyOf(q.x)
	x.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, x)
	return x
}

// standardized returns values with the weighted mean 0 and variance 1 of each column.
// Constant columns become 0.
func standardized(x *mat.Dense, w []float64) *mat.Dense {
	p, n := x.Dims()
	out := mat.NewDense(p, n, nil)
	for j := range n {
		col := mat.Col(nil, j, x)
		low, high, top := col[0], col[0], 0.
		for _, v := range col {
			low, high, top = min(low, v), max(high, v), max(top, math.Abs(v))
		}
		if low == high {
			continue
		}
		_, e := math.Frexp(top)
		var mean, square, total sum
		for l, v := range col {
			col[l] = math.Ldexp(v, -e)
			mean.add(weight(w, l) * col[l])
			total.add(weight(w, l))
		}
		center := mean.value() / total.value()
		for l := range col {
			col[l] -= center
			square.add(weight(w, l) * col[l] * col[l])
		}
		deviation := math.Sqrt(square.value() / total.value())
		for l := range col {
			out.Set(l, j, col[l]/deviation)
		}
	}
	return out
}

func weight(w []float64, l int) float64 {
	if w == nil {
		return 1
	}
	return w[l]
}
