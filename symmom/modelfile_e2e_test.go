//go:build e2e

package symmom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// seen is what another program reads of a model: numbers in hexadecimal, matrices by
// rows, and the tensor that it builds.
type seen struct {
	Lambda []string
	Modes  [][]string
	Full   []string
}

// TestOtherProgramsReadModels has pyttb, TensorLy, SciPy, scikit-learn and Octave read
// what Save writes, and LoadModel what they write.
func TestOtherProgramsReadModels(t *testing.T) {
	dir := t.TempDir()
	models := exchanged(t)
	var names []string
	for name, m := range models {
		names = append(names, name)
		for _, ext := range []string{".mat", ".ktns", ".npz", ".json"} {
			if err := m.Save(filepath.Join(dir, name+ext)); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(names)
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has pyttb and TensorLy")
	}
	var read map[string]struct {
		PyTTB                seen `json:"pyttb"`
		TensorLy, SciPy      seen
		Names, MATLABNames   []string
		Center, MATLABCenter []string
	}
	if err := json.Unmarshal(output(t, python, "testdata/models.py", "../docs/howto/exchange.md", dir), &read); err != nil {
		t.Fatal(err)
	}
	octave := strings.Split(string(output(t, "octave-cli", append([]string{"--norc", "testdata/models.m", dir}, names...)...)), "\n")
	for _, name := range names {
		m, r := models[name], read[name]
		checkSeen(t, name+", pyttb", m, r.PyTTB)
		checkSeen(t, name+", TensorLy", m, r.TensorLy)
		checkSeen(t, name+", SciPy", m, r.SciPy)
		if !slices.Equal(r.Names, m.Names) || !slices.Equal(r.MATLABNames, m.Names) {
			t.Errorf("%s: names %q and %q, want %q", name, r.Names, r.MATLABNames, m.Names)
		}
		for _, center := range [][]string{r.Center, r.MATLABCenter} {
			if !slices.Equal(center, hexes(m.Center)) {
				t.Errorf("%s: center %q", name, center)
			}
		}
		modes, err := strconv.Atoi(octave[5])
		if err != nil || octave[0] != name || octave[1] != strings.Join(m.Names, "|") || !slices.Equal(ofBits(t, octave[4]), hexes(m.Center)) {
			t.Fatalf("Octave says %q, %v", octave[:6], err)
		}
		o := seen{Lambda: ofBits(t, octave[2]), Full: ofBits(t, octave[3])}
		for _, line := range octave[6 : 6+modes] {
			o.Modes = append(o.Modes, ofBits(t, line))
		}
		checkSeen(t, name+", Octave", m, o)
		octave = octave[6+modes:]
		for _, file := range []string{".mat", ".ktns", ".npz", "-pyttb.ktns", "-scipy.mat", "-numpy.npz", "-own.npz", "-octave.mat"} {
			back, err := LoadModel(filepath.Join(dir, name+file))
			if err != nil {
				t.Errorf("%s%s: %v", name, file, err)
				continue
			}
			if back.Order != m.Order || !slices.Equal(hexes(back.Lambda), hexes(m.Lambda)) || !slices.Equal(hexes(byRows(back)), hexes(byRows(m))) {
				t.Errorf("%s%s: came back as %v", name, file, back)
			}
		}
	}
}

// exchanged are a fit, and random models of the orders that pyttb makes tensors of.
func exchanged(t *testing.T) map[string]*Model {
	s := Read(strings.NewReader("größe,y,z\n1,2,3\n4,5,7\n7,8,8\n1,0,2\n"), "csv").Center()
	fit := mustFit(t, s.Moment(3).With(Options{Starts: 2}).Decompose(2))
	if fit.Model.Center == nil || fit.Model.Names == nil {
		t.Fatal("a fit without a center and names")
	}
	models := map[string]*Model{"fit": fit.Model}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 8))
		d, n, r := 2+int(seed)%4, 1+rng.IntN(5), 1+rng.IntN(4)
		lambda, a := make([]float64, r), mat.NewDense(n, r, nil)
		for j := range lambda {
			lambda[j] = rng.NormFloat64()
			for i := range n {
				a.Set(i, j, rng.NormFloat64())
			}
		}
		a.Set(0, 0, []float64{math.Copysign(0, -1), 5e-324, 1. / 3, -1e-300}[seed%4])
		m, err := NewModel(d, lambda, a)
		if err != nil {
			t.Fatal(err)
		}
		models[fmt.Sprintf("random%02d", seed)] = m
	}
	return models
}

func byRows(m *Model) []float64 { return m.Factors.RawMatrix().Data }

// checkSeen compares lambda and modes bit for bit, the tensor to 1e-14 of its largest
// terms: d+1 roundings in each product, and as many in sums as there are terms.
func checkSeen(t *testing.T, what string, m *Model, s seen) {
	t.Helper()
	if !slices.Equal(s.Lambda, hexes(m.Lambda)) || len(s.Modes) != m.Order {
		t.Errorf("%s: lambda %v in %d modes, want %v", what, s.Lambda, len(s.Modes), hexes(m.Lambda))
	}
	for _, mode := range s.Modes {
		if !slices.Equal(mode, hexes(byRows(m))) {
			t.Errorf("%s: factors %v, want %v", what, mode, hexes(byRows(m)))
		}
	}
	want, size := fullTensor(m)
	if len(s.Full) != len(want) {
		t.Fatalf("%s: a tensor of %d entries, want %d", what, len(s.Full), len(want))
	}
	for i, w := range want {
		if got := parsed(t, s.Full[i]); !(math.Abs(got-w) <= 1e-14*size) {
			t.Errorf("%s: entry %d is %g, want %g", what, i, got, w)
		}
	}
}

// fullTensor is the sum of lambda_j a_j^(x d), and the size of its largest term. It is
// symmetric: the order of the indices does not matter.
func fullTensor(m *Model) (x []float64, size float64) {
	n := m.N()
	count := 1
	for range m.Order {
		count *= n
	}
	x = make([]float64, count)
	for k := range x {
		for j, l := range m.Lambda {
			for i, mode := k, 0; mode < m.Order; i, mode = i/n, mode+1 {
				l *= m.Factors.At(i%n, j)
			}
			x[k] += l
			size = max(size, math.Abs(l))
		}
	}
	return x, size
}

func hexes(v []float64) []string {
	var s []string
	for _, x := range v {
		s = append(s, hexOf(x))
	}
	return s
}

func hexOf(x float64) string { return strconv.FormatUint(math.Float64bits(x), 16) }

// ofBits reads the numbers of Octave, which writes their bits.
func ofBits(t *testing.T, line string) []string {
	t.Helper()
	var s []string
	for _, word := range strings.Fields(line) {
		bits, err := strconv.ParseUint(word, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, strconv.FormatUint(bits, 16))
	}
	return s
}

func parsed(t *testing.T, hex string) float64 {
	t.Helper()
	bits, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return math.Float64frombits(bits)
}

// output runs a program.
func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	return out
}
