package kernel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// tell sends a request to the control socket and returns the reply.
func (c *client) tell(kind string, content any) map[string]any {
	c.t.Helper()
	c.send(c.control, kind+"_request", content)
	return c.expect(c.controls, kind+"_reply").content
}

// subshell creates one.
func (c *client) subshell() string {
	c.t.Helper()
	r := c.tell("create_subshell", dict{})
	id, _ := r["subshell_id"].(string)
	if r["status"] != "ok" || id == "" {
		c.t.Fatalf("create_subshell: %v", r)
	}
	return id
}

// sendTo sends a request to a subshell.
func (c *client) sendTo(subshell, kind string, content any) (id string) {
	c.t.Helper()
	id, frames := c.frames(kind, content)
	var h map[string]any
	if err := json.Unmarshal(frames[2], &h); err != nil {
		c.t.Fatal(err)
	}
	h["subshell_id"] = subshell
	frames[2] = encode(h)
	frames[1] = c.speak.signer.sign(frames[2:6])
	if err := c.shell.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
	return id
}

// runIn runs a cell in a subshell. What other requests show meanwhile is added to others.
func (c *client) runIn(subshell, code string, others *[]*reply) (content map[string]any, shown []*reply) {
	c.t.Helper()
	id := c.sendTo(subshell, "execute_request", dict{"code": code})
	for {
		r := c.expectAny(c.news)
		switch {
		case r.parent != id:
			*others = append(*others, r)
		case r.kind != "status":
			shown = append(shown, r)
		case r.text("execution_state") == "idle":
			content := c.replyTo(id).content
			if content["status"] != "ok" && !strings.HasPrefix(code, "panic") {
				c.t.Errorf("%s: %v", code, content)
			}
			return content, shown
		}
	}
}

func (c *client) expectAny(from chan *reply) *reply {
	c.t.Helper()
	return c.matching(from, func(*reply) bool { return true })
}

// matching waits for a message and skips others.
func (c *client) matching(from chan *reply, wanted func(*reply) bool) *reply {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case r := <-from:
			if wanted(r) {
				return r
			}
		case <-deadline:
			c.t.Fatal("what is awaited does not come")
		}
	}
}

// replyTo waits for the reply of a shell to a request. Those to others come later.
func (c *client) replyTo(id string) *reply {
	c.t.Helper()
	var others []*reply
	defer func() {
		for _, r := range others {
			c.replies <- r
		}
	}()
	return c.matching(c.replies, func(r *reply) bool {
		if r.parent != id {
			others = append(others, r)
		}
		return r.parent == id
	})
}

// occupied is a client of a kernel whose main shell runs a cell, and the ID of that.
func occupied(t *testing.T, code string) (c *client, cell string) {
	c = connect(t, start(t).connection)
	c.must("ready, stop := make(chan bool), make(chan bool)")
	return c, c.send(c.shell, "execute_request", dict{"code": code})
}

func TestSubshellsAreListed(t *testing.T) {
	c := connect(t, start(t).connection)
	info := c.ask("kernel_info", dict{})
	if info["protocol_version"] != "5.5" || fmt.Sprint(info["supported_features"]) != "[kernel subshells]" {
		t.Errorf("kernel_info: %v, %v", info["protocol_version"], info["supported_features"])
	}
	a, b := c.subshell(), c.subshell()
	list := func() string { return fmt.Sprint(c.tell("list_subshell", dict{})["subshell_id"]) }
	if got, want := list(), fmt.Sprintf("[%s %s]", a, b); got != want {
		t.Errorf("the subshells are %s, want %s", got, want)
	}
	if r := c.tell("delete_subshell", dict{"subshell_id": a}); r["status"] != "ok" {
		t.Errorf("delete_subshell: %v", r)
	}
	if got, want := list(), fmt.Sprintf("[%s]", b); got != want {
		t.Errorf("after one is deleted there are %s, want %s", got, want)
	}
	if r := c.tell("delete_subshell", dict{"subshell_id": a}); r["status"] != "error" {
		t.Errorf("a subshell was deleted twice: %v", r)
	}
	for _, kind := range []string{"execute", "complete"} {
		id := c.sendTo(a, kind+"_request", dict{"code": "1"})
		if r := c.replyTo(id); r.kind != kind+"_reply" || r.text("status") != "error" || !strings.Contains(r.text("evalue"), a) {
			t.Errorf("%s in a deleted subshell: %v", kind, r)
		}
		c.await(id, func(r *reply) bool { return r.text("execution_state") == "idle" })
	}
	id := c.sendTo(a, "comm_msg", dict{"comm_id": "x"})
	c.await(id, func(r *reply) bool { return r.text("execution_state") == "idle" })
	var others []*reply
	if r, _ := c.runIn(b, "1", &others); r["status"] != "ok" {
		t.Errorf("the other subshell: %v", r)
	}
}

