package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"
	"time"

	"symmom/repl"
	"symmom/widgets"
)

// The result of an interaction is in the state of an output widget, whose outputs the
// kernel sets, so that all views and a reloaded page have it. A stored notebook has no
// widgets unless the client is configured to store them. For it, a static copy follows
// as an ordinary output, which is hidden below live widgets and updated by messages for
// its display_id.

// view is an interaction that a client shows.
type view struct {
	x            *widgets.Interaction
	root         *model // a box with everything
	bar, barArea *model // progress of a long run, and its layout
	output       *model
	id           string // of the ordinary output

	mu      sync.Mutex
	printed []dict      // outputs of the run that is under way
	cause   cause       // of that run
	shown   []any       // outputs of the last run
	refused bool        // they are followed by why a value was refused
	still   repl.Bundle // the ordinary output
	timer   *time.Timer // until the ordinary output is brought up to date
}

// cause is why the function of an interaction runs.
type cause int

const (
	byCell cause = iota // it calls Set
	byMove              // a control in a client
	byShow              // it is shown
)

// settled is how long an interaction must be left alone until its ordinary output is
// brought up to date.
const settled = 500 * time.Millisecond

// showControls returns what a client shows for a value that has controls, and for the
// ordinary output below; nil if the value is another one.
func (k *kernel) showControls(run func(f func()) error, values []any) (bundle repl.Bundle, still *repl.Display) {
	shown := repl.Result{Values: values}.Shown()
	if len(shown) != 1 {
		return nil, nil
	}
	switch x := shown[0].(type) {
	case *widgets.Control:
		if x == nil || x.Err() != nil {
			return nil, nil
		}
		k.comms.mu.Lock()
		defer k.comms.mu.Unlock()
		m := k.comms.modelsOf([]*widgets.Control{x})[0]
		return viewOf(m, x.String()), nil
	case *widgets.Interaction:
		if x == nil || x.Err() != nil {
			return nil, nil
		}
		v := k.comms.viewOf(x)
		v.mu.Lock()
		fresh := v.still == nil
		if fresh {
			v.cause = byShow
		}
		v.mu.Unlock()
		switch {
		case !x.Current():
			k.comms.run(v, byShow, run)
		case fresh:
			if err := run(func() { k.comms.follows(v) }); err != nil {
				x.Keep(nil, err)
			}
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		var names []string
		for _, c := range x.Controls() {
			names = append(names, c.Name())
		}
		return viewOf(v.root, "controls: "+strings.Join(names, ", ")), &repl.Display{ID: v.id, Bundle: v.still}
	}
	return nil, nil
}

// viewOf refers to a model, for a client that has widgets, with text for others.
func viewOf(x *model, text string) repl.Bundle {
	return repl.Bundle{"text/plain": text,
		"application/vnd.jupyter.widget-view+json": json.RawMessage(encode(dict{"version_major": 2, "version_minor": 0, "model_id": x.id}))}
}

// viewOf returns the view of an interaction, and opens its models the first time.
func (c *comms) viewOf(x *widgets.Interaction) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.views[x]; v != nil && c.models[v.root.id] != nil && c.models[v.output.id] != nil {
		return v
	}
	children := c.modelsOf(x.Controls())
	v := &view{x: x, id: "symmom-controls-" + newID()}
	v.barArea = c.open("base", "Layout", "LayoutView", dict{"display": "none"})
	v.bar = c.open("controls", "HTML", "HTMLView", dict{"value": "", "layout": reference(v.barArea),
		"style": reference(c.open("controls", "HTMLStyle", "StyleView", dict{}))})
	v.output = c.open("output", "Output", "OutputView", dict{"msg_id": "", "outputs": []any{}, "layout": c.layout(dict{})})
	v.root = c.open("controls", "VBox", "VBoxView", dict{"children": references(append(children, v.bar, v.output)),
		"_dom_classes": []string{"symmom-controls"}, "layout": c.layout(dict{})})
	if c.views[x] == nil {
		x.Watch(func() {
			c.mu.Lock()
			v := c.views[x]
			c.mu.Unlock()
			c.follows(v)
		})
	}
	c.views[x] = v
	return v
}

