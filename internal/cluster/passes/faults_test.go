package passes

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/estimate/gmm"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/text/diag"
)

// A message or an answer with any byte changed is refused.
func TestDamaged(t *testing.T) {
	m := &Message{Pass: block.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {1, math.NaN(), math.Inf(1)}}}, N: 3, Splits: []Split{{Path: "a.npy", Rows: 3, Digest: "d"}}}
	line, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(line)
	if err != nil || !math.IsNaN(back.Pass.Data[1][1]) || back.Splits[0] != m.Splits[0] || back.Pass.Kind != m.Pass.Kind {
		t.Fatalf("%+v, %v", back, err)
	}
	for i := range line {
		for _, c := range []byte{line[i] ^ 1, ' ', '\n', 'A'} {
			bad := line[:i] + string(c) + line[i+1:]
			if _, err := Decode(bad); bad != line && err == nil {
				t.Errorf("byte %d changed to %q is not noticed", i, c)
			}
		}
		if _, err := Decode(line[:i]); err == nil {
			t.Errorf("cut after %d bytes is not noticed", i)
		}
	}
	// Messages that say what cannot be are answered with an error.
	for _, bad := range []*Message{
		{Pass: block.Pass{Kind: "unknown", Orders: []int{1}, Unit: 1}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Unit: 1, Data: [][]float64{nil, {1}}}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {1}}}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {}}}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Orders: []int{-3}, Unit: 1, Data: [][]float64{nil, {1, 2, 3}}}, N: 3},
		{Pass: block.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2}, {1, 2, 3}}}, N: 3},
		{Pass: block.Pass{Kind: moment.DistinctProducts, Orders: []int{3}, Unit: 1, Data: [][]float64{nil}}, N: 3},
		{Pass: block.Pass{Kind: moment.DistinctProducts, Orders: []int{3}, Unit: 1, Data: [][]float64{{1}, {1, 2, 3}}}, N: 3},
		{Pass: block.Pass{Kind: moment.Moments, Orders: []int{60}, Unit: 1, Data: [][]float64{nil, nil}}, N: 300},
		{Pass: block.Pass{Kind: moment.Moments, Orders: []int{3}, Unit: 0, Data: [][]float64{nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2}}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{0}, Unit: 1, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{65}, Unit: 1, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{3}, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2}, nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{64}, Unit: 1, Data: [][]float64{make([]float64, 36), nil, nil}}, N: 3},
		{Pass: block.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, make([]float64, 30000), make([]float64, 10000)}}, N: 3},
		{Pass: block.Pass{Kind: gmm.Sums, Orders: []int{1}, Unit: 1}, N: 3},
		{Pass: block.Pass{Kind: gmm.Sums, Orders: []int{2, 0, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: block.Pass{Kind: gmm.Sums, Orders: []int{1, 9, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: block.Pass{Kind: gmm.Sums, Orders: []int{math.MaxInt >> 23, 0, 3, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: block.Pass{Kind: gmm.Sums, Orders: []int{1, 0, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {-1}}}, N: 3},
		{Pass: kind(Sample), N: 3, Counts: []int{-1}},
		{Pass: kind(Sample), N: 3, Counts: []int{math.MaxInt >> 3}},
	} {
		bad.Splits = []Split{{Path: "a.npy", Rows: 3}}
		var a answer
		if _, err := unpack(Run(t.Context(), bad, 0, 1), &a); err != nil || a.Error == "" {
			t.Errorf("%+v: %v, %v", bad.Pass, a, err)
		}
	}
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader("nonsense\n"+line+" x\n"+line+" 7\n"+line+" 0"), &out, 1); err != nil {
		t.Fatal(err)
	}
	replies := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"the message is damaged", "invalid syntax", "there is no split 7", "a.npy"} {
		var a answer
		_, line, _ := strings.Cut(replies[i], "\t")
		if _, err := unpack(line, &a); err != nil || !strings.Contains(a.Error, want) {
			t.Errorf("reply %d: %+v, %v", i, a, err)
		}
	}
}

// A file that changes, disappears or is truncated between passes is one error that names it.
func TestChangedBetweenPasses(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		path := writeShards(t, format, 1000, 4)
		victim := strings.Replace(path, "*", "part-01", 1)
		x := open(t, Local{Threads: 2}, path, load.Options{})
		data, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		pass := func() error {
			y := make([]float64, x.N)
			if (&moment.Implicit{Data: x, D: 3}).Worker(1, 1).TTSV(t.Context(), y, make([]float64, x.N)) {
				return nil
			}
			return x.Err()
		}
		first, err := os.ReadFile(strings.Replace(path, "*", "part-00", 1))
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"gone":  func() error { return os.Remove(victim) },
			"cut":   func() error { return os.WriteFile(victim, data[:len(data)/2], 0o666) },
			"other": func() error { return os.WriteFile(victim, first, 0o666) },
		} {
			if err := do(); err != nil {
				t.Fatal(err)
			}
			if err := pass(); err == nil || !strings.Contains(err.Error(), victim) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %s: %v", format, what, err)
			}
		}
		if err := os.WriteFile(victim, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := pass(); err != nil {
			t.Errorf("%s: put back: %v", format, err)
		}
	}
}

// missing is an engine that leaves answers out, or damages them.
type missing struct{ damage func(string) string }

func (missing) Name() string { return "a poor engine" }

func (m missing) Run(ctx context.Context, message string, splits, fan int, done func(int), answer func(string) error) error {
	return Local{Threads: 1}.Run(ctx, message, splits, fan, done, func(line string) error {
		if line = m.damage(line); line == "" {
			return nil
		}
		return answer(line)
	})
}

// An error about a table says what helps against it, as it does where the table is here.
func TestHelp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n,4\n5,7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Local{Threads: 1}, path, load.Options{})
	want := path + ": 1 missing value: a (1); drop those rows or choose other columns (on this machine)"
	if err == nil || err.Error() != want || !slices.Equal(diag.Help(err), []string{"Missing=drop", "Columns"}) {
		t.Errorf("got %v, with %q", err, diag.Help(err))
	}
}

func TestEngineErrors(t *testing.T) {
	path := writeShards(t, "csv", 500, 4)
	k := 0
	for want, damage := range map[string]func(string) string{
		"answers for only": func(s string) string {
			if k++; k == 2 {
				return ""
			}
			return s
		},
		"is damaged": func(s string) string { return s[:len(s)-1] },
	} {
		if _, err := Open(t.Context(), missing{damage}, path, load.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Local{Threads: 1}, path, load.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Open(t.Context(), Local{Threads: 1}, path, load.Options{Labels: "w"}); err == nil {
		t.Error("labels are not refused")
	}
}
