package kernel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

// tortured returns n, or n times SYMMOM_TORTURE for a long run.
func tortured(t *testing.T, n int) int {
	t.Helper()
	factor := os.Getenv("SYMMOM_TORTURE")
	if factor == "" {
		return n
	}
	k, err := strconv.Atoi(factor)
	if err != nil {
		t.Fatal(err)
	}
	return k * n
}

// heap returns the memory in use, in MB, after a garbage collection.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / (1 << 20)
}

// Thousands of cells, of all sorts, in one session: what they declare is kept, and
// memory grows with the size of the cells, not with what they did.
func TestThousandsOfCells(t *testing.T) {
	slow.Test(t)
	c := connect(t, start(t).connection)
	c.must("import (\"fmt\"; \"strings\")\ntotal := 0\nfunc twice(x int) int { return 2 * x }\ntype point struct{ X, Y int }")
	kinds := []func(i int) string{
		func(i int) string { return fmt.Sprintf("total += %d", i) },
		func(i int) string { return fmt.Sprintf("x := twice(%d)\nx", i) },
		func(i int) string { return fmt.Sprintf("func f(a int) int { return a + %d }\nf(1)", i) },
		func(i int) string { return "for i := 0; i < 10; i++ { fmt.Println(strings.Repeat(\"x\", i)) }" },
		func(i int) string { return fmt.Sprintf("[]point{{%d, 1}, {2, 3}}", i) },
		func(i int) string { return "nothing + 1" },
		func(i int) string { return "panic(\"on purpose\")" },
		func(i int) string { return "type point struct{ X, Y int }" },
		func(i int) string { return "mat.NewDense(3, 3, nil)" },
		func(i int) string { return "done := make(chan int)\ngo func() { done <- twice(4) }()\n<-done" },
		func(i int) string { return "big := make([]float64, 1<<17)\nlen(big)" }, // 1 MB
	}
	run := func(from, to int) {
		for i := from; i < to; i++ {
			c.send(c.shell, "execute_request", dict{"code": kinds[i%len(kinds)](i), "stop_on_error": false})
			r := c.expect(c.replies, "execute_reply")
			want := "ok"
			if k := i % len(kinds); k == 5 || k == 6 {
				want = "error"
			}
			if r.content["status"] != want {
				t.Fatalf("cell %d: %v", i, r)
			}
			for len(c.news) > 0 {
				<-c.news
			}
		}
	}
	n := tortured(t, 1000)
	begin := time.Now()
	run(0, n/10)
	before, goroutines := heap(), runtime.NumGoroutine()
	run(n/10, n)
	after := heap()
	t.Logf("%d cells in %v; %.1f MB after %d, %.1f MB at the end, %.1f KB a cell; goroutines %d, then %d",
		n, time.Since(begin).Round(time.Millisecond), before, n/10, after, 1024*(after-before)/float64(n-n/10), goroutines, runtime.NumGoroutine())
	// The interpreter keeps the compiled form of each cell, a few KB.
	if perCell := (after - before) / float64(n-n/10); perCell > 0.02 {
		t.Errorf("%.0f KB a cell are kept", 1024*perCell)
	}
	if more := runtime.NumGoroutine() - goroutines; more > 10 {
		t.Errorf("%d goroutines are left", more)
	}
	sum := 0
	for i := 0; i < n; i += len(kinds) {
		sum += i
	}
	if got := c.must("total"); got != strconv.Itoa(sum) {
		t.Errorf("total is %s, want %d", got, sum)
	}
}

// Interrupts at random moments, in all sorts of cells, leave the kernel working.
func TestManyInterrupts(t *testing.T) {
	slow.Test(t)
	c := connect(t, start(t).connection)
	c.must("import (\"time\"; \"fmt\")\nn := 0\ndata := datasets.Uniform(30, 5000, 1)")
	cells := []string{
		"for { n++ }",
		"time.Sleep(time.Hour)",
		"for { fmt.Println(n) }",
		"select {}",
		"data.Moment(3).Implicit().With(symmom.Options{Solver: \"lbfgs\", Tolerance: -1, RelativeDecrease: -1}).Decompose(4)",
		"for { done := make(chan bool, 1); done <- true; <-done }",
		"for { x := []int{1, 2, 3}; func() { defer func() { recover() }(); panic(x) }() }",
	}
	r := rand.New(rand.NewPCG(1, 2))
	slowest := time.Duration(0)
	count := tortured(t, 40)
	for i := range count {
		c.send(c.shell, "execute_request", dict{"code": cells[i%len(cells)]})
		time.Sleep(time.Duration(r.IntN(20_000)) * time.Microsecond)
		// An interrupt before the cell has begun interrupts nothing.
		for begin := time.Now(); ; {
			c.interrupt()
			select {
			case m := <-c.replies:
				if m.content["ename"] != "interrupted" {
					t.Fatalf("%s: %v", cells[i%len(cells)], m)
				}
				slowest = max(slowest, time.Since(begin))
			case <-time.After(promised):
				if time.Since(begin) > patience {
					t.Fatalf("%s goes on", cells[i%len(cells)])
				}
				continue
			}
			break
		}
		for len(c.news) > 0 {
			<-c.news
		}
		if i%10 == 0 {
			if got := c.must("1 + 1"); got != "2" {
				t.Fatal(got)
			}
		}
	}
	t.Logf("%d interrupts, the slowest took %v", count, slowest.Round(time.Millisecond))
	if got := c.must("n > 0"); got != "true" {
		t.Error(got)
	}
}

// A panic in a goroutine is reported, and ends nothing.
func TestPanicsInGoroutines(t *testing.T) {
	c := connect(t, start(t).connection)
	c.must("import (\"sync\"; \"fmt\"; \"time\")")
	_, shown := c.run(`var wg sync.WaitGroup
for i := 0; i < 50; i++ {
	wg.Add(1)
	go func(i int) {
		defer wg.Done()
		var m map[string]int
		m["x"] = i
	}(i)
}
wg.Wait()
time.Sleep(50 * time.Millisecond)`)
	count := func(text string) int { return strings.Count(text, "panic in the goroutine") }
	n := count(printed(shown, "stderr"))
	for n < 50 { // on a slow machine some arrive after their cell
		n += count(c.expect(c.news, "stream").text("text"))
	}
	if n != 50 {
		t.Errorf("%d panics were reported, want 50: %v", n, shown)
	}
	if got := c.must("len(fmt.Sprint(1))"); got != "1" {
		t.Error(got)
	}
}
