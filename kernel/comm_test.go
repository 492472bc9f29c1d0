package kernel

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// front is what a page of JupyterLab knows: the models and their states.
type front struct {
	*client
	models map[string]map[string]any // by ID
}

func openFront(t *testing.T) *front {
	return &front{connect(t, start(t).connection), map[string]map[string]any{}}
}

// take applies what is published to the models.
func (p *front) take(shown []*reply) {
	for _, r := range shown {
		id := r.text("comm_id")
		data, _ := r.content["data"].(map[string]any)
		switch r.kind {
		case "comm_open":
			p.models[id] = data["state"].(map[string]any)
		case "comm_msg":
			maps.Copy(p.models[id], data["state"].(map[string]any))
		}
	}
}

// show runs a cell that must succeed.
func (p *front) show(code string) []*reply {
	p.t.Helper()
	content, shown := p.run(code)
	if content["status"] != "ok" {
		p.t.Fatalf("%s\n%v", code, content)
	}
	p.take(shown)
	return shown
}

// named returns the ID of the first model of a class, with a description if one is
// given.
func (p *front) named(class, description string) string {
	p.t.Helper()
	for id, s := range p.models {
		if s["_model_name"] == class+"Model" && (description == "" || s["description"] == description) {
			return id
		}
	}
	p.t.Fatalf("no %s %s among %v", class, description, p.models)
	return ""
}

func (p *front) message(id string, data dict) (request string) {
	p.t.Helper()
	return p.send(p.shell, "comm_msg", dict{"comm_id": id, "data": data})
}

// set sets a value as a person does, and takes what the kernel answers.
func (p *front) set(id, key string, value any) []*reply {
	p.t.Helper()
	shown := p.output(p.message(id, dict{"method": "update", "state": dict{key: value}, "buffer_paths": []any{}}))
	p.take(shown)
	return shown
}

// outputs returns what an output widget shows, as text.
func (p *front) outputs() string {
	p.t.Helper()
	var all []string
	for _, o := range p.models[p.named("Output", "")]["outputs"].([]any) {
		o := o.(map[string]any)
		switch o["output_type"] {
		case "stream":
			all = append(all, strings.TrimSpace(fmt.Sprint(o["name"], " ", o["text"])))
		case "error":
			all = append(all, fmt.Sprint("error ", o["ename"], ": ", o["evalue"]))
		default:
			all = append(all, fmt.Sprint(o["data"].(map[string]any)["text/plain"]))
		}
	}
	return strings.Join(all, "|")
}

const allKinds = `x := widgets.Interact(func(rank int, sigma float64, solver string, on bool, n int) any {
	fmt.Println("running", rank)
	if rank == 9 {
		panic("nine")
	}
	return fmt.Sprintf("%d %.1f %s %t %d", rank, sigma, solver, on, n)
}, widgets.Slider("rank", 2, 10, 1), widgets.Play("sigma", 0, 1, .1), widgets.Select("solver", "auto", "adam"), widgets.Check("on", false), widgets.Button("again"))
`

