package kernel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
)

// attack is a kernel in its own process, a person who works in it, and a record of
// what was tried on it.
type attack struct {
	*client
	t          *testing.T
	r          *rand.Rand
	connection Connection
	open       []net.Conn
	tried      map[string]int
	pid        int
	slowest    time.Duration // of the cells that should be fast
}

// hangs reports whether the kernel has run too long since then: it computed for too
// long, or neither computed nor waited for a processor, all of which other programs
// may have taken.
func (a *attack) hangs(begin time.Time, before threads) bool {
	now := threadsOf(a.pid)
	return now.ran-before.ran > torture.Hang || time.Since(begin)-(now.waited-before.waited) > 3*torture.Hang
}

// threads holds how long the threads of a process have computed, and waited for a
// processor.
type threads struct{ ran, waited time.Duration }

// threadsOf asks the system, if it reports this.
func threadsOf(pid int) (sum threads) {
	paths, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is well formed
	for _, p := range paths {
		var ran, waited time.Duration
		if text, err := os.ReadFile(p); err == nil {
			if n, _ := fmt.Sscan(string(text), &ran, &waited); n == 2 {
				sum.ran, sum.waited = sum.ran+ran, sum.waited+waited
			}
		}
	}
	return sum
}

// TestTortureKernel does what hostile and careless people do, in random order:
// forged and damaged messages, connections that announce much and send little,
// subscribers that never read, interrupts at any moment, cells of all sorts. After
// each the kernel must compute 40 + 2.
func TestTortureKernel(t *testing.T) {
	slow.Test(t)
	c := freeConnection(t)
	file := filepath.Join(t.TempDir(), "kernel-1.json")
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, log := kernelProcess(t, c, file)
	a := &attack{client: connect(t, c), t: t, r: torture.Source(t), connection: c, tried: map[string]int{}, pid: cmd.Process.Pid}
	a.must("import (\"time\"; \"sync\"; \"strings\"; \"errors\"; \"sort\")\ntotal := 0\nfunc twice(x int) int { return 2 * x }\ntype point struct{ X, Y int }")
	deadline := time.Now().Add(torture.Duration(t))
	attacks := []func(){a.forge, a.forge, a.connectBadly, a.connectBadly, a.listenSilently, a.interruptSomething, a.interruptSomething, a.runSomething, a.runSomething, a.runSomething}
	for time.Now().Before(deadline) && !t.Failed() {
		attacks[a.r.IntN(len(attacks))]()
		begin := time.Now()
		a.compute()
		a.slowest = max(a.slowest, time.Since(begin))
		for len(a.news) > 0 {
			<-a.news
		}
		for len(a.replies) > 0 {
			<-a.replies
		}
	}
	for _, conn := range a.open {
		conn.Close()
	}
	peak := peakMemory(cmd.Process.Pid)
	torture.Report(t, "%d messages forged or damaged, %d bad connections, %d silent subscribers, %d interrupts, %d cells; the kernel is alive; 40 + 2 took %v at most, the kernel %d MB at most",
		a.tried["messages"], a.tried["connections"], a.tried["subscribers"], a.tried["interrupts"], a.tried["cells"], a.slowest.Round(time.Millisecond), peak>>20)
	if peak > 2*torture.Memory {
		t.Errorf("the kernel took %d MB", peak>>20)
	}
	a.send(a.control, "shutdown_request", dict{"restart": false})
	if err := cmd.Wait(); err != nil || strings.Contains(log.String(), "goroutine ") {
		_, race, _ := strings.Cut(log.String(), "WARNING: DATA RACE") // of a kernel built with -race
		t.Errorf("%v\n%.3000s\n%.6000s", err, log, race)
	}
}

// peakMemory returns the maximum memory of a process, if the system reports it.
func peakMemory(pid int) (bytes int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &bytes); err == nil {
			return bytes << 10
		}
	}
	return 0
}

