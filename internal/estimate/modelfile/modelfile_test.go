package modelfile

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

func example() *Model {
	return &Model{Order: 3, N: 3, Lambda: []float64{1, -2.5}, Factors: []float64{1, math.Copysign(0, -1), 5e-324, 1. / 3, 4, math.MaxFloat64},
		Names: []string{"größe", "b", ""}, Center: []float64{1, 2, 3}, Scale: []float64{4, .1, 6},
		Moment: []byte(`{"cumulant":true}`), Origin: []byte(`{"source":"x"}`)}
}

func written(t *testing.T, ext string, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := named(ext).write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var readable = []string{".mat", ".npz", ".ktns"}

// A table of components is all that a spreadsheet needs, and is refused as a model.
func TestCSV(t *testing.T) {
	m := example()
	m.Names[2] = `c, "d"`
	data := written(t, ".csv", m)
	if want := "order,lambda,größe,b,\"c, \"\"d\"\"\"\n3,1,1,-0,5e-324\n3,-2.5,0.3333333333333333,4,1.7976931348623157e+308\n"; string(data) != want {
		t.Errorf("%s", data)
	}
	if _, err := sniff(data).read(data); err == nil || !strings.Contains(err.Error(), ".json") {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, ext := range readable {
		for _, order := range []int{1, 3, 100} {
			m := example()
			m.Order = order
			data := written(t, ext, m)
			if ext == ".ktns" {
				m.Names, m.Center, m.Scale, m.Moment, m.Origin = nil, nil, nil, nil, nil
			}
			got, err := sniff(data).read(data)
			if err != nil || !reflect.DeepEqual(got, m) || math.Signbit(got.Factors[1]) != true {
				t.Errorf("%s: got %+v, %v", ext, got, err)
			}
			if again := written(t, ext, m); !bytes.Equal(again, data) && ext != ".ktns" {
				t.Errorf("%s: other bytes the second time", ext)
			}
		}
	}
	if named(".json") != nil || named("") != nil || sniff([]byte(`{"format":`)) != nil || sniff(nil) != nil {
		t.Error("what is JSON is not taken for it")
	}
}

// The error for an NPZ archive names the missing array.
func TestArchiveWithoutOrder(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	r, err := zip.NewReader(bytes.NewReader(written(t, ".npz", example())), int64(len(written(t, ".npz", example()))))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		if f.Name != "order.npy" {
			if err := z.Copy(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "has no array order, want weights (r), factors (n x r) and order"
	if _, err := readNPZ(b.Bytes()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestText is the form of export_data.
func TestText(t *testing.T) {
	m := &Model{Order: 2, N: 2, Lambda: []float64{1, 2}, Factors: []float64{1, 3, 2, 4}}
	const want = "ktensor\n2\n2 2\n2\n1e+00 2e+00\nmatrix\n2\n2 2\n1e+00 2e+00\n3e+00 4e+00\nmatrix\n2\n2 2\n1e+00 2e+00\n3e+00 4e+00\n"
	if got := string(written(t, ".ktns", m)); got != want {
		t.Errorf("got\n%s", got)
	}
	for name, test := range map[string][2]string{
		"other":      {strings.Replace(want, "ktensor", "sptensor", 1), `got "sptensor", want ktensor`},
		"modes":      {strings.Replace(want, "3e+00 4e+00\nmatrix", "3e+00 5e+00\nmatrix", 1), "the factor matrices of modes 1 and 2 differ; a moment is symmetric"},
		"sizes":      {strings.Replace(want, "\n2 2\n", "\n2 3\n", 1), "modes 1 and 2 differ"},
		"cut":        {want[:60], "the text ends where"},
		"rank":       {strings.Replace(want, "2 2\n2\n", "2 2\n40\n", 1), "got"},
		"large":      {strings.Replace(want, "2 2\n2\n", "2 2\n4000000000\n", 1), "as many as there are numbers in the text"},
		"no number":  {strings.Replace(want, "1e+00 2e+00", "1e+00 two", 1), `got "two", want a weight`},
		"of Go":      {strings.Replace(want, "1e+00 2e+00", "1e+00 2_0", 1), `got "2_0", want a weight`},
		"more":       {want + "matrix", `got "matrix", want the end of the text`},
		"one factor": {strings.Replace(want, "matrix\n2\n2 2", "matrix\n2\n1 2", 1), "factor matrix 1 is 1 x 2, want 2 x 2"},
	} {
		if _, err := readText([]byte(test[0])); err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%s: got %v, want %q", name, err, test[1])
		}
	}
}

// TestCutOff: what is left of a file is refused, unless it is all but the line end that is last.
func TestCutOff(t *testing.T) {
	for _, ext := range readable {
		for _, order := range []int{1, 3} {
			m := example()
			m.Order = order
			data := written(t, ext, m)
			whole, err := sniff(data).read(data)
			if err != nil {
				t.Fatal(err)
			}
			for size := range len(data) {
				format := sniff(data[:size])
				if format == nil {
					continue // it is no JSON
				}
				if got, err := format.read(data[:size]); err == nil && !reflect.DeepEqual(got, whole) {
					t.Errorf("%s of order %d: the first %d of %d bytes are read as another model", ext, order, size, len(data))
				}
			}
		}
	}
}

// NumPy's arrays of text have no NUL at the end.
func TestArchiveOfNUL(t *testing.T) {
	m := example()
	m.Names[1] = "b\x00"
	const want = `a text of names ends in a NUL, "b\x00", which NumPy would drop; save it as .json or .mat`
	if err := named(".npz").write(io.Discard, m); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := named(".mat").write(io.Discard, m); err != nil {
		t.Error(err)
	}
}

// TestDamaged changes files: they are refused or read in bounded time and memory.
func TestDamaged(t *testing.T) {
	const files = 3000
	for _, ext := range readable {
		refused, slowest, largest := 0, time.Duration(0), uint64(0)
		whole := written(t, ext, example())
		packed := deflated(t, whole)
		for seed := range uint64(files) {
			rng := rand.New(rand.NewPCG(seed, 18))
			b := bytes.Clone(whole)
			if ext == ".npz" && seed%2 == 0 {
				b = bytes.Clone(packed)
			}
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(b))
				switch rng.IntN(3) {
				case 0:
					b[at] ^= 1 << rng.IntN(8)
				case 1:
					b[at] = "0123456789-.e \n\x00\xff"[rng.IntN(17)]
				case 2:
					b = append(b[:at:at], b[min(len(b), at+rng.IntN(9)):]...)
				}
				if len(b) < 8 {
					break
				}
			}
			began, before := time.Now(), allocated()
			format := sniff(b)
			if format == nil {
				refused++ // it is no JSON
				continue
			}
			if _, err := format.read(b); err != nil {
				refused++
			}
			slowest, largest = max(slowest, time.Since(began)), max(largest, allocated()-before)
		}
		t.Logf("%s: %d of %d refused; slowest %v, at most %d bytes allocated", ext, refused, files, slowest, largest)
		if refused < files/4 || slowest > 10*time.Second || largest > 1<<30 {
			t.Errorf("%s: %d of %d refused; slowest %v, at most %d bytes allocated", ext, refused, files, slowest, largest)
		}
	}
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// deflated has what an archive holds in compressed form; what is none as it is.
func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return data
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = io.Copy(to, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBomb: an archive of 256 kB that holds 256 MB is not read to its end.
func TestBomb(t *testing.T) {
	slow.Test(t)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("weights.npy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "\x93NUMPY\x01\x00\x40\x00{'descr': '<f8', 'fortran_order': False, 'shape': (33554432,)}  \n"); err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 1 << 8 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	before := allocated()
	_, err = readNPZ(b.Bytes())
	if err == nil || !strings.Contains(err.Error(), "grow to more than") {
		t.Errorf("got %v", err)
	}
	if used := allocated() - before; used > 1<<28 {
		t.Errorf("%d bytes allocated for %d", used, b.Len())
	}
}
