package bar

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"symmom/symmom"
)

// The bar shows finished starts, the best objective and the time left, and leaves
// an empty line.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := begin(&out, 3, 3)
	p.Update(symmom.Progress{Phase: symmom.PhaseSearch, Rank: 3, Starts: 4, StartsDone: 1, Best: -.25, Remaining: 90 * time.Second})
	for _, part := range []string{"1/4 starts", "best -0.25", "90 s left", "25%"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in %q", part, out.String())
		}
	}
	p.Stop()
	if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
		t.Errorf("the line is not cleared: %q", out.String())
	}
}

// Before the search the bar says what is being done, and after it that it polishes.
func TestProgressOfPhases(t *testing.T) {
	var out bytes.Buffer
	p := begin(&out, 3, 3)
	for _, c := range []struct {
		s    symmom.Progress
		want string
	}{
		{symmom.Progress{Phase: symmom.PhaseBasis, Pass: 2, Seen: .4, Rank: 3, Starts: 4}, "basis, pass 2, 40% ..."},
		{symmom.Progress{Phase: symmom.PhaseSearch, Rank: 3, Starts: 4, StartsDone: 1, Best: -.25}, "1/4 starts"},
		{symmom.Progress{Phase: symmom.PhasePolish, Rank: 3, Starts: 4, StartsDone: 4, Pass: 1, Seen: .5, Best: -.3},
			"polish, pass 1, 50%, best -0.3"},
		{symmom.Progress{Phase: symmom.PhaseNorm, Rank: 3, Starts: 4, StartsDone: 4}, "norm"},
	} {
		p.shown = time.Time{}
		out.Reset()
		if p.Update(c.s); !strings.Contains(out.String(), c.want) {
			t.Errorf("no %q in %q", c.want, out.String())
		}
	}
}

// A sweep counts the starts of all ranks and names the rank.
func TestProgressOfSweep(t *testing.T) {
	var out bytes.Buffer
	p := begin(&out, 3, 4)
	p.Update(symmom.Progress{Phase: symmom.PhaseSearch, Rank: 4, Starts: 10, StartsDone: 5, Best: -1, Remaining: -1})
	for _, part := range []string{"rank 4, 5/10 starts", "75%"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in %q", part, out.String())
		}
	}
}

// Where stderr is not a terminal there is a line after half a minute, and after twice the time
// of the one before; with --quiet there is none.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	p := New(&out, false, 1, 1)
	s := symmom.Progress{Phase: symmom.PhaseSearch, Rank: 1, Starts: 4, StartsDone: 1, Best: -.25, Remaining: 90 * time.Second}
	after := func(d time.Duration) string {
		out.Reset()
		p.began, p.shown = time.Now().Add(-d), time.Time{}
		p.Update(s)
		return out.String()
	}
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{29 * time.Second, ""},
		{31 * time.Second, "after 31 s: 1/4 starts, best -0.25, 90 s left\n"},
		{50 * time.Second, ""},
		{5 * time.Minute, "after 5 min: 1/4 starts, best -0.25, 90 s left\n"},
		{7 * time.Minute, ""},
		{9 * time.Minute, "after 9 min: 1/4 starts, best -0.25, 90 s left\n"},
	} {
		if got := after(c.after); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
	s.Phase = symmom.PhasePolish
	if got, want := after(20*time.Minute), "after 20 min: polish, best -0.25\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	out.Reset()
	p.Stop()
	if p = New(&out, true, 1, 1); p != nil || out.Len() > 0 {
		t.Errorf("progress %v wrote %q", p, out.String())
	}
	p.Update(s)
	p.Stop()
}

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-1, "time unknown"}, {7400 * time.Millisecond, "7 s left"}, {5 * time.Minute,
			"5 min left"}, {26 * time.Hour, "26 h left"},
	} {
		if got := timeLeft(c.d); got != c.want {
			t.Errorf("timeLeft(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

// A terminal that is narrower than the bar does not break it into lines that stay.
func TestNarrow(t *testing.T) {
	var out bytes.Buffer
	p := begin(unbroken{&out}, 3, 3)
	p.Update(symmom.Progress{Phase: symmom.PhaseSearch, Rank: 3, Starts: 4, StartsDone: 1, Best: -.25})
	p.Stop()
	const on, off = "\x1b[?7h", "\x1b[?7l" // whether lines are broken
	breaks := true
	for rest := out.String(); rest != ""; {
		switch {
		case strings.HasPrefix(rest, on):
			breaks, rest = true, rest[len(on):]
		case strings.HasPrefix(rest, off):
			breaks, rest = false, rest[len(off):]
		case breaks:
			t.Fatalf("%q is broken where the terminal ends", rest)
		default:
			rest = rest[1:]
		}
	}
	if !breaks {
		t.Error("lines after the bar are not broken")
	}
}
