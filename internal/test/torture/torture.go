// Package torture supports tests that attack symmom for a given time: it sets the
// duration, mutates files at random, and logs the attempts. make torture runs them for
// hours; in the suite each lasts some seconds.
package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// Limits of what an attack may do to its victim.
const (
	Hang   = 10 * time.Second // without an answer
	Memory = 1 << 30          // bytes, for what comes from less than 10 MB
)

// short is how long an attack lasts in the suite.
const short = 3 * time.Second

// Duration is how long an attack lasts: SYMMOM_TORTURE_FOR, or some seconds.
func Duration(t testing.TB) time.Duration {
	t.Helper()
	text := os.Getenv("SYMMOM_TORTURE_FOR")
	if text == "" {
		return short
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("SYMMOM_TORTURE_FOR: %v", err)
	}
	return d
}

// Source is where an attack takes its chances from. Its seed is in the report.
func Source(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if os.Getenv("SYMMOM_TORTURE_FOR") != "" {
		seed = rand.Uint64()
	}
	Report(t, "seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Report logs a line on what was tried, and adds it to the file that
// SYMMOM_TORTURE_REPORT names.
func Report(t testing.TB, format string, args ...any) {
	t.Helper()
	line := t.Name() + ": " + fmt.Sprintf(format, args...)
	t.Log(line)
	path := os.Getenv("SYMMOM_TORTURE_REPORT")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, line); err != nil {
		t.Error(err)
	}
}

// Mutate returns data with some changes: bits, bytes and runs of them changed,
// doubled, moved and taken out, numbers made large, the end cut off.
func Mutate(r *rand.Rand, data []byte) []byte {
	b := append([]byte(nil), data...)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		// Headers matter more than what follows them.
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(b), 200))
		}
		run := min(1+r.IntN(1<<r.IntN(8)), len(b)-at)
		switch r.IntN(8) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			b = append(b[:at], b[at+run:]...)
		case 3:
			b = append(b[:at:at], append(append([]byte(nil), b[at:at+run]...), b[at:]...)...)
		case 4:
			for i := at; i < at+run; i++ {
				b[i] = byte(r.IntN(256))
			}
		case 5: // digits
			for i, n := at, 0; i < len(b) && n < 12; i++ {
				if b[i] >= '0' && b[i] <= '9' {
					b[i] = '0' + byte(r.IntN(10))
					n++
				}
			}
		case 6:
			insert := []string{"9999999999", "-1", "1e308", "nan", "inf", ",", "\n", "\"", "\x00", "\xff\xff\xff\xff\xff\xff\xff\x7f", "(", "}", "[[", "\r"}[r.IntN(14)]
			b = append(b[:at:at], append([]byte(insert), b[at:]...)...)
		case 7:
			b = b[:at]
		}
	}
	return b
}