func TestControls(t *testing.T) {
	p := openFront(t)
	if shown := p.show(allKinds); kinds(shown) != "execute_input" {
		t.Errorf("before it is shown: %s", kinds(shown))
	}
	shown := p.show("x")
	last := shown[len(shown)-2:]
	view, _ := last[0].data("application/vnd.jupyter.widget-view+json").(map[string]any)
	if kinds(last) != "execute_result display_data" || p.models[fmt.Sprint(view["model_id"])]["_model_name"] != "VBoxModel" || fmt.Sprint(view["version_major"]) != "2" {
		t.Errorf("%s, %v", kinds(shown), view)
	}
	if still := fmt.Sprint(last[1].data("text/html")); !strings.Contains(still, "rank <b>2</b>") || !strings.Contains(still, "2 0.0 auto false 0") {
		t.Errorf("the ordinary output is %s", still)
	}
	if printed(shown, "stdout") != "" {
		t.Error("what the function prints is not among the controls")
	}
	// Every model that another one names is there.
	for id, s := range p.models {
		for _, v := range s {
			for _, ref := range append([]any{v}, anys(v)...) {
				if name, is := strings.CutPrefix(fmt.Sprint(ref), "IPY_MODEL_"); is && p.models[name] == nil {
					t.Errorf("%s of %s names a model that is not there", id, s["_model_name"])
				}
			}
		}
	}
	rank, sigma, play := p.named("IntSlider", "rank"), p.named("FloatSlider", "sigma"), p.named("Play", "sigma")
	for _, c := range []struct {
		id, key string
		value   any
		want    string
	}{
		{"", "", nil, "stdout running 2|2 0.0 auto false 0"},
		{rank, "value", 7, "stdout running 7|7 0.0 auto false 0"},
		{rank, "value", 9, "stdout running 9|error panic: panic: nine"},
		{rank, "value", 3, "stdout running 3|3 0.0 auto false 0"},
		{play, "value", .1 + .2, "stdout running 3|3 0.3 auto false 0"},
		{p.named("Dropdown", "solver"), "index", 1, "stdout running 3|3 0.3 adam false 0"},
		{p.named("Checkbox", "on"), "value", true, "stdout running 3|3 0.3 adam true 0"},
		{rank, "value", 300, "stdout running 3|3 0.3 adam true 0|stderr slider \"rank\" cannot be 300: want 2 to 10 by 1"},
		{rank, "value", "x", "stdout running 3|3 0.3 adam true 0|stderr slider \"rank\" cannot be \"x\": want 2 to 10 by 1"},
		{p.named("Dropdown", "solver"), "index", 2, "stdout running 3|3 0.3 adam true 0|stderr select \"solver\" cannot be 2: want auto, adam"},
		{p.named("Dropdown", "solver"), "index", nil, "stdout running 3|3 0.3 adam true 0|stderr select \"solver\" cannot be nothing: want auto, adam"},
		{rank, "value", 3, "stdout running 3|3 0.3 adam true 0"},
		{sigma, "_model_name", "Other", "stdout running 3|3 0.3 adam true 0"},
	} {
		if c.id != "" {
			p.set(c.id, c.key, c.value)
		}
		if got := p.outputs(); got != c.want {
			t.Errorf("%v: the output is %q, want %q", c.value, got, c.want)
		}
	}
	// The kernel resets refused values, and models of one control agree.
	if p.models[rank]["value"] != 3. || p.models[sigma]["value"] != .3 || p.models[play]["value"] != .1+.2 && p.models[play]["value"] != .3 ||
		p.models[p.named("Dropdown", "")]["index"] != 1. || p.models[sigma]["_model_name"] != "FloatSliderModel" {
		t.Errorf("the models are %v, %v, %v", p.models[rank], p.models[sigma], p.models[play])
	}
	p.take(p.output(p.message(p.named("Button", ""), dict{"method": "custom", "content": dict{"event": "click"}})))
	if got := p.outputs(); got != "stdout running 3|3 0.3 adam true 1" {
		t.Errorf("after a press: %q", got)
	}
	// A cell sets a control: the page and the ordinary output follow at once.
	shown = p.show(`x.Set("rank", 5);`)
	if p.models[rank]["value"] != 5. || !strings.Contains(p.outputs(), "5 0.3 adam true 1") || !strings.Contains(kinds(shown), "update_display_data") {
		t.Errorf("%v, %s, %s", p.models[rank], p.outputs(), kinds(shown))
	}
	// A move brings the ordinary output up to date a little later.
	shown = p.set(rank, "value", 6)
	var r *reply
	if i := slices.IndexFunc(shown, func(r *reply) bool { return r.kind == "update_display_data" }); i >= 0 {
		r = shown[i] // on a busy machine it comes before the kernel is idle
	} else {
		r = p.expect(p.news, "update_display_data")
	}
	if !strings.Contains(fmt.Sprint(r.data("text/html")), "rank <b>6</b>") {
		t.Error(r)
	}
}

