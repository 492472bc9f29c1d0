package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
	"symmom/lab"
	"symmom/repl"
)

// openPTY opens a pseudo terminal of 80 x 24.
func openPTY(t *testing.T) (master, slave *os.File) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	check(err)
	fd := int(master.Fd())
	check(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	check(err)
	check(unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	check(err)
	t.Cleanup(func() { slave.Close(); master.Close() })
	return master, slave
}

// person sits at a terminal: types, and waits for what is to appear.
type person struct {
	t      *testing.T
	master *os.File
	seen   sessiontest.Buffer
	read   int // of seen, by what was waited for
}

func newPerson(t *testing.T, master *os.File) *person {
	p := &person{t: t, master: master}
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			p.seen.Write(b[:n])
		}
	}()
	return p
}

func (p *person) types(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// sees waits until text has appeared, after all that was seen before.
func (p *person) sees(text string) {
	p.t.Helper()
	for begin := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		plain := sessiontest.Escapes.ReplaceAllString(p.seen.String(), "")
		if i := strings.Index(plain[min(p.read, len(plain)):], text); i >= 0 {
			p.read += i + len(text)
			return
		}
		if time.Since(begin) > sessiontest.Enough {
			p.t.Fatalf("no %q on the screen after:\n%s", text, plain[min(p.read, len(plain)):])
		}
	}
}

const sessionEnv = "SYMMOM_TEST_SESSION"

// TestMain is the program itself when a test has started it for that.
func TestMain(m *testing.M) {
	if os.Getenv(sessionEnv) == "" {
		os.Exit(m.Run())
	}
	err := Run(context.Background(), Options{Library: lab.Library()})
	var exit *repl.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.Code)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	os.Exit(0)
}

// startSession starts the program with its own terminal.
func startSession(t *testing.T, env ...string) (*person, *exec.Cmd) {
	t.Helper()
	master, slave := openPTY(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append([]string{sessionEnv + "=1", "TERM=xterm-256color", "INPUTRC=/dev/null"}, env...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // fails when it has ended
	return newPerson(t, master), cmd
}

// ended waits for the program, and returns its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the code says it all
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(sessiontest.Enough):
		t.Fatal("the program does not end")
	}
	return cmd.ProcessState.ExitCode()
}

func TestTerminal(t *testing.T) {
	state := t.TempDir()
	p, cmd := startSession(t, "XDG_STATE_HOME="+state)
	p.sees("Ctrl-D leaves")
	p.sees("Try: ")
	p.sees("symmom> ")
	p.types("x := 20\r")
	p.sees("symmom> ")
	p.types("x + 1\r")
	p.sees("\n21")
	p.types("func fact(n int) int {\rif n == 0 { return 1 }\rreturn n * fact(n-1)\r}\r")
	p.types("fact(x)\r")
	p.sees("2432902008176640000")
	p.types("x + wrong\r")
	p.sees("1:5: undefined: wrong")
	p.sees("        ^")
	p.types("no such\x03") // Ctrl-C gives the line up
	p.sees("^C")
	p.sees("symmom> ")
	p.types("long := datasets.Uniform(100, 3000, 1).Moment(3).Implicit().With(symmom.Options{Tolerance: 1e-12})\r")
	p.types("fit := long.Decompose(20)\r")
	p.sees("f -") // before the first evaluation there is nothing to keep
	p.sees("(Ctrl-C stops)")
	watch := clock.Start()
	p.types("\x03")
	p.sees("interrupted; the best result so far, if any, is kept")
	if _, d := watch.Took(); d > sessiontest.Promised {
		t.Errorf("Ctrl-C took %v", d)
	}
	p.types("fit\r")
	p.sees("Fit of rank 20")
	p.types("println(6 * 7); for {}\r") // the line is echoed before it runs
	p.sees("\n42")
	p.types("\x03")
	p.sees("interrupted")
	p.types("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\r") // Up, to x + wrong
	p.sees("undefined: wrong")
	p.types("\x1b[200~y := 1\nif y > 0 {\n\ty++\n}\ny * 100\x1b[201~\r") // a paste
	p.sees("\n200")
	p.types("import \"fmt\"; fmt.Print(\"no newline\")\r")
	p.sees("no newline\r\nsymmom> ")
	p.types("\x04")
	if code := ended(t, cmd); code != 0 {
		t.Errorf("Ctrl-D: exit code %d", code)
	}
	lines := openHistory(state + "/symmom/history").lines
	if len(lines) < 9 || lines[0] != "x := 20" || lines[2] != "func fact(n int) int {\n    if n == 0 { return 1 }\n    return n * fact(n-1)\n}" {
		t.Errorf("history %q", lines)
	}
}

