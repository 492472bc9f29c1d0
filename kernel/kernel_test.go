package kernel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"symmom/internal/system/clock"
	"symmom/internal/test/slow"
)

func TestCells(t *testing.T) {
	c := connect(t, start(t).connection)
	content, shown := c.run("x := 40\nx + 2")
	if kinds(shown) != "execute_input execute_result" || shown[1].data("text/plain") != "42" {
		t.Errorf("%v", shown)
	}
	if content["status"] != "ok" || content["execution_count"] != 1.0 || shown[1].content["execution_count"] != 1.0 {
		t.Errorf("%v %v", content, shown)
	}
	content, shown = c.run("x := 41;")
	if kinds(shown) != "execute_input" || content["execution_count"] != 2.0 {
		t.Errorf("%v %v", content, shown)
	}
	// Silent: nothing is published or counted.
	content, shown = c.run("fmt.Println(x)\nx", dict{"silent": true})
	if len(shown) != 0 || content["execution_count"] != 2.0 {
		t.Errorf("%v %v", content, shown)
	}
	content, _ = c.run("import \"fmt\"\nx++", dict{"store_history": false})
	if content["execution_count"] != 2.0 {
		t.Errorf("%v", content)
	}
	content, _ = c.run("", dict{"user_expressions": dict{"a": "x", "b": "nothing"}})
	a, b := fmt.Sprint(content["user_expressions"].(map[string]any)["a"]), fmt.Sprint(content["user_expressions"].(map[string]any)["b"])
	if !strings.Contains(a, "text/plain:42") || !strings.Contains(b, "undefined: nothing") {
		t.Errorf("%s\n%s", a, b)
	}
	content, shown = c.run("y := 1\nnothing + 1")
	if content["status"] != "error" || content["ename"] != "compile" || kinds(shown) != "execute_input error" || content["execution_count"] != 3.0 {
		t.Errorf("%v %v", content, shown)
	}
	if trace := fmt.Sprint(shown[1].content["traceback"]); !strings.Contains(trace, "2:1: undefined: nothing") || !strings.Contains(trace, "^") {
		t.Error(trace)
	}
	if content, _ = c.run("import \"os\"\nos.Exit(3)"); content["ename"] != "exit" {
		t.Errorf("%v", content)
	}
	if got := c.must("x"); got != "42" {
		t.Errorf("x is %s after all that", got)
	}
}

// Cells that a client sent before it could know of an error are dropped, later ones
// are not.
func TestStopOnError(t *testing.T) {
	k, open := early(t)
	c := connect(t, k.config.Connection)
	for _, code := range []string{"n := 0", "panic(1)", "n++", "n++"} {
		c.send(c.shell, "execute_request", dict{"code": code})
	}
	waiting := func() int {
		k.mu.Lock()
		defer k.mu.Unlock()
		return len(k.main.queue)
	}
	for begin := time.Now(); waiting() < 4; time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("the cells do not arrive")
		}
	}
	open()
	var got []any
	for range 4 {
		content := c.expect(c.replies, "execute_reply").content
		got = append(got, content["status"])
		if _, numbered := content["execution_count"]; numbered == (content["status"] == "aborted") {
			t.Errorf("the reply %v", content)
		}
	}
	if fmt.Sprint(got) != "[ok error aborted aborted]" || c.must("n") != "0" {
		t.Errorf("%v", got)
	}
	for _, code := range []string{"panic(1)", "n++", "n++"} {
		c.send(c.shell, "execute_request", dict{"code": code, "stop_on_error": false})
	}
	for range 3 {
		c.expect(c.replies, "execute_reply")
	}
	if got := c.must("n"); got != "2" {
		t.Errorf("n is %s", got)
	}
}

// TestOutputsOfNumberedCells: what a client runs without a number is no Out[n].
func TestOutputsOfNumberedCells(t *testing.T) {
	c := connect(t, start(t).connection)
	c.must("10")
	c.run("99", dict{"silent": true})
	if got := c.must("_") + c.must("Out[1]"); got != "1010" {
		t.Errorf("after a silent cell: %s", got)
	}
	c.run("98", dict{"store_history": false})
	if got := c.must("Out[3] + _"); got != "20" {
		t.Errorf("after a cell outside of the history: %s", got)
	}
	if _, shown := c.run("func() error { return nil }()"); strings.Contains(kinds(shown), "execute_result") {
		t.Errorf("a nil error shows %v", shown)
	}
}

