package paper

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"

	"symmom/internal/math/linalg"
	"symmom/internal/system/clock"
	"symmom/internal/text/words"
)

// machine describes the computer, the cores in use and the kernels, on all of which
// times depend.
var machine = sync.OnceValue(func() string {
	name := runtime.GOARCH
	if info, err := cpu.Info(); err == nil && len(info) > 0 && info[0].ModelName != "" {
		name = strings.Join(strings.Fields(info[0].ModelName), " ")
	}
	return fmt.Sprintf("%s, %s/%s, %s, kernels %s", name, runtime.GOOS, runtime.GOARCH,
		words.Plural(runtime.GOMAXPROCS(0), "core"), linalg.Kernels())
})

var began = time.Now()

// wallSeconds returns the time since the program began.
func wallSeconds() float64 { return time.Since(began).Seconds() }

// cpuSeconds returns the processor time of this process so far, or the elapsed time
// if that is unknown.
func cpuSeconds() float64 {
	if used := clock.Processor(); used > 0 {
		return used.Seconds()
	}
	return wallSeconds()
}

// loadAverage returns the load average of the last minute, 0 if the system does not
// report it.
func loadAverage() float64 {
	avg, err := load.Avg()
	if err != nil {
		return 0
	}
	return avg.Load1
}