// Cells of a subshell run while one of the main shell does, in the same session, and each has
// what it prints and shows.
func TestSubshellRunsBesideTheMainShell(t *testing.T) {
	c, cell := occupied(t, "import \"fmt\"\nx := 40\nfmt.Println(`main`)\nready <- true\n<-stop\nfmt.Println(`end`)\ndisplay.Show(x)\nx")
	sub := c.subshell()
	var others []*reply
	c.runIn(sub, "<-ready", &others)
	content, shown := c.runIn(sub, "fmt.Println(`sub`)\ndisplay.Show(x + 1)\nx + 2", &others)
	if got := kinds(shown); content["status"] != "ok" || got != "execute_input stream display_data execute_result" {
		t.Errorf("the cell of the subshell: %v, %s", content, got)
	}
	if got := printed(shown, "stdout"); got != "sub\n" {
		t.Errorf("the subshell has printed %q", got)
	}
	if content, shown := c.runIn(sub, "panic(`so`)", &others); content["status"] != "error" || !strings.Contains(kinds(shown), "error") {
		t.Errorf("a panic in a subshell: %v", content)
	}
	queued := c.send(c.shell, "execute_request", dict{"code": "x"})
	c.runIn(sub, "panic(`again`)", &others)
	c.runIn(sub, "close(stop)", &others)
	if r := c.replyTo(cell); r.text("status") != "ok" {
		t.Errorf("the cell of the main shell: %v", r)
	}
	if r := c.replyTo(queued); r.text("status") != "ok" {
		t.Errorf("a cell of the main shell that waited while one of a subshell failed: %v", r)
	}
	idle := func(r *reply) bool { return r.parent == queued && r.text("execution_state") == "idle" }
	if !slices.ContainsFunc(others, idle) { // before the subshell was
		c.matching(c.news, func(r *reply) bool {
			others = append(others, r)
			return idle(r)
		})
	}
	others = slices.DeleteFunc(others, func(r *reply) bool { return r.parent != cell })
	if got := printed(others, "stdout"); !strings.HasPrefix(got, "main\n") || !strings.HasSuffix(got, "end\n") {
		t.Errorf("the main shell has printed %q", got)
	}
}

// While the main shell runs a long cell, it answers what asks.
func TestQuestionsDoNotWaitForALongCell(t *testing.T) {
	c, cell := occupied(t, "<-stop")
	c.await(cell, func(r *reply) bool { return r.kind == "execute_input" })
	waiting := c.send(c.shell, "execute_request", dict{"code": "1"})
	for kind, content := range map[string]dict{"kernel_info": {}, "complete": {"code": "mat.NewDen"}, "inspect": {"code": "mat.NewDense", "cursor_pos": 8},
		"is_complete": {"code": "1 +"}, "history": {"hist_access_type": "tail", "n": 1}, "comm_info": {}} {
		id := c.send(c.shell, kind+"_request", content)
		if r := c.replyTo(id); r.kind != kind+"_reply" {
			t.Errorf("%s: %v", kind, r)
		}
		c.await(id, func(r *reply) bool { return r.text("execution_state") == "idle" })
		c.await(cell, func(r *reply) bool { return r.text("execution_state") == "busy" }) // as clients show it
	}
	var others []*reply
	c.runIn(c.subshell(), "close(stop)", &others)
	for _, id := range []string{cell, waiting} {
		if r := c.replyTo(id); r.text("status") != "ok" {
			t.Errorf("a cell: %v", r)
		}
	}
}