// forge sends messages: without the key, repeated, and signed but damaged.
func (a *attack) forge() {
	kinds := []string{"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request", "comm_open", "kernel_info_request", "no_such_request"}
	sockets := []zmq4.Socket{a.shell, a.control, a.stdin}
	for range 50 {
		_, frames := a.frames(kinds[a.r.IntN(len(kinds))], dict{"code": "total += 1e6", "cursor_pos": a.r.IntN(20) - 5, "detail_level": a.r.IntN(3), "hist_access_type": "tail", "n": a.r.IntN(100) - 50})
		i := a.r.IntN(len(frames))
		frames[i] = torture.Mutate(a.r, frames[i])
		switch {
		case a.r.IntN(3) > 0: // signed
			frames[1] = a.speak.signer.sign(frames[2:6])
		case a.r.IntN(4) == 0:
			frames = frames[:a.r.IntN(len(frames))+1]
		}
		if err := sockets[a.r.IntN(len(sockets))].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
			a.t.Fatal(err)
		}
		a.tried["messages"]++
	}
}

// connectBadly opens connections that send too little or too much.
func (a *attack) connectBadly() {
	for range 10 {
		port := []int{a.connection.ShellPort, a.connection.IOPubPort, a.connection.StdinPort, a.connection.ControlPort, a.connection.HeartbeatPort}[a.r.IntN(5)]
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			a.t.Fatal(err)
		}
		a.tried["connections"]++
		data := hello("", "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER")
		switch a.r.IntN(5) {
		case 0:
			data = torture.Mutate(a.r, data)
		case 1:
			data = data[:a.r.IntN(len(data))]
		case 2: // announces much, sends little
			data = binary.BigEndian.AppendUint64(append(data, longFrame), uint64(a.r.IntN(maxMessage)))
			data = append(data, make([]byte, a.r.IntN(1<<16))...)
		case 3: // many frames
			data = append(data, strings.Repeat("\x01\x00", a.r.IntN(1<<16))...)
		case 4:
			data = append(data, torture.Mutate(a.r, []byte("\x01\x02ab\x01\x09<IDS|MSG>\x01\x02{}\x01\x02{}\x04\x07\x04PING\x00\x00\x00\x02{}"))...)
		}
		// The kernel may hang up at any point.
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = conn.Write(data)
		a.hold(conn)
	}
}

// hold keeps a connection open, and closes an older one.
func (a *attack) hold(conn net.Conn) {
	a.open = append(a.open, conn)
	if len(a.open) > 200 {
		i := a.r.IntN(len(a.open))
		a.open[i].Close()
		a.open[i] = a.open[len(a.open)-1]
		a.open = a.open[:len(a.open)-1]
	}
}

// listenSilently subscribes and never reads, and prints.
func (a *attack) listenSilently() {
	for range 1 + a.r.IntN(5) {
		conn := subscribe(a.t, a.connection, "", strings.Repeat("t", a.r.IntN(maxTopic)))
		a.tried["subscribers"]++
		a.hold(conn)
	}
	a.run(fmt.Sprintf("for i := 0; i < %d; i++ { fmt.Println(strings.Repeat(\"x\", 1<<20)) }", 1+a.r.IntN(30)))
}

// endless are cells that an interrupt must end.
var endless = []string{
	"for { total++ }", "time.Sleep(time.Hour)", "for { fmt.Println(total) }", "select {}", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()",
	"for { done := make(chan bool, 1); done <- true; <-done }", "for { func() { defer func() { recover() }(); panic(1) }() }", "<-make(chan int)",
	"datasets.Uniform(30, 5000, 1).Moment(3).Implicit().With(symmom.Options{Solver: \"lbfgs\", Tolerance: -1, RelativeDecrease: -1}).Decompose(4)",
	"for range 3 { go func() { n := 0; for { n++ } }() }\nfor { }",
}