func anys(v any) []any {
	all, _ := v.([]any)
	return all
}

// A page that is loaded again asks for everything.
func TestControlsReloaded(t *testing.T) {
	p := openFront(t)
	p.show(allKinds + "x")
	rank := p.named("IntSlider", "rank")
	p.set(rank, "value", 4)
	p.send(p.shell, "comm_open", dict{"comm_id": "asker", "target_name": "jupyter.widget.control", "data": dict{}})
	shown := p.output(p.message("asker", dict{"method": "request_states"}))
	data, _ := shown[0].content["data"].(map[string]any)
	states, _ := data["states"].(map[string]any)
	if len(shown) != 1 || shown[0].text("comm_id") != "asker" || data["method"] != "update_states" || len(states) != len(p.models) {
		t.Fatalf("%v", shown)
	}
	s := states[rank].(map[string]any)
	if s["model_name"] != "IntSliderModel" || s["model_module"] != "@jupyter-widgets/controls" || s["model_module_version"] != "2.0.0" || s["state"].(map[string]any)["value"] != 4. {
		t.Errorf("%v", s)
	}
	// The older way: a list, and each model by itself.
	all := p.ask("comm_info", dict{"target_name": "jupyter.widget"})["comms"].(map[string]any)
	if len(all) != len(p.models) || fmt.Sprint(all[rank]) != "map[target_name:jupyter.widget]" || len(p.ask("comm_info", dict{"target_name": "other"})["comms"].(map[string]any)) != 0 {
		t.Errorf("%v", all)
	}
	shown = p.output(p.message(rank, dict{"method": "request_state"}))
	data, _ = shown[0].content["data"].(map[string]any)
	if state, _ := data["state"].(map[string]any); data["method"] != "update" || state["value"] != 4. || state["max"] != 10. {
		t.Errorf("%v", shown)
	}
	// Comms of other targets are closed, messages for unknown ones left alone.
	if shown := p.output(p.send(p.shell, "comm_open", dict{"comm_id": "c", "target_name": "none", "data": dict{}})); kinds(shown) != "comm_close" {
		t.Error(kinds(shown))
	}
	if shown := p.output(p.message("c", dict{"method": "update", "state": dict{"value": 3}})); len(shown) != 0 {
		t.Error(kinds(shown))
	}
	p.output(p.send(p.shell, "comm_close", dict{"comm_id": rank, "data": dict{}}))
	if shown := p.set("c", "value", 3); len(shown) != 0 {
		t.Error(kinds(shown))
	}
	if p.show("x"); !strings.Contains(p.outputs(), "4 0.0 auto") {
		t.Error(p.outputs())
	}
}

// Of a hundred moves during a cell, only the last is seen by the function, after the
// cell; and of a hundred in a row few are, with the last at the end.
func TestQuickMoves(t *testing.T) {
	k, open := early(t)
	open()
	p := &front{connect(t, k.config.Connection), map[string]map[string]any{}}
	p.show("var seen []int\nx := widgets.Interact(func(rank int) any { seen = append(seen, rank); return rank }, widgets.Slider(\"rank\", 0, 100, 1))\nx")
	rank := p.named("IntSlider", "")
	p.must("import (\"os\"; \"time\")\nlen(seen)")
	sent := filepath.Join(t.TempDir(), "sent")
	cell := p.send(p.shell, "execute_request", dict{"code": fmt.Sprintf("for _, err := os.Stat(%q); err != nil; _, err = os.Stat(%[1]q) { time.Sleep(time.Millisecond) }\n\"the cell\"", sent)})
	var last string
	for i := range 100 {
		last = p.message(rank, dict{"method": "update", "state": dict{"value": i + 1}})
	}
	arrived := func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		n := len(k.main.queue)
		return n > 0 && k.main.queue[n-1].MsgID == last
	}
	for begin := time.Now(); !arrived(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("the moves do not arrive")
		}
	}
	if err := os.WriteFile(sent, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.output(cell)
	p.expect(p.replies, "execute_reply")
	p.take(p.output(last))
	if got := p.outputs(); got != "100" {
		t.Errorf("the output is %s, want 100", got)
	}
	if got := p.must("seen"); got != "[0 100]" {
		t.Errorf("the function saw %s, want [0 100]", got)
	}
}