// TestEndlessMethods: what a cell shows is part of it, for interrupts and for what ends it.
func TestEndlessMethods(t *testing.T) {
	slow.Test(t)
	c := connect(t, start(t).connection)
	c.must("kept := 7\ntype Deep struct{ n int }\nfunc (d Deep) String() string { return fmt.Sprintf(\"Deep(%v)\", d) }\n" +
		"type Busy struct{ n int }\nfunc (b Busy) HTML() string { print(\"begun\"); for { b.n++ }; return \"\" }")
	content, shown := c.run("Deep{1}")
	if content["status"] != "error" || !strings.Contains(fmt.Sprint(content["evalue"]), "stack overflow") || kinds(shown) != "execute_input error" {
		t.Errorf("%v, %.200v", content, shown)
	}
	content, _ = c.run("kept", dict{"user_expressions": dict{"deep": "Deep{1}", "kept": "kept"}})
	if got := fmt.Sprint(content["user_expressions"]); !strings.Contains(got, "stack overflow") || !strings.Contains(got, "text/plain:7") {
		t.Errorf("expressions: %.300s", got)
	}
	id := c.send(c.shell, "execute_request", dict{"code": "Busy{}"})
	c.await(id, func(r *reply) bool { return r.kind == "stream" && strings.Contains(r.text("text"), "begun") })
	watch := clock.Start()
	c.send(c.control, "interrupt_request", dict{})
	if got := c.expect(c.replies, "execute_reply").content; got["ename"] != "interrupted" {
		t.Errorf("%v", got)
	}
	if _, d := watch.Took(); d > promised {
		t.Errorf("the interrupt took %v", d)
	}
	if got := c.must("self := map[string]any{}; self[\"self\"] = self; self"); got != "map[string]interface {} that contains itself" {
		t.Error(got)
	}
	if got := c.must("kept"); got != "7" {
		t.Errorf("kept is %s after all that", got)
	}
}

// promised is how long an interrupted cell may continue, not counting time that a
// busy machine keeps it waiting.
const promised = time.Second

func (c *client) interrupt() {
	c.t.Helper()
	c.send(c.control, "interrupt_request", dict{})
	if r := c.expect(c.controls, "interrupt_reply"); r.content["status"] != "ok" {
		c.t.Error(r)
	}
}

func TestInterrupt(t *testing.T) {
	c := connect(t, start(t).connection)
	c.interrupt() // of no cell
	c.must("import (\"time\"; \"fmt\")\nn := 0\nvar fit *symmom.Fit\nvar spread *symmom.MixtureErrors\nmixture := datasets.GaussianMixture(datasets.MixtureOptions{N: 8, Components: 2, PerComponent: 500, Sigma: .2}).Session.Mixture(2, symmom.MixtureOptions{});")
	prints := func(r *reply) bool { return r.kind == "stream" && r.text("text") == "begun\n" }
	evaluates := func(r *reply) bool { return strings.Contains(fmt.Sprint(r.data("text/plain")), "  f -") }
	draws := func(r *reply) bool { // at least two of them
		text := fmt.Sprint(r.data("text/plain"))
		return strings.Contains(text, "bootstrap, draw ") && !strings.Contains(text, "draw 1 of")
	}
	for _, cell := range []struct {
		code  string
		begun func(*reply) bool // nil: it asks for input
	}{
		{"for { n++; if n == 1 { fmt.Println(\"begun\") } }", prints},
		{"fmt.Println(\"begun\")\ntime.Sleep(time.Hour)", prints},
		{"var s string\nfmt.Scanln(&s)", nil},
		{"fit = datasets.Uniform(60, 20000, 1).Moment(3).Implicit().With(symmom.Options{Tolerance: -1, RelativeDecrease: -1}).Decompose(4)",
			evaluates},
		{"spread = mixture.Bootstrap(1000000, 0)", draws},
	} {
		id := c.send(c.shell, "execute_request", dict{"code": cell.code, "allow_stdin": true})
		if cell.begun == nil {
			c.expect(c.asked, "input_request")
		} else {
			c.await(id, cell.begun)
		}
		watch := clock.Start()
		c.interrupt()
		r := c.expect(c.replies, "execute_reply")
		if _, took := watch.Took(); r.parent != id || r.content["ename"] != "interrupted" || took > promised {
			t.Errorf("%s\n%v after %v", cell.code, r, took)
		}
	}
	if got := c.must("fit.Model != nil && fit.Rank == 4 && n > 0 && spread.Draws >= 2 && spread.Draws < 1000000 && spread.Sigma > 0"); got != "true" {
		t.Errorf("what was found is gone: %s", got)
	}
}