// TestTerminalEndlessMethods: the methods of a value at the end of an input are part of
// it, for Ctrl-C and for what ends it.
func TestTerminalEndlessMethods(t *testing.T) {
	p, cmd := startSession(t, "XDG_STATE_HOME="+t.TempDir())
	p.sees("symmom> ")
	p.types("kept := 7\r")
	p.types("type Deep struct{ n int }\rfunc (d Deep) String() string { return fmt.Sprintf(\"Deep(%v)\", d) }\r")
	p.types("type Busy struct{ n int }\rfunc (b Busy) String() string { print(\"begun\"); for { b.n++ }; return \"\" }\r")
	p.types("Deep{1}\r")
	p.sees("stack overflow: a function calls itself")
	p.types("self := map[string]any{}; self[\"self\"] = self; self\r")
	p.sees("map[string]interface {} that contains itself")
	p.types("Busy{}\r")
	p.sees("\nbegun")
	watch := clock.Start()
	p.types("\x03")
	p.sees("interrupted")
	if _, d := watch.Took(); d > sessiontest.Promised {
		t.Errorf("Ctrl-C took %v", d)
	}
	p.types("make([]float64, 30_000_000)\r")
	p.sees("\n[0 0 0 0 ... 29,999,992 more ... 0 0 0 0]")
	p.types("kept * 6\r")
	p.sees("\n42")
	p.sees("symmom> ")
	p.types("\x04")
	if code := ended(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Ctrl-C closes a menu and gives up the line, and what was typed at once after it is the
// next line.
func TestTerminalInterruptedMenu(t *testing.T) {
	p, _ := startSession(t, "XDG_STATE_HOME="+t.TempDir())
	p.sees("symmom> ")
	p.types("x := 41\r")
	p.sees("symmom> ")
	for range 2 {
		p.types("charts.\t")
		p.sees("completion rows")
		p.types("\x03x+1\r")
		p.sees("\n42")
		p.sees("symmom> ")
	}
}

// A cell that waits for input and is interrupted leaves the keys of the next line alone;
// one that is not gets what is typed.
func TestTerminalInterruptedInput(t *testing.T) {
	for _, kind := range []string{"xterm-256color", "dumb"} {
		p, cmd := startSession(t, "TERM="+kind, "XDG_STATE_HOME="+t.TempDir())
		p.sees("symmom> ")
		p.types("import (\"bufio\"; \"os\")\r")
		p.sees("symmom> ")
		p.types("x, word, in := 41, \"\", bufio.NewReader(os.Stdin)\r")
		p.sees("symmom> ")
		for _, read := range []string{"fmt.Scan(&word)", "word, _ = in.ReadString(10)"} {
			p.types("println(6*7); " + read + "\r")
			p.sees("\n42")
			p.types("\x03")
			p.sees("interrupted")
			p.sees("symmom> ")
			p.types("x+1\r")
			p.sees("\n42")
			p.sees("symmom> ")
			p.types("println(6*7); " + read + "\r")
			p.sees("\n42")
			p.types("typed\r")
			p.sees("symmom> ")
			p.types("\"<\" + word[:5]\r")
			p.sees("\n<typed")
			p.sees("symmom> ")
		}
		p.types("\x04")
		if code := ended(t, cmd); code != 0 {
			t.Errorf("%s: exit code %d", kind, code)
		}
	}
}

func TestTerminalLeaves(t *testing.T) {
	for keys, code := range map[string]int{"exit\r": 0, "quit()\r": 0, "import \"os\"; os.Exit(7)\r": 7, "import \"os\"; os.Exit(0)\r": 0} {
		p, cmd := startSession(t, "XDG_STATE_HOME="+t.TempDir())
		p.sees("symmom> ")
		p.types(keys)
		if got := ended(t, cmd); got != code {
			t.Errorf("%q: exit code %d", keys, got)
		}
	}
	p, cmd := startSession(t, "XDG_STATE_HOME="+t.TempDir())
	p.sees("symmom> ")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := ended(t, cmd); got != 128+int(syscall.SIGTERM) {
		t.Errorf("SIGTERM: exit code %d", got)
	}
	state, err := unix.IoctlGetTermios(int(p.master.Fd()), unix.TCGETS)
	if err != nil || state.Lflag&unix.ICANON == 0 {
		t.Errorf("the terminal is left raw (%v)", err)
	}
}

// A terminal that the line editor cannot work on is read line by line. This
// runs within the test's process, whose own SIGINT stands for Ctrl-C.
func TestPlainTerminal(t *testing.T) {
	master, slave := openPTY(t)
	p := newPerson(t, master)
	done := make(chan error, 1)
	go func() {
		done <- Run(t.Context(), Options{Stdin: slave, Stdout: slave, Stderr: slave, Unrestricted: true, Library: lab.Library()})
	}()
	ctrlC := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	p.sees("symmom (unrestricted)> ")
	p.types("func f() int {\n")
	p.sees("..> ")
	p.types("return 4 }\n")
	p.sees("symmom (unrestricted)> ")
	p.types("f() * 10\n")
	p.sees("\n40")
	p.sees("> ")
	p.types("func g() {\n")
	p.sees("..> ")
	ctrlC()
	p.sees("symmom (unrestricted)> ")
	p.types("f(\n\n") // an empty line gets out
	p.sees("missing at the end")
	p.types("\n\n")
	p.types("import \"fmt\"; fmt.Print(\"no newline\"); datasets.Uniform(100, 5000, 1).Moment(3).With(symmom.Options{Tolerance: 1e-14, RelativeDecrease: -1}).Decompose(10)\n")
	p.sees("f -")
	p.sees("(Ctrl-C stops)")
	ctrlC()
	p.sees("Fit of rank 10")
	p.sees("interrupted; the best result so far, if any, is kept")
	p.sees("> ")
	p.types("\x04")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestStatusLine(t *testing.T) {
	master, slave := openPTY(t)
	p := newPerson(t, master)
	l := newStatusLine(slave)
	w := l.beside(slave, slave)
	l.progress(repl.Progress{Doing: "rank 3", Label: "f", Curve: 3, Elapsed: time.Millisecond, Remaining: -1}) // too early to show
	fmt.Fprint(w, "some text")
	l.progress(repl.Progress{Doing: "rank 3  start 5 of 10  iteration 7", Label: "f", Value: -1.5, Curve: 3, Elapsed: time.Second, Remaining: 2 * time.Second})
	p.sees("some text\r\n")
	p.sees("rank 3  start 5 of 10  iteration 7  f -1.5  1s, 2s left")
	drawn := func(at time.Time) { // as if it was then, whatever the machine does between
		l.mu.Lock()
		defer l.mu.Unlock()
		l.drawn = at
	}
	drawn(time.Now().Add(time.Hour))
	l.progress(repl.Progress{Doing: "rank 4", Curve: 4, Elapsed: time.Second}) // too soon after the last
	fmt.Fprintln(w, "a line")
	p.sees("a line")
	drawn(time.Now().Add(-redraw))
	l.progress(repl.Progress{Doing: "rank 5", Curve: 5, Elapsed: time.Second})
	p.sees("rank 5")
	l.progress(repl.Progress{Doing: "rank 5", Curve: 5, Done: true})
	fmt.Fprintln(w, "end")
	p.sees("end")
	if raw := p.seen.String(); strings.Contains(raw, "rank 4") || strings.Count(raw, eraseLine) != 4 {
		t.Errorf("%q", raw)
	}
	t.Setenv("TERM", "dumb") // where a line cannot be erased
	if newStatusLine(slave) != nil || newStatusLine(&p.seen) != nil {
		t.Error("a status line where there is no terminal")
	}
}
