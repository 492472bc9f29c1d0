//go:build e2e

package symmom

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The table that TestStreamBounded writes: SYMMOM_STREAM_MB megabytes, 600
// unless set, of 500 variables.
const (
	boundedN    = 500
	boundedRank = 5
)

// bounded is what the process of limited memory finds.
type bounded struct {
	Implicit, Compressed  float64 // f
	ImplicitPasses        int
	CompressedPasses      int
	OpenSeconds           float64
	ImplicitSeconds       float64
	CompressedSeconds     float64
	PeakResident, Virtual int // kB
}

func boundedFits(s *Session) (b bounded, err error) {
	began := time.Now()
	m := s.Moment(3)
	f := m.Implicit().With(Options{Starts: 1}).Decompose(boundedRank) // to the end: on the way rounding shows
	if f.Err() != nil {
		return b, f.Err()
	}
	b.Implicit, b.ImplicitPasses, b.ImplicitSeconds = f.ObjectiveShifted, f.DataPasses, time.Since(began).Seconds()
	began = time.Now()
	if f = m.Compressed(0).Decompose(boundedRank); f.Err() != nil {
		return b, f.Err()
	}
	b.Compressed, b.CompressedPasses, b.CompressedSeconds = f.ObjectiveShifted, f.DataPasses, time.Since(began).Seconds()
	return b, nil
}

// A table larger than the process may be gives the fits that it gives in memory.
func TestStreamBounded(t *testing.T) {
	if path := os.Getenv("SYMMOM_STREAM_CHILD"); path != "" {
		began := time.Now()
		s := Stream(path)
		open := time.Since(began).Seconds()
		b, err := boundedFits(s)
		if err != nil {
			t.Fatal(err)
		}
		b.OpenSeconds = open
		b.PeakResident, b.Virtual = status(t, "VmHWM"), status(t, "VmPeak")
		out, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(os.Getenv("SYMMOM_STREAM_OUT"), out, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	megabytes := 600
	if v := os.Getenv("SYMMOM_STREAM_MB"); v != "" {
		var err error
		if megabytes, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	path, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "out.json")
	writeMixture(t, path, megabytes*1e6/(8*boundedN))

	// 2 GB of address space, nearly all of which the runtime and the libraries reserve
	// at the start: what counts is the memory that is resident.
	cmd := exec.Command("sh", "-c", `ulimit -v 2000000; exec "$0" -test.run '^TestStreamBounded$'`, os.Args[0])
	cmd.Env = append(os.Environ(), "SYMMOM_STREAM_CHILD="+path, "SYMMOM_STREAM_OUT="+out, "GOCOVERDIR="+dir)
	if log, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got bounded
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	t.Logf("streamed %d MB: %+v", megabytes, got)
	// 512 MB and the model are what a stream may take.
	if got.PeakResident > 512<<10 || got.Virtual > 2000000 {
		t.Errorf("%d kB of memory, %d kB of address space", got.PeakResident, got.Virtual)
	}
	want, err := boundedFits(Load(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("in memory: %+v", want)
	for _, c := range []struct {
		what      string
		got, want float64
		most      float64
	}{
		{"implicit", got.Implicit, want.Implicit, 1e-9},
		// In memory the basis is another one: both end within the tolerance, 1e-4 squared.
		{"compressed", got.Compressed, want.Compressed, DefaultTolerance * DefaultTolerance},
	} {
		if d := math.Abs(c.got-c.want) / math.Abs(c.want); !(d <= c.most) {
			t.Errorf("%s f = %.15g streamed, %.15g in memory: %.2g apart", c.what, c.got, c.want, d)
		} else {
			t.Logf("%s f = %.15g streamed, %.15g in memory: %.2g apart", c.what, c.got, c.want, d)
		}
	}
}

// status reads a number of kB from /proc/self/status.
func status(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name+":" {
			kb, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			return kb
		}
	}
	t.Fatalf("no %s", name)
	return 0
}

// writeMixture writes p observations of a mixture, without holding them.
func writeMixture(t *testing.T, path string, p int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", p, boundedN)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00\x76\x00%-117s\n", head)
	rng := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, boundedRank*boundedN)
	for i := range means {
		means[i] = rng.NormFloat64() / math.Sqrt(boundedN)
	}
	row := make([]byte, 0, 8*boundedN)
	for range p {
		j := rng.IntN(boundedRank)
		row = row[:0]
		for _, v := range means[j*boundedN : (j+1)*boundedN] {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v+.1*rng.NormFloat64()))
		}
		if _, err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}