// TestStoppedProgress: of starts that share passes none has ended by itself.
func TestStoppedProgress(t *testing.T) {
	c := connect(t, start(t).connection)
	id := c.send(c.shell, "execute_request", dict{"code": "fit := datasets.Uniform(60, 20000, 1).Moment(3).Implicit().With(symmom.Options{Solver: \"lbfgs\", Tolerance: -1, RelativeDecrease: -1}).Decompose(6)"})
	text := func(r *reply) string { return fmt.Sprint(r.data("text/plain")) }
	c.await(id, func(r *reply) bool { return strings.Contains(text(r), "  f -") })
	c.interrupt()
	end := text(c.await(id, func(r *reply) bool { return strings.Contains(text(r), "start") && !strings.HasPrefix(text(r), "[") }))
	if !strings.HasPrefix(end, "stopped: rank 6, 0 of 10 starts, ") {
		t.Error(end)
	}
}

func TestInput(t *testing.T) {
	c := connect(t, start(t).connection)
	c.must("import (\"fmt\"; \"bufio\"; \"os\")")
	for _, x := range []struct {
		code, want string
		answers    []string
	}{
		{"var a, b int\nfmt.Print(\"two? \")\nfmt.Scanln(&a, &b)\na * b", "42", []string{"6 7"}},
		{"var p, q string\nfmt.Scan(&p, &q)\np + q", "äöü", []string{"ä", "öü"}},
		{"line, _ := bufio.NewReader(os.Stdin).ReadString('\\n')\nline", "wide line\n", []string{"wide line"}},
		{"scan := bufio.NewScanner(os.Stdin)\nscan.Scan()\nscan.Text()", "", []string{""}},
		{"fmt.Fscanln(os.Stdin, &p)\np", "third", []string{"third"}},
	} {
		id := c.send(c.shell, "execute_request", dict{"code": x.code, "allow_stdin": true})
		for _, a := range x.answers {
			if r := c.expect(c.asked, "input_request"); r.parent != id {
				t.Errorf("%s: the question is of %s", x.code, r.parent)
			}
			c.send(c.stdin, "input_reply", dict{"value": a})
		}
		for _, r := range c.output(id) {
			if r.kind == "execute_result" && r.data("text/plain") != x.want || r.kind == "error" {
				t.Errorf("%s\n%v, want %q", x.code, r, x.want)
			}
		}
		c.expect(c.replies, "execute_reply")
	}
	content, _ := c.run("_, err := fmt.Scanln(&a)\nerr", dict{"allow_stdin": false})
	if got := c.must("err.Error()"); content["status"] != "ok" || !strings.Contains(got, "does not let cells read") {
		t.Errorf("%v %s", content, got)
	}
}

