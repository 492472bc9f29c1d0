//go:build e2e && linux

package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/browser"
	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
)

// pane is a session in tmux, which stands for a person's terminal: it draws
// what the line editor writes, so that the test sees the screen.
type pane struct {
	t      *testing.T
	env    []string
	dir    string
	server string // of this session alone: one that ends takes no new session
	rows   int    // of the screen, 40 unless set
}

var servers int

// TestMemoryLimit: what does not fit into the limit of the process ends the cell.
func TestMemoryLimit(t *testing.T) {
	cmd := exec.Command("sh", "-c", `ulimit -v 4000000; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), sessionEnv+"=1")
	for _, c := range []struct{ code, want string }{
		{"len(make([]float64, 1<<30))", "out of memory: make of 8.6 GB, and "},
		{"mat.NewDense(1<<15, 1<<15, nil)", "out of memory: a matrix of 8.6 GB, and "},
		{"mat.NewVecDense(1<<30, nil)", "out of memory: a matrix of 8.6 GB, and "},
		{"len(make([]float64, 1<<27))", "134217728"},
	} {
		own := *cmd
		own.Stdin = strings.NewReader(c.code)
		if out, _ := own.CombinedOutput(); !strings.Contains(string(out), c.want) { // the exit code is that of the cell
			t.Errorf("%s\n%.300s", c.code, out)
		}
	}
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-L", p.server}, args...)...)
	cmd.Env, cmd.Dir = p.env, p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (p *pane) alive() bool {
	cmd := exec.Command("tmux", "-L", p.server, "has-session", "-t", "repl")
	cmd.Env = p.env
	return cmd.Run() == nil
}

func (p *pane) start() {
	p.t.Helper()
	servers++
	p.server = fmt.Sprintf("symmom-repl-%d-%d", os.Getpid(), servers)
	if p.rows == 0 {
		p.rows = 40
	}
	p.tmux("new-session", "-d", "-x", "110", "-y", fmt.Sprint(p.rows), "-s", "repl", os.Args[0])
	p.sees("symmom>")
}

func (p *pane) keys(keys ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys", "-t", "repl"}, keys...)...)
}
func (p *pane) types(text string)  { p.t.Helper(); p.tmux("send-keys", "-t", "repl", "-l", "--", text) }
func (p *pane) enters(text string) { p.t.Helper(); p.types(text); p.sees(text); p.keys("Enter") }

// waits waits until the screen is as it should be, and returns it.
func (p *pane) waits(what string, good func(screen string) bool) string {
	p.t.Helper()
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		screen := p.tmux("capture-pane", "-p", "-t", "repl")
		if good(screen) {
			return screen
		}
		if time.Since(begin) > sessiontest.Enough {
			p.t.Fatalf("%s; the screen is\n%s", what, screen)
		}
	}
}

func (p *pane) sees(text string) string {
	p.t.Helper()
	return p.waits("no "+text, func(screen string) bool { return strings.Contains(screen, text) })
}

// ends waits until the last line that is not empty is text.
func (p *pane) ends(text string) {
	p.t.Helper()
	p.waits("does not end with "+text, func(screen string) bool {
		return strings.HasSuffix(strings.TrimRight(screen, " \n"), text)
	})
}

// clears clears the line and the screen. (Keys that come within a millisecond
// after Ctrl-C, with which the editor gives up the line, may be lost.)
func (p *pane) clears() {
	p.t.Helper()
	p.keys("C-u")
	p.ends("symmom>")
	p.keys("C-l")
	p.waits("not clear", func(screen string) bool { return strings.TrimSpace(screen) == "symmom>" })
}

// leaves presses Ctrl-D, which ends the session.
func (p *pane) leaves() {
	p.t.Helper()
	p.keys("C-d")
	for begin := time.Now(); p.alive(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > sessiontest.Enough {
			p.t.Fatalf("Ctrl-D does not leave:\n%s", p.tmux("capture-pane", "-p", "-t", "repl"))
		}
	}
}

func TestTerminalInTmux(t *testing.T) {
	dir := t.TempDir()
	p := &pane{t: t, dir: dir, env: append(os.Environ(), sessionEnv+"=1", "XDG_STATE_HOME="+dir, "TMUX_TMPDIR="+dir, "INPUTRC=/dev/null", browser.NoneEnv+"=1", "TMUX=", "NO_COLOR=")}
	if err := os.WriteFile(filepath.Join(dir, "mixture.csv"), []byte("a,b\n1,2\n3,5\n4,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.start()
	t.Cleanup(func() {
		if t.Failed() && p.alive() {
			p.tmux("kill-server")
		}
	})

	// Lines go on until the Go is complete, indented and dedented.
	p.enters("func fact(n int) int {")
	p.enters("if n == 0 {")
	p.enters("return 1")
	p.keys("}", "Enter")
	p.enters("return n * fact(n-1)")
	p.keys("}", "Enter")
	p.sees("symmom> func fact(n int) int {\n            if n == 0 {\n                return 1\n            }\n            return n * fact(n-1)\n        }\nsymmom>")
	p.enters("fact(20)")
	p.sees("\n2432902008176640000\n")
	if colors := p.tmux("capture-pane", "-p", "-e", "-t", "repl"); !regexp.MustCompile(`\x1b\[35m(\x1b\[\d+m)*func\x1b`).MatchString(colors) {
		t.Errorf("func is not colored: %q", colors)
	}

	// Completion: what is common is inserted, and a menu has the signatures.
	p.clears()
	p.types("data := symmom.Lo")
	p.keys("Tab")
	p.sees("symmom> data := symmom.Load\n")
	p.sees("LoadMatrix     (path string, options ...symmom.LoadOptions) (*mat.Dense, error)  LoadMatrix reads a matrix")
	p.types(`("mix`)
	p.sees(`symmom.Load("mix`)
	p.keys("Tab") // the only file
	p.sees(`symmom.Load("mixture.csv`)
	p.types(`")`)
	p.keys("Enter")
	p.ends("symmom>")
	p.types("data.Mom")
	p.keys("Tab")
	p.sees("data.Moment")
	p.types("(2).Decompose(2).Sco")
	p.keys("Tab")
	p.sees("Decompose(2).Score")
	p.clears()
	p.enters("data")
	p.sees("mixture.csv: 3 observations of 2 variables")
	p.enters("%wh")
	p.sees("%wh: no such command; did you mean %who?")
	p.enters("?symmom.Load")
	p.sees("Load reads a table from a file")

	// A program is pasted whole.
	p.clears()
	program := filepath.Join(dir, "program.txt")
	if err := os.WriteFile(program, []byte("total := 0\nfor i := 0; i < 5; i++ {\n\tif i > 2 {\n\t\ttotal += i\n\t}\n}\n\ntotal * 100"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.tmux("load-buffer", program)
	p.tmux("paste-buffer", "-p", "-t", "repl")
	p.sees("total * 100")
	p.keys("Enter")
	p.sees("\n700\n")

	// Ctrl-C stops a decomposition, whose curve of f is on the last line.
	p.clears()
	p.enters("long := datasets.Uniform(300, 20000, 1).Moment(3).Implicit().With(symmom.Options{Tolerance: 1e-12})")
	p.enters("fit := long.Decompose(20)")
	p.sees("(Ctrl-C stops)")
	p.sees("▁  f -")
	watch := clock.Start()
	p.keys("C-c")
	p.sees("interrupted; the best result so far, if any, is kept\nsymmom>")
	// TestInterrupt measures; here tmux and the screen have their share.
	if _, took := watch.Took(); took > 3*sessiontest.Promised {
		t.Errorf("Ctrl-C took %v", took)
	}
	p.enters("fit")
	p.sees("decompose: interrupted")
	p.enters("charts.Convergence(fit)")
	p.sees("saved as a page: ")

	// Ctrl-D leaves; the next session has the history, and searches it.
	p.ends("symmom>")
	p.leaves()
	p.start()
	p.keys("C-r")
	p.types("mixt")
	p.sees(`symmom> data := symmom.Load("mixture.csv")`)
	p.keys("Enter")
	p.waits("not evaluated", func(screen string) bool { return strings.Count(screen, "symmom>") == 2 })
	p.enters("data")
	p.sees("mixture.csv: 3 observations of 2 variables")
	p.clears()
	p.keys("Up", "Up")
	p.sees(`symmom> data := symmom.Load("mixture.csv")`)
	p.clears()
	p.leaves()
}

// Nothing that was printed is written over once the screen is full.
func TestFullScreenInTmux(t *testing.T) {
	dir := t.TempDir()
	p := &pane{t: t, dir: dir, rows: 10, env: append(os.Environ(), sessionEnv+"=1", "XDG_STATE_HOME="+dir, "TMUX_TMPDIR="+dir, "INPUTRC=/dev/null", "TMUX=")}
	p.start()
	t.Cleanup(func() {
		if t.Failed() && p.alive() {
			p.tmux("kill-server")
		}
	})
	var want strings.Builder
	turn := func(input, shown string) {
		t.Helper()
		want.WriteString("symmom> " + strings.ReplaceAll(input, "\n", "\n        ") + "\n" + shown + "\n")
		for line := range strings.SplitSeq(input, "\n") {
			p.enters(strings.TrimLeft(line, " "))
		}
		p.ends(shown + "\nsymmom>")
	}
	for i := range 8 {
		turn(fmt.Sprintf("%d + 100", i), fmt.Sprint(i+100))
	}
	turn("for i := range 3 {\n    fmt.Println(i * i)\n}", "0\n1\n4")
	wide := strings.Repeat("a", 100)
	turn(`panic("x")`, "1:1: panic: x\n    panic(\"x\")\n    ^")
	p.keys("Up", "Up") // a longer input than the one it replaces
	p.ends("symmom> for i := range 3 {\n            fmt.Println(i * i)\n        }")
	p.keys("Enter")
	want.WriteString("symmom> for i := range 3 {\n            fmt.Println(i * i)\n        }\n0\n1\n4\n")
	p.ends("0\n1\n4\nsymmom>")
	p.types(`len("` + wide + `")`) // goes on in the next row
	p.sees(`")`)
	p.keys("Enter")
	want.WriteString("symmom> len(\"" + wide[:97] + "\naaa\")\n100\n")
	p.ends("\n100\nsymmom>")
	screen := p.tmux("capture-pane", "-p", "-S", "-1000", "-t", "repl")
	_, got, _ := strings.Cut(screen, "symmom> ")
	if got = strings.TrimRight("symmom> "+got, " \n"); got != want.String()+"symmom>" {
		t.Errorf("the terminal shows\n%s\nwant\n%s", got, want.String())
	}
	p.leaves()
}

// TestLongMenuInTmux: a menu longer than the screen leaves the input in sight.
func TestLongMenuInTmux(t *testing.T) {
	for _, rows := range []int{24, 12} {
		dir := t.TempDir()
		p := &pane{t: t, dir: dir, rows: rows, env: append(os.Environ(), sessionEnv+"=1", "XDG_STATE_HOME="+dir, "TMUX_TMPDIR="+dir, "INPUTRC=/dev/null", "TMUX=")}
		p.start()
		t.Cleanup(func() {
			if t.Failed() && p.alive() {
				p.tmux("kill-server")
			}
		})
		p.enters("fit := datasets.Uniform(20, 500, 1).Moment(3).Decompose(2)")
		p.ends("symmom>")
		p.types("fit.")
		p.sees("symmom> fit.")
		p.keys("Tab")
		screen := p.sees("more completion rows")
		if got, _, _ := strings.Cut(screen, "\n"); got != "symmom> fit." || !strings.HasPrefix(screen, "symmom> fit.\nfields\nAtBest ") {
			t.Errorf("%d rows: the screen is\n%s", rows, screen)
		}
		for range rows + 4 { // down the menu, which goes on
			p.keys("Tab")
		}
		screen = p.waits("the menu does not go on", func(screen string) bool { return !strings.Contains(screen, "AtBest ") })
		if !strings.HasPrefix(screen, "symmom> fit.") || strings.Count(screen, "symmom>") != 1 {
			t.Errorf("%d rows, further down: the screen is\n%s", rows, screen)
		}
		p.keys("C-u")
		p.ends("symmom>")
		p.types("fit.Sc")
		p.sees("symmom> fit.Sc")
		p.keys("Tab")
		p.types("(")
		if screen = p.sees("fit.Score"); strings.Contains(screen, "AtBest") || strings.Count(screen, "symmom>") != 1 {
			t.Errorf("%d rows, of the menu before there remains\n%s", rows, screen)
		}
		p.clears()
		p.leaves()
	}
}
