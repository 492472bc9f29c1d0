package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/slow"
	"symmom/repl"
)

const manyLines = 100_000

func TestManyLinesArriveWholeAndInOrder(t *testing.T) {
	c := connect(t, start(t).connection)
	_, shown := c.run(fmt.Sprintf("import \"fmt\"\nfor i := 0; i < %d; i++ { fmt.Println(\"line\", i) }", manyLines))
	text := printed(shown, "stdout")
	i := 0
	for line := range strings.Lines(text) {
		if line != fmt.Sprintf("line %d\n", i) {
			t.Fatalf("line %d is %q", i, line)
		}
		i++
	}
	if i != manyLines {
		t.Errorf("%d lines", i)
	}
	if len(shown) > 1000 {
		t.Errorf("%d messages", len(shown))
	}
}

func TestPrintingKeepsItsOrder(t *testing.T) {
	c := connect(t, start(t).connection)
	_, shown := c.run(`import ("fmt"; "os"; "log"; "time")
log.SetFlags(0)
fmt.Print("1 ")
log.Print("2")

fmt.Print("4 ")
done := make(chan bool)
go func() { fmt.Print("5 "); done <- true }()
<-done
fmt.Print("ü")
time.Sleep(150 * time.Millisecond)
fmt.Print("7")
fmt.Fprint(log.Writer(), "8")`)
	// How much is in one message depends on timing.
	var got []string
	for i, r := range shown[1:] {
		if i > 0 && shown[i].text("name") == r.text("name") {
			got[len(got)-1] += r.text("text")
			continue
		}
		got = append(got, r.text("name")+" "+r.text("text"))
	}
	want := []string{"stdout 1 ", "stderr 2\n", "stdout 4 5 ü7", "stderr 8"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	// Output of a goroutine after its cell has ended arrives, too.
	ended := filepath.Join(t.TempDir(), "ended")
	id := c.send(c.shell, "execute_request", dict{"code": fmt.Sprintf(`go func() {
	for _, err := os.Stat(%q); err != nil; _, err = os.Stat(%[1]q) {
		time.Sleep(time.Millisecond)
	}
	fmt.Print("late")
}()`, ended)})
	c.output(id)
	if err := os.WriteFile(ended, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := c.expect(c.news, "stream"); r.parent != id || r.text("text") != "late" {
		t.Error(r)
	}
}

// Output of a long cell arrives while it runs.
func TestPrintingArrivesAsItHappens(t *testing.T) {
	c := connect(t, start(t).connection)
	c.must("import (\"fmt\"; \"time\")")
	watch := clock.Start()
	c.send(c.shell, "execute_request", dict{"code": "for i := 0; ; i++ { fmt.Println(i); time.Sleep(time.Millisecond) }"})
	for range 20 {
		c.expect(c.news, "stream")
	}
	if _, took := watch.Took(); took > 2*time.Second {
		t.Errorf("20 messages took %v, want ten a second at least", took)
	}
	c.interrupt()
	c.expect(c.replies, "execute_reply")
}

func TestCharactersAreNotCut(t *testing.T) {
	for text, whole := range map[string]int{"": 0, "a": 1, "ä": 2, "a\xc3": 1, "a\xe2\x82": 1, "a\xe2\x82\xac": 4, "\xf0\x9f\x98": 0, "\xff": 1, "\x80\x80\x80\x80\x80": 5} {
		if got := wholeCharacters([]byte(text)); got != whole {
			t.Errorf("%q: %d, want %d", text, got, whole)
		}
	}
}

// captureMain is what TestProcessStreams runs in a separate process.
func captureMain() {
	k := &kernel{session: "s"}
	var err error
	if k.signer, err = newSigner("", ""); err != nil {
		panic(err)
	}
	k.iopub = &socket{}
	k.main = newShell(k, "")
	o := k.main.output
	log, err := o.capture()
	if err != nil {
		panic(err)
	}
	var got []string
	take := func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.drain()
		got = append(got, o.name+":"+string(o.text))
		o.text = nil
	}
	fmt.Print("compiled ")
	fmt.Fprint(o.stream("stdout"), "interpreted ")
	os.Stdout.WriteString("compiled again ")
	fmt.Fprint(o.stream("stdout"), "and on")
	take()
	fmt.Fprint(os.Stderr, "trouble")
	take()
	// More than a pipe holds; only the reader drains it.
	fmt.Print(strings.Repeat("x", 1<<20))
	o.flush()
	fmt.Fprint(log, "log")
	o.release()
	fmt.Print("after ")
	text, err := json.Marshal(got)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func TestMain(m *testing.M) {
	if os.Getenv("KERNEL_CAPTURE") != "" {
		captureMain()
		return
	}
	if file := os.Getenv("KERNEL_RUN"); file != "" {
		processMain(file)
		return
	}
	os.Exit(m.Run())
}

func TestProcessStreams(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KERNEL_CAPTURE=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	want := `after ["stdout:compiled interpreted compiled again and on","stderr:trouble"]` + "\n"
	if string(out) != want || stderr.String() != "log" {
		t.Errorf("stdout %q\nstderr %q\nwant   %q", out, &stderr, want)
	}
}

// A decomposition that takes a while shows a bar that moves at most ten times a
// second, and leaves one line.
func TestProgress(t *testing.T) {
	c := connect(t, start(t).connection)
	begin := time.Now()
	_, shown := c.run(`fit := datasets.Uniform(40, 20000, 1).Moment(3).Implicit().With(symmom.Options{Solver: "lbfgs", Tolerance: -1, RelativeDecrease: -1, MaxIterations: 150, Starts: 24}).Decompose(6);`)
	took := time.Since(begin)
	if n := len(shown); n < 4 || float64(n) > 4+10*took.Seconds() {
		t.Fatalf("%d messages in %v: %s", n, took, kinds(shown))
	}
	if shown[1].kind != "display_data" || shown[2].kind != "update_display_data" {
		t.Errorf("%s", kinds(shown))
	}
	last := shown[len(shown)-1]
	text := fmt.Sprint(last.data("text/plain"))
	if last.kind != "update_display_data" || !strings.HasPrefix(text, "done: rank 6, 24 of 24 starts") || strings.Contains(text, "\n") {
		t.Errorf("%s %q", last.kind, text)
	}
	// A short one shows none, but on a busy machine it may not be short.
	begin = time.Now()
	if _, shown := c.run("datasets.Uniform(5, 100, 1).Moment(3).Decompose(1);"); len(shown) != 1 && time.Since(begin) < quiet {
		t.Errorf("%s", kinds(shown))
	}
}

func TestBarNeedsNoEnd(t *testing.T) {
	var d []repl.Display
	k := &kernel{session: "0123456789"}
	b := &bar{kernel: k, show: func(x repl.Display) { d = append(d, x) }}
	p := repl.Progress{Doing: "start 3 of 10", Did: "2 of 10 starts", Share: .2, Elapsed: time.Second, Remaining: 2 * time.Second}
	short := p
	short.Elapsed = quiet - 1
	b.progress(short)
	b.progress(p)
	b.drawn = time.Now().Add(time.Hour) // as if no time had passed
	b.progress(p)                       // too soon
	b.end()
	b.end() // no bar is left to end
	if len(d) != 2 || d[0].Update || !d[1].Update || d[0].ID != d[1].ID || !strings.HasPrefix(fmt.Sprint(d[1].Bundle["text/plain"]), "stopped: 2 of 10 starts, 1") {
		t.Errorf("%+v", d)
	}
}

// The bar is as long as what is done, or as the time that has passed.
func TestDrawing(t *testing.T) {
	for want, p := range map[string]repl.Progress{
		strings.Repeat(".", 30) + "] write, 3%  1s":                                  {Doing: "write, 3%", Elapsed: time.Second, Remaining: -1},
		strings.Repeat("#", 15) + strings.Repeat(".", 15) + "] a  f 1.5  1s":         {Doing: "a", Label: "f", Value: 1.5, Share: .5, Elapsed: time.Second, Remaining: -1},
		strings.Repeat("#", 20) + strings.Repeat(".", 10) + "] a  2s  about 1s left": {Doing: "a", Share: .5, Elapsed: 2 * time.Second, Remaining: time.Second},
		strings.Repeat("#", 30) + "] more than all  1s":                              {Doing: "more than all", Share: 7, Elapsed: time.Second, Remaining: -1},
	} {
		if got := fmt.Sprint(drawing(p)["text/plain"]); got != "["+want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The bar of a bootstrap counts draws, and says at its end, or when it was stopped,
// how many were done.
func TestBarOfABootstrap(t *testing.T) {
	slow.Test(t)
	c := connect(t, start(t).connection)
	c.run(`m := datasets.GaussianMixture(datasets.MixtureOptions{N: 20, Components: 3, PerComponent: 2000, Sigma: .4}).Session.Mixture(3, symmom.MixtureOptions{});`)
	_, shown := c.run("e := m.Bootstrap(200, 0); e.Draws")
	if len(shown) < 4 {
		t.Fatalf("%s", kinds(shown))
	}
	first, last := fmt.Sprint(shown[1].data("text/plain")), ""
	for _, s := range shown {
		if s.kind == "update_display_data" {
			last = fmt.Sprint(s.data("text/plain"))
		}
	}
	if !strings.Contains(first, "bootstrap, draw ") || !strings.HasPrefix(last, "done: bootstrap, 200 of 200 draws, ") {
		t.Errorf("%q, then %q", first, last)
	}
}
