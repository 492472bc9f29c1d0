package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"symmom/widgets"
)

// Comms are channels between a kernel and code in the client. Here they belong to the
// widgets of ipywidgets (package ipywidgets of Python, version 8), whose models the
// client has: each comm is a model, which represents a control or a part of the page
// (models.go). The client sends what a person has set, and the functions of the
// interactions run then (interaction.go).

// The targets of comms.
const (
	modelTarget   = "jupyter.widget"         // a model
	controlTarget = "jupyter.widget.control" // a client that asks for all models, such as a page after a reload
)

// widgetsVersion is the version of the protocol of widgets, as metadata of comm_open.
var widgetsVersion = json.RawMessage(`{"version":"2.1.0"}`)

// comms are the open comms.
type comms struct {
	kernel *kernel

	mu       sync.Mutex
	models   map[string]*model // by the ID of the comm
	order    []*model          // in the order in which they were opened
	controls map[*widgets.Control][]*model
	views    map[*widgets.Interaction]*view
	askers   map[string]bool // the comms of clients that ask for all models
	moved    []*view         // whose functions are to run
}

func newComms(k *kernel) *comms {
	return &comms{kernel: k, models: map[string]*model{}, controls: map[*widgets.Control][]*model{},
		views: map[*widgets.Interaction]*view{}, askers: map[string]bool{}}
}

// commMessage is the content of comm_open, comm_msg and comm_close.
type commMessage struct {
	ID     string `json:"comm_id"`
	Target string `json:"target_name"`
	Data   struct {
		Method  string                     `json:"method"`
		State   map[string]json.RawMessage `json:"state"`
		Content struct {
			Event string `json:"event"`
		} `json:"content"`
	} `json:"data"`
}

// commOpen takes the comm of a client that will ask for all models. There is no other
// target, so anything else is closed again, as the protocol requires.
func (k *kernel) commOpen(s *shell, m *message) dict {
	var r commMessage
	if m.read(&r) != nil {
		return nil
	}
	if r.Target == controlTarget {
		k.comms.mu.Lock()
		k.comms.askers[r.ID] = true
		k.comms.mu.Unlock()
	} else {
		k.publish("comm_close", m.raw, dict{"comm_id": r.ID, "data": dict{}})
	}
	k.runMoved(s)
	return nil
}

// commMsg handles changes by the user, and requests for the state of models.
func (k *kernel) commMsg(s *shell, m *message) dict {
	var r commMessage
	if bad := m.read(&r); bad != nil {
		fmt.Fprintln(k.config.Log, "kernel: a message for a widget was left alone:", bad["evalue"])
	}
	k.comms.answer(s, m.raw)
	defer k.comms.answer(s, nil)
	k.comms.receive(m, r)
	k.runMoved(s)
	return nil
}

func (c *comms) receive(m *message, r commMessage) {
	c.mu.Lock()
	x, asker := c.models[r.ID], c.askers[r.ID]
	c.mu.Unlock()
	switch {
	case asker && r.Data.Method == "request_states":
		c.kernel.publish("comm_msg", m.raw, dict{"comm_id": r.ID, "data": c.states()})
	case x == nil: // of a page that was there before this kernel
	case r.Data.Method == "request_state":
		c.mu.Lock()
		defer c.mu.Unlock()
		c.send(x, m.raw, "update", x.state)
	case r.Data.Method == "update":
		c.update(m, x, r.Data.State)
	case r.Data.Method == "custom" && r.Data.Content.Event == "click" && x.control != nil:
		if err := x.control.Press(); err != nil {
			fmt.Fprintln(c.kernel.config.Log, "kernel:", err)
			return
		}
		c.move(x.control)
	}
}

// answer sets the header of the message that a shell is answering.
func (c *comms) answer(s *shell, parent json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.answering = parent
}

// states is the answer to a client that asks for all models.
func (c *comms) states() dict {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := dict{}
	for _, x := range c.order {
		all[x.id] = dict{"model_name": x.state["_model_name"], "model_module": x.state["_model_module"],
			"model_module_version": x.state["_model_module_version"], "state": maps.Clone(x.state)}
	}
	return dict{"method": "update_states", "states": all, "buffer_paths": []any{}}
}

// update sets new values of a model, and sends them to all clients.
func (c *comms) update(m *message, x *model, state map[string]json.RawMessage) {
	c.mu.Lock()
	known := dict{}
	for name, value := range state {
		// What else is in the state, the client does not set.
		if _, has := x.state[name]; has && (name == x.key || name == "playing" || name == "repeat") {
			known[name] = value
			x.state[name] = value
		}
	}
	c.send(x, m.raw, "echo_update", known)
	c.mu.Unlock()
	value, is := state[x.key]
	if x.control == nil || !is {
		return
	}
	changed, err := c.accept(x.control, x.fromWire(value))
	if changed {
		c.move(x.control)
	} else {
		c.refuse(x.control, err)
	}
	c.follow(x.control) // if it stands elsewhere now
}

// accept gives a control a value. What checks a text may be code of a cell.
func (c *comms) accept(x *widgets.Control, value json.RawMessage) (changed bool, err error) {
	if x.State().Kind != widgets.KindText {
		return x.Accept(value)
	}
	if failed := c.kernel.between(func() { changed, err = x.Accept(value) }); failed != nil {
		return false, failed
	}
	return changed, err
}

// send sends a message of the kind method to the model x in all clients. c.mu must be
// held, so that a later value is never sent before an earlier one.
func (c *comms) send(x *model, parent json.RawMessage, method string, state dict) {
	if len(state) > 0 {
		c.kernel.publish("comm_msg", parent, dict{"comm_id": x.id, "data": dict{"method": method, "state": state, "buffer_paths": []any{}}})
	}
}

// set changes the state of a model and notifies all clients. c.mu must be held.
func (c *comms) set(x *model, name string, value any) {
	x.state[name] = value
	s := c.kernel.here()
	parent := s.answering
	if parent == nil {
		parent = s.output.owner()
	}
	c.send(x, parent, "update", dict{name: value})
}

// commClose forgets a comm that the client has closed.
func (k *kernel) commClose(s *shell, m *message) dict {
	var r commMessage
	if m.read(&r) == nil {
		c := k.comms
		c.mu.Lock()
		delete(c.askers, r.ID)
		if x := c.models[r.ID]; x != nil {
			c.forget(x)
		}
		c.mu.Unlock()
	}
	k.runMoved(s)
	return nil
}

// forget removes a model. c.mu must be held.
func (c *comms) forget(x *model) {
	delete(c.models, x.id)
	c.order = slices.DeleteFunc(c.order, func(o *model) bool { return o == x })
	if x.control != nil {
		c.controls[x.control] = slices.DeleteFunc(c.controls[x.control], func(o *model) bool { return o == x })
	}
}

// commInfo lists the models.
func (k *kernel) commInfo(_ *shell, m *message) dict {
	var r struct {
		Target string `json:"target_name"`
	}
	if bad := m.read(&r); bad != nil {
		return bad
	}
	k.comms.mu.Lock()
	defer k.comms.mu.Unlock()
	all := dict{}
	for id := range k.comms.models {
		if r.Target == "" || r.Target == modelTarget {
			all[id] = dict{"target_name": modelTarget}
		}
	}
	return ok(dict{"comms": all})
}