func TestDisplay(t *testing.T) {
	c := connect(t, start(t).connection)
	content, shown := c.run(`import "fmt"
fmt.Print("before ")
h := display.Show(display.HTML("<b>1</b>"))
fmt.Print("after")
h.Update(display.Markdown("**2**"))
display.Clear(true)
display.Show(mat.NewDense(1, 2, []float64{1, 2}))`)
	if got := kinds(shown); content["status"] != "ok" || got != "execute_input stream display_data stream update_display_data clear_output display_data" {
		t.Fatalf("%v %s", content, got)
	}
	id := func(r *reply) any { return r.content["transient"].(map[string]any)["display_id"] }
	if shown[2].data("text/html") != "<b>1</b>" || shown[4].data("text/markdown") != "**2**" || id(shown[2]) != id(shown[4]) ||
		shown[5].content["wait"] != true || !strings.Contains(fmt.Sprint(shown[6].data("text/html")), "<td>2</td>") {
		t.Errorf("%v", shown)
	}
	// A handle remains valid in later cells.
	_, shown = c.run("h.Update(3)")
	if kinds(shown) != "execute_input update_display_data" || id(shown[1]) == nil {
		t.Errorf("%v", shown)
	}
}

func TestQuestions(t *testing.T) {
	c := connect(t, start(t).connection)
	c.must("größe := 3")
	// The cursor counts characters, not bytes.
	r := c.ask("complete", dict{"code": "x := größ + 1", "cursor_pos": 9})
	if fmt.Sprint(r["matches"]) != "[größe]" || r["cursor_start"] != 5.0 || r["cursor_end"] != 9.0 {
		t.Errorf("%v", r)
	}
	types := r["metadata"].(map[string]any)["_jupyter_types_experimental"].([]any)[0].(map[string]any)
	if types["text"] != "größe" || types["type"] != "instance" {
		t.Errorf("%v", types)
	}
	if r := c.ask("inspect", dict{"code": "symmom.Load(", "cursor_pos": 9, "detail_level": 0}); r["found"] != true {
		t.Errorf("%v", r)
	}
	if r := c.ask("inspect", dict{"code": "nothing", "cursor_pos": 3, "detail_level": 0}); r["found"] != false || r["status"] != "ok" {
		t.Errorf("%v", r)
	}
	for code, want := range map[string]string{"1 + 1": "complete", "for {": "incomplete", ")": "invalid"} {
		if r := c.ask("is_complete", dict{"code": code}); r["status"] != want {
			t.Errorf("%s: %v", code, r)
		}
	}
	info := c.ask("kernel_info", dict{})
	if info["protocol_version"] != protocolVersion || info["language_info"].(map[string]any)["name"] != "go" {
		t.Errorf("%v", info)
	}
	if r := c.ask("comm_info", dict{}); fmt.Sprint(r["comms"]) != "map[]" {
		t.Errorf("%v", r)
	}
	// A comm for an unknown target is closed again.
	c.send(c.shell, "comm_open", dict{"comm_id": "7", "target_name": "widget", "data": dict{}})
	if r := c.expect(c.news, "comm_close"); r.content["comm_id"] != "7" {
		t.Error(r)
	}
	content, shown := c.run("?symmom.Load")
	if page := fmt.Sprint(content["payload"]); content["status"] != "ok" || !strings.Contains(page, "source:page") || !strings.Contains(page, "Load") {
		t.Errorf("%v %v", content, shown)
	}
	if r := c.ask("execute", dict{"code": 3}); r["status"] != "error" || r["ename"] != "bad request" {
		t.Errorf("%v", r)
	}
}

func TestHeartbeat(t *testing.T) {
	r := start(t)
	s := zmq4.NewReq(t.Context())
	defer s.Close()
	connect(t, r.connection) // it is listening now
	if err := s.Dial(fmt.Sprintf("tcp://127.0.0.1:%d", r.connection.HeartbeatPort)); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		want := fmt.Sprint("beat ", i)
		if err := s.Send(zmq4.NewMsgString(want)); err != nil {
			t.Fatal(err)
		}
		m, err := s.Recv()
		if err != nil || string(m.Bytes()) != want {
			t.Fatalf("%q %v", m.Bytes(), err)
		}
	}
}

func TestShutdown(t *testing.T) {
	r := start(t)
	c := connect(t, r.connection)
	c.send(c.shell, "execute_request", dict{"code": "for {}"})
	c.expect(c.news, "execute_input")
	c.send(c.control, "shutdown_request", dict{"restart": true})
	if m := c.expect(c.controls, "shutdown_reply"); m.content["restart"] != true || m.content["status"] != "ok" {
		t.Error(m)
	}
	r.ends(t)
}
