package conformance

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the lists of programs that pass and of those that are refused")

// lists record the outcomes of the programs of a collection. Each program is in one
// list; there is none for programs that run and are wrong.
type lists struct {
	name     string
	passes   map[string]string // program -> ""
	refused  map[string]string // program -> kind of message
	excluded map[string]string // program -> reason
	wasm     map[string]string // program -> reason why it is excluded from sessions of js/wasm
	count    int               // of the programs that are not excluded

	mu   sync.Mutex
	seen map[string]bool
	now  map[string]string // program -> verdict, "" if it passes
}

func readLists(t *testing.T, name string) *lists {
	t.Helper()
	return &lists{name: name, passes: readList(t, name+"-passes.txt", false), refused: readList(t, name+"-refused.txt", true),
		excluded: readList(t, name+"-excluded.txt", true),
		wasm:     readList(t, name+"-wasm-excluded.txt", true), seen: map[string]bool{}, now: map[string]string{}}
}

// readList reads a list of lines "PROGRAM: TEXT".
func readList(t *testing.T, name string, words bool) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		program, why, _ := strings.Cut(line, ": ")
		if _, twice := list[program]; twice {
			t.Errorf("%s has %s twice", name, program)
		}
		if words != (why != "") {
			t.Errorf("%s: %q", name, line)
		}
		list[program] = why
		if !words {
			list[program] = "x"
		}
	}
	return list
}

// leaves reports whether a program is not run: it is excluded, in sessions or in those of
// js/wasm, or not among every n-th.
func (l *lists) leaves(program string) bool {
	_, is := l.excluded[program]
	if _, isInWasm := l.wasm[program]; is || *wasm != "" && isInWasm {
		return true
	}
	l.count++
	return l.count%*every != 0
}

// judge compares the outcome of a program with the list that it is in. wrong is the
// difference from Go, "" if none.
func (l *lists) judge(t *testing.T, program string, o outcome, wrong string) {
	t.Helper()
	if o.wrong != "" {
		wrong = o.wrong
	}
	verdict := wrong
	if o.refused != nil {
		verdict = "refused: " + kind(*o.refused)
		wrong = ""
	}
	l.mu.Lock()
	l.now[program] = verdict
	l.mu.Unlock()
	_, passes := l.passes[program]
	want, refused := l.refused[program]
	switch {
	case wrong != "":
		t.Errorf("%s: runs and is wrong: %s", program, wrong)
	case *update:
	case o.refused != nil && !refused:
		t.Errorf("%s is refused, and not in the list of those: %s: %s", program, kind(*o.refused), o.refused.Message)
	case o.refused != nil && kind(*o.refused) != want:
		t.Errorf("%s is refused: %s, want %s", program, kind(*o.refused), want)
	case o.refused == nil && !passes:
		t.Errorf("%s passes, and is not in the list of those: run this test with -update", program)
	}
}

// finish reports programs in the lists that no longer exist, or are in two lists,
// and writes the lists when asked to.
func (l *lists) finish(t *testing.T) {
	t.Helper()
	count := map[string]int{}
	for _, list := range []map[string]string{l.passes, l.refused, l.excluded} {
		for program := range list {
			if count[program]++; count[program] > 1 && !*update {
				t.Errorf("%s is in two lists", program)
			}
			if !l.seen[program] && !*update {
				t.Errorf("%s is in a list, but not among the programs", program)
			}
		}
	}
	passes, refused, wrong := maps.Clone(l.passes), maps.Clone(l.refused), 0
	for program, verdict := range l.now {
		delete(passes, program)
		delete(refused, program)
		why, is := strings.CutPrefix(verdict, "refused: ")
		switch {
		case is:
			refused[program] = why
		case verdict == "":
			passes[program] = "x"
		default:
			wrong++
		}
	}
	t.Logf("%s: %d pass, %d refused, %d wrong, %d excluded", l.name, len(passes), len(refused), wrong, len(l.excluded))
	if *update {
		for _, list := range []map[string]string{passes, refused} {
			for program := range list {
				if _, is := l.excluded[program]; is || !l.seen[program] {
					delete(list, program)
				}
			}
		}
		writeList(t, l.name+"-passes.txt", passes)
		writeList(t, l.name+"-refused.txt", refused)
	}
}

func writeList(t *testing.T, name string, list map[string]string) {
	t.Helper()
	var b strings.Builder
	for _, program := range slices.Sorted(maps.Keys(list)) {
		b.WriteString(program)
		if why := list[program]; why != "x" {
			b.WriteString(": " + why)
		}
		b.WriteString("\n")
	}
	if err := os.WriteFile(filepath.Join("testdata", name), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Numbers and quoted text are specific to the program; the rest of a message is its
// kind.
var own = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|'[^']*'")

func kind(f refusal) string {
	msg, _, _ := strings.Cut(f.Message, "\n")
	msg = own.ReplaceAllString(msg, "…")
	return fmt.Sprintf("%s, %s", f.Kind, msg)
}
