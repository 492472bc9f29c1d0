package memory

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/shirou/gopsutil/v4/mem"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// share of what is free that one request may take: the rest is for what is
// made along the way, and for others.
const share = .75

// Free returns the bytes that can be had now: what the machine, the container
// and the limit of this process leave, whichever is least.
func Free() float64 {
	free := 1e9 // unknown: stay modest
	if v, err := mem.VirtualMemory(); err == nil {
		free = float64(v.Available)
	}
	return math.Max(0, math.Min(free, math.Min(ofGroup(), ofProcess())))
}

// Limit returns the bytes that may be taken: the given limit, or three quarters
// of what is free where that is 0.
func Limit(given uint64) float64 {
	if given != 0 {
		return float64(given)
	}
	return share * Free()
}

// Keep has the garbage collector keep this program to nine tenths of what can be had now,
// as far as it can: by itself it lets what is no longer needed grow to the size of the
// data. GOMEMLIMIT goes before.
func Keep() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(.9 * Free()))
	}
}

// Fits reports whether bytes are at most most, and may be taken. It asks for what is free,
// which takes half a millisecond, only if that decides.
func Fits(bytes, most float64, given uint64) bool {
	return bytes <= most && (given == 0 && bytes <= Small || bytes <= Limit(given))
}

// Check refuses bytes beyond Limit(given). what begins the message, such as
// "data.npy: 2,000 x 500 values"; remedy ends it, and options are what it names.
func Check(what string, bytes float64, given uint64, remedy string, options ...string) error {
	if bytes <= Small || bytes <= Limit(given) {
		return nil
	}
	if given == 0 {
		debug.FreeOSMemory() // what the garbage collector still holds counts as taken
		if bytes <= Limit(0) {
			return nil
		}
	}
	return &Error{What: what, Bytes: bytes, Limit: Limit(given), Given: given != 0, Remedy: remedy, Options: options}
}

// Collect frees what is no longer needed before many bytes are taken: the garbage collector would wait until they have
// been added to it. It takes a few milliseconds.
func Collect(bytes float64) {
	if bytes >= many {
		runtime.GC()
	}
}

const many = 32 << 20

// Small is an amount that needs no check.
const Small = 16 << 20

// Error says that something would take more memory than it may.
type Error struct {
	What   string  // what was asked for
	Bytes  float64 // that it takes
	Limit  float64 // that may be taken
	Given  bool    // the limit was given, not found
	Remedy string
	// Options of the call, or methods, that Remedy names.
	Options []string
}

// Unwrap returns diag.ErrTooLarge.
func (e *Error) Unwrap() error { return diag.ErrTooLarge }

// Help returns Options.
func (e *Error) Help() []string { return e.Options }

func (e *Error) Error() string {
	limit := "three quarters of the free memory are " + words.Bytes(e.Limit)
	if e.Given {
		limit = "the limit is " + words.Bytes(e.Limit)
	}
	return fmt.Sprintf("%s would take %s of memory, %s; %s", e.What, words.Bytes(e.Bytes), limit, e.Remedy)
}
