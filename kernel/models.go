package kernel

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"symmom/widgets"
)

// model is a widget of ipywidgets. Its state has the names of the classes in the
// client and the values that differ from theirs.
type model struct {
	id      string
	state   dict
	control *widgets.Control // that it stands for; nil for a layout, a box and the like
	key     string           // the name of the control's value in the state
}

// The modules that the client's classes are in, and their versions in ipywidgets 8.
var modules = map[string]string{"base": "2.0.0", "controls": "2.0.0", "output": "1.0.0"}

// open opens a comm for a model of the class name+"Model" with a view of the class
// name+"View", or the given view. c.mu must be held.
func (c *comms) open(module, name, view string, state dict) *model {
	x := &model{id: newID(), state: state}
	state["_model_module"], state["_model_module_version"], state["_model_name"] = "@jupyter-widgets/"+module, modules[module], name+"Model"
	state["_view_module"], state["_view_module_version"], state["_view_name"] = "@jupyter-widgets/"+module, modules[module], view
	if view == "StyleView" { // of base, though the models of styles are in controls
		state["_view_module"], state["_view_module_version"] = "@jupyter-widgets/base", modules["base"]
	}
	c.models[x.id], c.order = x, append(c.order, x)
	c.kernel.publish("comm_open", c.kernel.here().output.owner(), dict{"comm_id": x.id, "target_name": modelTarget,
		"data": dict{"state": state, "buffer_paths": []any{}}})
	return x
}

// reference is how a model refers to another one.
func reference(x *model) string { return "IPY_MODEL_" + x.id }

func references(all []*model) []string {
	out := []string{}
	for _, x := range all {
		out = append(out, reference(x))
	}
	return out
}

// layout opens the model of a layout: properties of CSS.
func (c *comms) layout(properties dict) string {
	return reference(c.open("base", "Layout", "LayoutView", properties))
}

// models returns the models that show the controls, one for each, and opens those that
// are not open yet. c.mu must be held.
func (c *comms) modelsOf(controls []*widgets.Control) []*model {
	width := 0
	for _, x := range controls {
		width = max(width, utf8.RuneCountInString(x.Name()))
	}
	// The names are in a column, and not truncated.
	described := fmt.Sprintf("%dch", min(width, 40)+2)
	var out []*model
	for _, x := range controls {
		out = append(out, c.modelOf(x, described))
	}
	return out
}

func (c *comms) modelOf(x *widgets.Control, described string) *model {
	s := x.State()
	if len(c.controls[x]) == 0 {
		x.Watch(func() { c.follow(x) })
	}
	bind := func(m *model, key string) *model {
		m.control, m.key = x, key
		c.controls[x] = append(c.controls[x], m)
		return m
	}
	style := func(name string) string {
		return reference(c.open("controls", name, "StyleView", dict{"description_width": described}))
	}
	switch s.Kind {
	case widgets.KindSelect:
		return bind(c.open("controls", "Dropdown", "DropdownView", dict{"description": s.Name, "_options_labels": s.Options,
			"index": slices.Index(s.Options, s.Value.(string)), "layout": c.layout(dict{}), "style": style("DescriptionStyle")}), "index")
	case widgets.KindCheck:
		return bind(c.open("controls", "Checkbox", "CheckboxView", dict{"description": s.Name, "value": s.Value, "indent": true,
			"layout": c.layout(dict{}), "style": style("CheckboxStyle")}), "value")
	case widgets.KindText:
		return bind(c.open("controls", "Text", "TextView", dict{"description": s.Name, "value": s.Value, "placeholder": "", "continuous_update": false,
			"layout": c.layout(dict{}), "style": style("TextStyle")}), "value")
	case widgets.KindButton:
		return bind(c.open("controls", "Button", "ButtonView", dict{"description": s.Name, "layout": c.layout(dict{}),
			"style": reference(c.open("controls", "ButtonStyle", "StyleView", dict{}))}), "")
	}
	name, format := "FloatSlider", fmt.Sprintf(".%df", s.Digits)
	if s.Whole {
		name, format = "IntSlider", "d"
	}
	if s.Digits > 6 {
		format = ".4g"
	}
	description := s.Name
	play := []*model{}
	if s.Kind == widgets.KindPlay {
		play = append(play, bind(c.open("controls", "Play", "PlayView", dict{"description": s.Name, "min": s.From, "max": s.To, "step": s.Step,
			"value": s.Value, "interval": s.Every, "playing": false, "repeat": false, "show_repeat": true, "layout": c.layout(dict{}), "style": style("DescriptionStyle")}), "value"))
	}
	slider := bind(c.open("controls", name, name+"View", dict{"description": description, "min": s.From, "max": s.To, "step": s.Step, "value": s.Value,
		"readout": true, "readout_format": format, "continuous_update": true, "orientation": "horizontal",
		"layout": c.layout(dict{"width": "min(100%, 32em)"}), "style": style("SliderStyle")}), "value")
	if len(play) == 0 {
		return slider
	}
	return c.open("controls", "HBox", "HBoxView", dict{"children": references(append([]*model{slider}, play...)), "layout": c.layout(dict{})})
}

// wire returns the value of the control in the form of the model.
func (m *model) wire() any {
	s := m.control.State()
	if m.key == "index" {
		return slices.Index(s.Options, s.Value.(string))
	}
	return s.Value
}

// fromWire returns the value of the control in the form of its State, given the value
// of the model.
func (m *model) fromWire(value json.RawMessage) json.RawMessage {
	if m.key != "index" {
		return value
	}
	var i *int
	options := m.control.State().Options
	if err := json.Unmarshal(value, &i); err != nil || i == nil || *i < 0 || *i >= len(options) {
		return value // which Accept refuses, as it is no text
	}
	return encode(options[*i])
}

// follow gives the models of a control its value.
func (c *comms) follow(x *widgets.Control) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.controls[x] {
		if m.key == "" {
			continue
		}
		if value := m.wire(); !same(m.state[m.key], value) {
			c.set(m, m.key, value)
		}
	}
}

// same reports whether two values are the same in JSON, except for the error of a sum of
// steps that the client has made.
func same(a, b any) bool {
	var x, y any
	if json.Unmarshal(encode(a), &x) != nil || json.Unmarshal(encode(b), &y) != nil {
		return false
	}
	u, ok := x.(float64)
	v, is := y.(float64)
	if ok && is {
		return u == v || max(u-v, v-u) < 1e-9*max(u, v, -u, -v)
	}
	return x == y
}
