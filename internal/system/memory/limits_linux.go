package memory

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// groups is where the system shows its control groups.
const groups = "/sys/fs/cgroup"

// ofGroup returns the memory that the control group of this process, and its parents,
// leave: the limit of a container. Pages of files that the system can drop count
// as free.
func ofGroup() float64 {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return math.Inf(1)
	}
	return leastOfGroups(groups, string(own))
}

// leastOfGroups is ofGroup for the text of /proc/self/cgroup.
func leastOfGroups(root, own string) float64 {
	least := math.Inf(1)
	for line := range strings.Lines(own) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		top, most, used, dropped := root, "memory.max", "memory.current", "inactive_file"
		switch {
		case fields[1] == "memory": // version 1
			top, most, used, dropped = path.Join(root, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		case fields[1] != "":
			continue
		}
		for dir := path.Join("/", fields[2]); ; dir = path.Dir(dir) {
			at := path.Join(top, dir)
			if limit, ok := number(path.Join(at, most)); ok {
				taken, _ := number(path.Join(at, used))
				least = math.Min(least, limit-taken+stat(path.Join(at, "memory.stat"), dropped))
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// number reads a file that holds one; "max" is none.
func number(file string) (float64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return v, err == nil
}

// stat reads one of the lines "name number" of a file; 0 if there is none.
func stat(file, name string) float64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), " "); key == name {
			v, _ := strconv.ParseFloat(value, 64)
			return v
		}
	}
	return 0
}

// ofProcess returns the address space that `ulimit -v` leaves.
func ofProcess() float64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.Inf(1)
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return float64(limit.Cur)
	}
	pages, _, _ := strings.Cut(string(text), " ")
	used, _ := strconv.ParseFloat(pages, 64)
	return float64(limit.Cur) - used*float64(os.Getpagesize())
}
