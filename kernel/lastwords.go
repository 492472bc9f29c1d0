package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
)

// A cell can end the process in ways that cannot be recovered. Go then prints a
// message to the process's stderr, which is the log of the program that started it.
// A dead process cannot inform its client, but most clients restart the kernel,
// at the same addresses. So a file next to the connection file holds what is
// running, and what Go prints at the end, and the next kernel there reports it with
// its first cell. A kernel that ends normally removes the file.

// lastWords is that file: a line that says what is running, one with the system's
// count of processes killed for want of memory, followed by Go's message.
type lastWords struct {
	file *os.File
	path string
}

const stateBytes = 64 // of the line

const lastWordsEnd = "-symmom-last-words.txt" // which no person chooses

// openLastWords creates a file next to a connection file, and returns the content
// that an earlier kernel left.
func openLastWords(connectionFile string) (w *lastWords, before []byte, err error) {
	path := strings.TrimSuffix(connectionFile, ".json") + lastWordsEnd
	before, err = os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	forgetOthers(filepath.Dir(path))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, before, err
	}
	w = &lastWords{f, path}
	w.state("no cell ran")
	if _, err := f.WriteAt(fmt.Appendf(nil, "%d\n", memoryKills()), stateBytes); err != nil {
		return w, before, err
	}
	end, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return w, before, err
	}
	defer end.Close()
	return w, before, debug.SetCrashOutput(end, debug.CrashOptions{})
}

// forgetOthers removes the files of kernels whose connection files are gone.
func forgetOthers(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		base, is := strings.CutSuffix(e.Name(), lastWordsEnd)
		if !is {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if _, err := os.Lstat(filepath.Join(dir, base+".json")); errors.Is(err, fs.ErrNotExist) && isLastWords(path) {
			os.Remove(path)
		}
	}
}

// isLastWords reports whether a kernel has written the file.
func isLastWords(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	line := make([]byte, stateBytes)
	n, _ := io.ReadFull(f, line)
	return n == stateBytes && bytes.IndexByte(line, '\n') >= stateBytes-1
}

// state records what is running.
func (w *lastWords) state(what string) {
	if w != nil {
		// If it cannot be written, there is no one to report it to.
		_, _ = w.file.WriteAt(fmt.Appendf(nil, "%-*s\n", stateBytes-1, what), 0)
	}
}

// close removes the file when a kernel ends normally.
func (w *lastWords) close() {
	if w == nil {
		return
	}
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	w.file.Close()
	os.Remove(w.path)
}

// obituary describes in one line how the kernel ended that left these words. kills is the
// system's count now of processes killed for want of memory.
func obituary(words []byte, kills int) string {
	state, rest, _ := bytes.Cut(words, []byte("\n"))
	count, trace, _ := bytes.Cut(rest, []byte("\n"))
	while := strings.TrimSpace(string(state))
	if while == "" {
		while = "it is not known what ran"
	}
	if len(bytes.TrimSpace(trace)) > 0 {
		return fmt.Sprintf("the kernel before this one died: %s (%s)", causeOf(string(trace)), while)
	}
	if before, err := strconv.Atoi(string(count)); err == nil && kills > before {
		return fmt.Sprintf("the kernel before this one was probably killed by the system for want of memory, as a process was since then (%s)", while)
	}
	return fmt.Sprintf("the kernel before this one ended without a message: it was killed, or compiled code has ended the process (%s)", while)
}

// memoryKills returns how many processes the system has killed for want of memory, on
// Linux; 0 elsewhere.
func memoryKills() (n int) {
	data, _ := os.ReadFile("/proc/vmstat")
	if _, rest, is := bytes.Cut(data, []byte("\noom_kill ")); is {
		_, _ = fmt.Sscan(string(rest), &n)
	}
	return n
}

// causes are the errors of Go's runtime that cannot be recovered, by the functions in
// which they occur. Go prints the error itself only to stderr.
var causes = []struct{ in, what string }{
	{"sync.(*Mutex).", "a mutex was unlocked that was not locked"},
	{"sync.(*RWMutex).", "a mutex was unlocked that was not locked"},
	{"maps.fatal", "two goroutines used a map at once, one of them writing"},
	{"runtime.mapassign", "two goroutines used a map at once, one of them writing"},
	{"runtime.newstack", "a goroutine's stack was too deep"},
	{"runtime.checkmcount", "there were too many threads"},
	{"runtime.mallocgc", "there was no memory left"},
	{"runtime.(*mheap)", "there was no memory left"},
	{"runtime.makeslice", "there was no memory left"},
}

var panicLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)$`)

func causeOf(trace string) string {
	if m := panicLine.FindStringSubmatch(trace); m != nil {
		return "panic: " + m[1] + ", in compiled code or a callback of it"
	}
	first, _, _ := strings.Cut(strings.TrimSpace(trace), "\n\n") // the goroutine that failed
	for _, c := range causes {
		if strings.Contains(first, c.in) {
			return c.what + ", which cannot be recovered"
		}
	}
	return "an error of Go's runtime that cannot be recovered"
}

// mourn logs the end of the previous kernel, and makes the first cell report it to
// the client.
func (k *kernel) mourn(words []byte) {
	if len(words) == 0 {
		return
	}
	k.obituary = obituary(words, memoryKills()) + "; what it had is gone"
	fmt.Fprintf(k.config.Log, "kernel: %s\n", k.obituary)
}

// tell prints the obituary in the output of a cell, once.
func (k *kernel) tell() {
	k.mu.Lock()
	text := k.obituary
	k.obituary = ""
	k.mu.Unlock()
	if text != "" {
		fmt.Fprintf(k.here().output.stream("stderr"), "symmom: %s; its stderr, Jupyter's log, has more\n", text)
	}
}