// move notes that the functions that use a control are to run.
func (c *comms) move(x *widgets.Control) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, user := range x.Users() {
		if v := c.views[user]; v != nil && !slices.Contains(c.moved, v) {
			c.moved = append(c.moved, v)
		}
	}
}

// refuse shows below the results that use a control why a value was refused, until there
// is a new result; without an error it takes that away.
func (c *comms) refuse(x *widgets.Control, err error) {
	if err != nil {
		fmt.Fprintln(c.kernel.config.Log, "kernel:", err)
	}
	for _, user := range x.Users() {
		c.mu.Lock()
		v := c.views[user]
		c.mu.Unlock()
		if v != nil {
			c.tell(v, err)
		}
	}
}

// tell is refuse for one view.
func (c *comms) tell(v *view, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil && !v.refused {
		return
	}
	outputs := slices.Clone(v.shown)
	if v.refused = err != nil; v.refused {
		outputs = append(outputs, dict{"output_type": "stream", "name": "stderr", "text": strings.TrimPrefix(err.Error(), "widgets: ") + "\n"})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(v.output, "outputs", outputs)
}

// runMoved runs the functions whose controls were set. More moves that have already
// arrived come first: of a hundred quick ones only the last is seen by the function.
func (k *kernel) runMoved(s *shell) {
	for {
		k.mu.Lock()
		more := len(s.queue) > 0 && strings.HasPrefix(s.queue[0].MsgType, "comm_")
		k.mu.Unlock()
		k.comms.mu.Lock()
		if more || len(k.comms.moved) == 0 {
			k.comms.mu.Unlock()
			return
		}
		v := k.comms.moved[0]
		k.comms.moved = k.comms.moved[1:]
		k.comms.mu.Unlock()
		k.comms.run(v, byMove, k.between)
	}
}

// between calls a function between two cells, or beside one, as a cell.
func (k *kernel) between(f func()) error {
	ctx, done := k.here().beginCell()
	defer done()
	return k.cells.Call(ctx, f)
}

// within returns the same for a cell that has ended, with its context.
func (k *kernel) within(ctx context.Context) func(func()) error {
	return func(f func()) error { return k.cells.Call(ctx, f) }
}

// run runs the function of an interaction. What it prints and shows goes to the view,
// and so does the error or panic that ends it.
func (c *comms) run(v *view, why cause, call func(func()) error) {
	v.mu.Lock()
	v.printed, v.cause = nil, why
	v.mu.Unlock()
	s := c.kernel.here()
	restore := s.output.divert(v.take)
	unbar := s.bar.redirect(func(d repl.Display) { c.progress(v, d) })
	defer func() {
		unbar()
		c.progress(v, repl.Display{})
		restore()
	}()
	if err := call(func() {
		if err := v.x.Run(); err != nil {
			v.x.Keep(nil, err)
		}
	}); err != nil {
		v.x.Keep(nil, err)
	}
}

// take takes an output of the function.
func (v *view) take(msgType string, content dict) (taken bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o := dict{"output_type": msgType}
	switch msgType {
	case "stream":
		if n := len(v.printed); n > 0 && v.printed[n-1]["name"] == content["name"] {
			v.printed[n-1]["text"] = v.printed[n-1]["text"].(string) + content["text"].(string)
			return true
		}
		o["name"], o["text"] = content["name"], content["text"]
	case "display_data", "update_display_data":
		o["data"], o["metadata"], o["transient"] = content["data"], content["metadata"], content["transient"]
		if msgType == "update_display_data" {
			o["output_type"] = "display_data"
			id := content["transient"].(dict)["display_id"]
			i := slices.IndexFunc(v.printed, func(p dict) bool {
				t, is := p["transient"].(dict)
				return is && t["display_id"] == id
			})
			if i < 0 {
				return false // something that a cell has shown
			}
			v.printed[i] = o
			return true
		}
	case "clear_output":
		v.printed = nil
		return true
	default:
		return false
	}
	v.printed = append(v.printed, o)
	return true
}

// follows shows the result of the last run in a view.
func (c *comms) follows(v *view) {
	s := c.kernel.here()
	s.output.flush() // into v.printed, if the kernel runs the function
	owner := s.output.owner()
	values, err := v.x.Result()
	bundle := repl.Result{Values: values}.Quick()
	v.mu.Lock()
	defer v.mu.Unlock()
	outputs := []any{}
	var text, page strings.Builder
	add := func(o dict, plain, form string) {
		delete(o, "transient")
		outputs = append(outputs, o)
		text.WriteString(strings.TrimRight(plain, "\n") + "\n")
		page.WriteString(form)
	}
	for _, o := range v.printed {
		if s, is := o["text"].(string); is {
			add(o, s, "<pre>"+html.EscapeString(s)+"</pre>")
		} else if b, is := o["data"].(repl.Bundle); is {
			plain, _ := b["text/plain"].(string)
			add(o, plain, b.Page())
		}
	}
	if len(bundle) > 0 {
		add(dict{"output_type": "display_data", "data": bundle, "metadata": dict{}}, bundle["text/plain"].(string), bundle.Page())
	}
	if err != nil {
		o := dict{"output_type": "error"}
		var e *repl.Error
		var exit *repl.ExitError
		plain := "error: " + err.Error()
		if errors.As(err, &e) || errors.As(err, &exit) {
			failed := report(err)
			o["ename"], o["evalue"], o["traceback"] = failed["ename"], failed["evalue"], failed["traceback"]
			plain = failed["ename"].(string) + ": " + failed["evalue"].(string)
		} else { // that the function has returned
			o = dict{"output_type": "display_data", "data": repl.Bundle{"text/plain": plain}, "metadata": dict{}}
		}
		add(o, plain, "<pre>"+html.EscapeString(plain)+"</pre>")
	}
	v.still = repl.Bundle{"text/plain": v.x.TextAbove(strings.TrimRight(text.String(), "\n")),
		"text/html": hiddenBelowControls + v.x.HTMLAbove(page.String())}
	v.shown, v.refused = outputs, false
	c.mu.Lock()
	c.set(v.output, "outputs", outputs)
	c.mu.Unlock()
	switch {
	case v.cause == byCell:
		c.kernel.publish("update_display_data", owner, displayed(repl.Display{ID: v.id, Bundle: v.still}))
	case v.cause == byMove && v.timer == nil:
		v.timer = time.AfterFunc(settled, func() { c.settle(v, s) })
	case v.cause == byMove:
		v.timer.Reset(settled)
	}
	v.printed, v.cause = nil, byCell
}

// settle brings the ordinary output up to date.
func (c *comms) settle(v *view, s *shell) {
	owner := s.output.owner()
	v.mu.Lock()
	defer v.mu.Unlock()
	c.kernel.publish("update_display_data", owner, displayed(repl.Display{ID: v.id, Bundle: v.still}))
}

// hiddenBelowControls hides the ordinary output below living widgets.
const hiddenBelowControls = `<style>.jp-OutputArea-child:has(.symmom-controls) + .jp-OutputArea-child:has(.symmom-still-controls){display:none}</style>`

// progress shows the progress of a run in a view, and nothing once it has ended.
func (c *comms) progress(v *view, d repl.Display) {
	page, _ := d.Bundle["text/html"].(string)
	show := "none"
	if page != "" {
		show = ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.bar.state["value"] != page {
		c.set(v.bar, "value", page)
	}
	if v.barArea.state["display"] != show {
		c.set(v.barArea, "display", show)
	}
}