func (a *attack) interruptSomething() {
	code := endless[a.r.IntN(len(endless))]
	id := a.send(a.shell, "execute_request", dict{"code": code, "stop_on_error": false})
	time.Sleep(time.Duration(a.r.IntN(50_000)) * time.Microsecond)
	a.tried["cells"]++
	for begin, before := time.Now(), threadsOf(a.pid); ; {
		a.interrupt()
		a.tried["interrupts"]++
		select {
		case m := <-a.replies:
			if m.parent != id {
				continue // to a damaged message that was signed
			}
			if m.content["ename"] != "interrupted" {
				a.t.Fatalf("%s: %v", code, m)
			}
			return
		case <-time.After(promised): // one that comes before the cell has begun interrupts nothing
			if a.hangs(begin, before) {
				a.t.Fatalf("%s goes on %v after an interrupt", code, time.Since(begin))
			}
		}
	}
}

// evil are cells that try to end the kernel, run among ordinary ones. None may
// succeed.
var evil = []string{
	"total += %d", "x := twice(%d)\nx", "func f(a int) int { return a + %d }\nf(1)", "[]point{{%d, 1}, {2, 3}}", "nothing + %d", "panic(%d)", "type point struct{ X, Y int }",
	"func g(n int) int { return g(n+1) + %d }\ng(0)", "var p *point\np.X = %d", "var mu sync.Mutex\nmu.Unlock()", "var rw sync.RWMutex\nrw.RUnlock()",
	"(&sync.WaitGroup{}).Done()", "close((chan int)(nil))", "go func() { panic(%d) }()", "import \"os\"\nos.Exit(%d)", "errors.New(\"x\").(interface{ No() }).No()",
	"c := make(chan int)\nclose(c)\nclose(c)", "var e error\ne.Error()", "[]int{1}[%d+1]", "defer func() { panic(recover()) }()\npanic(%d)",
	"import \"testing\"\ntesting.Main(nil, nil, nil, nil)", "import \"runtime/debug\"\ndebug.SetMaxThreads(1)", "import \"runtime/debug\"\ndebug.SetMaxStack(1)", "import \"runtime\"\nruntime.Goexit()",
	"import \"net/http/cgi\"", "import \"os/exec\"", "(&os.Process{Pid: 1}).Kill()", "os.OpenFile(\"/proc/self/mem\", os.O_RDWR, 0)",
	"sort.Slice([]int{3, 2, 1}, func(i, j int) bool { panic(%d) })", "big := make([]float64, 1<<17)\nlen(big)", "mat.NewDense(2, 2, nil).At(%d, 7)",
	"symmom.Load(\"/dev/null\").Moment(3).Decompose(%d)", "display.Show(display.HTML(strings.Repeat(\"<b>\", 1000)))",
	"strings.Repeat(\"x\", -%d-1)", "var m map[string]int\nm[\"a\"] = %d", "a, b := 1, 0\na / b", "L: for { for { break L } }",
}

func (a *attack) runSomething() {
	for range 5 {
		code := evil[a.r.IntN(len(evil))]
		if strings.Contains(code, "%d") {
			code = fmt.Sprintf(code, a.r.IntN(100))
		}
		a.run(code)
	}
}

// run runs a cell and returns its output. Answers to damaged messages may come in
// between.
func (a *attack) run(code string) (content map[string]any, id string) {
	id = a.send(a.shell, "execute_request", dict{"code": code, "stop_on_error": false})
	a.tried["cells"]++
	for begin, before := time.Now(), threadsOf(a.pid); ; {
		select {
		case m := <-a.replies:
			if m.parent == id {
				return m.content, id
			}
		case <-time.After(time.Second):
			if a.hangs(begin, before) {
				a.t.Fatalf("%s goes on after %v", code, time.Since(begin))
			}
		}
	}
}

// compute checks that the kernel still works.
func (a *attack) compute() {
	for {
		content, id := a.run("40 + 2")
		if content["status"] == "aborted" { // after a damaged message that failed
			continue
		}
		if content["status"] != "ok" {
			a.t.Fatalf("40 + 2 is %v", content)
		}
		m := a.await(id, func(r *reply) bool { return r.kind == "execute_result" })
		if m.data("text/plain") != "42" {
			a.t.Fatalf("40 + 2 is %v", m)
		}
		return
	}
}