// An interrupt, which names no shell, ends what runs in all of them.
func TestInterruptEndsTheCellsOfAllShells(t *testing.T) {
	c, cell := occupied(t, "ready <- true; for {}")
	var others []*reply
	c.runIn(c.subshell(), "<-ready", &others)
	var cells []string
	for _, code := range []string{"ready <- true; select {}", "ready <- true; for {}"} {
		cells = append(cells, c.sendTo(c.subshell(), "execute_request", dict{"code": code}))
		c.runIn(c.subshell(), "<-ready", &others)
	}
	c.interrupt()
	for _, id := range append(cells, cell) {
		if r := c.replyTo(id); r.text("ename") != "interrupted" {
			t.Errorf("after an interrupt: %v", r)
		}
	}
	if got := c.must("1 + 1"); got != "2" {
		t.Errorf("afterwards 1 + 1 is %s", got)
	}
	alone := c.sendTo(c.subshell(), "execute_request", dict{"code": "ready <- true; for {}"})
	c.runIn(c.subshell(), "<-ready", &others)
	c.interrupt()
	if r := c.replyTo(alone); r.text("ename") != "interrupted" {
		t.Errorf("a cell of a subshell alone, after an interrupt: %v", r)
	}
	if r, _ := c.runIn(c.subshell(), "1", &others); r["status"] != "ok" {
		t.Errorf("afterwards a cell of a subshell: %v", r)
	}
}

// The controls of widgets work while a cell runs: clients send what a person does to a
// subshell.
func TestControlsWorkBesideALongCell(t *testing.T) {
	p := openFront(t)
	p.show("x := widgets.Interact(func(n int) any { println(`moved`); return n }, widgets.Slider(\"n\", 0, 9, 1))\nx")
	p.must("stop := make(chan bool)")
	cell := p.send(p.shell, "execute_request", dict{"code": "<-stop"})
	p.await(cell, func(r *reply) bool { return r.kind == "execute_input" })
	sub := p.subshell()
	id := p.sendTo(sub, "comm_msg", dict{"comm_id": p.named("IntSlider", ""), "data": dict{"method": "update", "state": dict{"value": 7}, "buffer_paths": []any{}}})
	p.take(p.output(id))
	if got := p.outputs(); got != "stderr moved|7" {
		t.Errorf("the output is %q", got)
	}
	var others []*reply
	p.runIn(sub, "close(stop)", &others)
	if r := p.replyTo(cell); r.text("status") != "ok" {
		t.Errorf("the cell: %v", r)
	}
}

// A cell of a subshell reads from the person at its client, one at a time.
func TestSubshellReads(t *testing.T) {
	c, cell := occupied(t, "import \"fmt\"\nvar a, b string\nready <- true\nfmt.Scanln(&a)")
	sub := c.subshell()
	var others []*reply
	c.runIn(sub, "<-ready", &others)
	if r := c.expect(c.asked, "input_request"); r.parent != cell {
		t.Errorf("the question is of %s, want %s", r.parent, cell)
	}
	second := c.sendTo(sub, "execute_request", dict{"code": "fmt.Scanln(&b)"})
	c.send(c.stdin, "input_reply", dict{"value": "first"})
	if r := c.expect(c.asked, "input_request"); r.parent != second {
		t.Errorf("the question is of %s, want %s", r.parent, second)
	}
	c.send(c.stdin, "input_reply", dict{"value": "second"})
	c.replyTo(cell)
	c.replyTo(second)
	if got := c.must("a + b"); got != "firstsecond" {
		t.Errorf("the cells have read %q", got)
	}
}
