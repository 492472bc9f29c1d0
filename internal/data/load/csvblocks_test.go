package load

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// oddText is a table with what real ones have, and sometimes what none should.
func oddText(rng *rand.Rand) (text string, delimiter rune) {
	n, p := 1+rng.IntN(5), rng.IntN([]int{30, 300, 3000}[rng.IntN(3)])
	delimiter = []rune{',', '\t', ';', ' ', '|'}[rng.IntN(5)]
	ending := []string{"\n", "\r\n"}[rng.IntN(2)]
	odd := 0. // how often a field, a line, is odd
	if rng.IntN(2) == 0 {
		odd = []float64{.001, .01}[rng.IntN(2)]
	}
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString("# a comment" + ending)
	}
	if rng.IntN(2) == 0 {
		for j := range n {
			if j > 0 {
				b.WriteRune(delimiter)
			}
			fmt.Fprintf(&b, "%q", fmt.Sprint("name", j))
		}
		b.WriteString(ending)
	}
	for range p {
		if rng.Float64() < odd {
			b.WriteString([]string{"", " ", "  \t ", "\r", "# not a comment", "\"", "1", "1,2,3,4,5,6,7"}[rng.IntN(8)] + ending)
		}
		for j := range n {
			if j > 0 {
				b.WriteRune(delimiter)
			}
			field := fmt.Sprint(math.Round(1e6*rng.NormFloat64()) / 1e4)
			if rng.Float64() < odd {
				field = []string{"", "NA", " 3", "4 ", "\"5\"", "\"6\n7\"", "x", "1e400", "Inf", "nan", "-0", "\u00a08", "1e-400", "1e39", "größe"}[rng.IntN(15)]
			}
			b.WriteString(field)
		}
		b.WriteString(ending)
	}
	text = b.String()
	if rng.IntN(2) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text, delimiter
}

// sameRead fails where two ways of reading differ in anything.
func sameRead(t *testing.T, data []byte, o Options) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	slow := o
	slow.piece = -1
	want, wantErr := Load(t.Context(), path, slow)
	describe := func(s *Set, err error) string {
		if err != nil {
			return "error " + err.Error()
		}
		return fmt.Sprint(s.P, s.N, s.Names, s.Warnings, s.Dropped, s.Weights, s.Fingerprint(), s.Notes)
	}
	for _, piece := range []int{7, 100, 1000, 0} {
		o.piece = piece
		got, err := Load(t.Context(), path, o)
		if a, b := describe(got, err), describe(want, wantErr); a != b {
			t.Fatalf("%+v: %.300q\n got %.1000s\nwant %.1000s", o, data, a, b)
		}
		got, err = Read(t.Context(), struct{ *bytes.Buffer }{bytes.NewBuffer(data)}, path, "csv", o) // of a length that is not known
		if err == nil && wantErr == nil && !reflect.DeepEqual(got.Values, want.Values) {
			t.Fatalf("%+v: %.300q: other values from a reader", o, data)
		}
		if o.Missing == MissingMean {
			continue
		}
		stream := func(o Options) string {
			s, err := OpenStream(t.Context(), path, o, nil)
			if err != nil {
				return "error " + err.Error()
			}
			var values, weights []float64
			if err := passed(t.Context(), s, func(b block.Block) {
				values, weights = append(values, b.V...), append(weights, b.Nu...)
			}); err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(s.P, s.N, s.Names, s.Warnings, s.Dropped, values, weights)
		}
		if a, b := stream(o), stream(slow); a != b {
			t.Fatalf("stream, %+v: %.300q\n got %.1000s\nwant %.1000s", o, data, a, b)
		}
	}
}

// Text that is parsed in pieces gives what encoding/csv gives, errors too,
// wherever the pieces are cut.
func TestPiecesAreLines(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(16, 5))
	for range 150 {
		text, delimiter := oddText(rng)
		o := Options{Missing: []Missing{MissingFail, MissingDrop, MissingMean}[rng.IntN(3)], Float32: rng.IntN(4) == 0}
		if rng.IntN(2) == 0 {
			o.Delimiter = delimiter
		}
		switch rng.IntN(4) {
		case 0:
			o.Columns = []string{"2", "1"}
		case 1:
			o.Weights = "1"
		}
		sameRead(t, []byte(text), o)
	}
}