// An interrupt stops the function, and the controls work afterwards.
func TestControlsInterrupted(t *testing.T) {
	p := openFront(t)
	p.show("x := widgets.Interact(func(rank int) any { for rank == 5 {}; return rank }, widgets.Slider(\"rank\", 0, 9, 1))\nx")
	rank := p.named("IntSlider", "")
	id := p.message(rank, dict{"method": "update", "state": dict{"value": 5}})
	ended := make(chan bool)
	go func() { // until one comes after the beginning
		for {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				p.send(p.control, "interrupt_request", dict{})
			}
		}
	}()
	p.take(p.output(id))
	ended <- true
	if got := p.outputs(); got != "error interrupted: interrupted; the best result so far, if any, is kept" {
		t.Errorf("after an interrupt: %s", got)
	}
	p.set(rank, "value", 6)
	if got := p.outputs(); got != "6" {
		t.Errorf("after the next move: %s", got)
	}
}

// What a function shows and the progress of its fits are among the controls, and
// interactions within a cell are shown too.
func TestControlsShow(t *testing.T) {
	p := openFront(t)
	shown := p.show(`rank := widgets.Slider("rank", 1, 9, 1)
display.Show(widgets.Interact(func(rank int) {
	h := display.Show("first")
	fmt.Println("printed")
	h.Update(fmt.Sprint("second ", rank))
}, rank))
rank`)
	if got := p.outputs(); got != "second 1|stdout printed" {
		t.Errorf("the output is %q", got)
	}
	var sliders []string
	for id, s := range p.models {
		if s["_model_name"] == "IntSliderModel" {
			sliders = append(sliders, id)
		}
	}
	if n := strings.Count(kinds(shown), "display_data"); n != 2 || len(sliders) != 2 || !strings.Contains(kinds(shown), "execute_result") {
		t.Errorf("%s, %d sliders", kinds(shown), len(sliders))
	}
	p.set(sliders[0], "value", 4)
	if got := p.outputs(); got != "second 4|stdout printed" || !slices.Equal([]any{p.models[sliders[0]]["value"], p.models[sliders[1]]["value"]}, []any{4., 4.}) {
		t.Errorf("the output is %q, the sliders are at %v and %v", got, p.models[sliders[0]]["value"], p.models[sliders[1]]["value"])
	}
}

// What checks a text is code of a cell: why it refuses one stands below the result, and
// a panic there is an error like others.
func TestTextRefused(t *testing.T) {
	p := openFront(t)
	p.show(`display.Show(widgets.Interact(func(s string) string { return "<" + s + ">" }, widgets.Text("name", func(s string) error {
	if s == "nine" {
		panic("at nine")
	}
	if len(s) > 5 {
		return fmt.Errorf("want at most 5 bytes")
	}
	return nil
})))`)
	name := p.named("Text", "name")
	for _, c := range []struct{ text, want, value string }{
		{"one", "<one>", "one"},
		{"twelve", `<one>|stderr text "name" cannot be "twelve": want at most 5 bytes`, "one"},
		{"nine", "<one>|stderr panic: at nine", "one"},
		{"two", "<two>", "two"},
	} {
		p.set(name, "value", c.text)
		if got := p.outputs(); got != c.want || p.models[name]["value"] != c.value {
			t.Errorf("%s: the output is %q, the text %v, want %q, %s", c.text, got, p.models[name]["value"], c.want, c.value)
		}
	}
}
