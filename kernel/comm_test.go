package kernel

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// page is what a page of JupyterLab knows: the models and their states.
type page_ struct {
	*client
	models map[string]dict // by ID
}

// take applies what is published to the models.
func (p *page_) take(shown []*reply) {
	for _, r := range shown {
		id := r.text("comm_id")
		data, _ := r.content["data"].(map[string]any)
		switch r.kind {
		case "comm_open":
			p.models[id] = data["state"].(map[string]any)
		case "comm_msg":
			for k, v := range data["state"].(map[string]any) {
				p.models[id][k] = v
			}
		}
	}
}

// named returns the ID of the model with a description or a class.
func (p *page_) named(class, description string) string {
	p.t.Helper()
	for id, s := range p.models {
		if s["_model_name"] == class+"Model" && (description == "" || s["description"] == description) {
			return id
		}
	}
	p.t.Fatalf("no %s %s among %v", class, description, p.models)
	return ""
}

// set sets a value as a person does, and takes what the kernel answers.
func (p *page_) set(id, key string, value any) []*reply {
	p.t.Helper()
	shown := p.output(p.send(p.shell, "comm_msg", dict{"comm_id": id, "data": dict{"method": "update", "state": dict{key: value}, "buffer_paths": []any{}}}))
	p.take(shown)
	return shown
}

// outputs returns what the output widget shows, as text.
func (p *page_) outputs() string {
	p.t.Helper()
	var all []string
	for _, o := range p.models[p.named("Output", "")]["outputs"].([]any) {
		o := o.(map[string]any)
		switch o["output_type"] {
		case "stream":
			all = append(all, fmt.Sprint(o["name"], " ", o["text"]))
		case "error":
			all = append(all, fmt.Sprint("error ", o["ename"], ": ", o["evalue"]))
		default:
			all = append(all, fmt.Sprint(o["data"].(map[string]any)["text/plain"]))
		}
	}
	return strings.Join(all, "|")
}

func openPage(t *testing.T) *page_ {
	return &page_{connect(t, start(t).connection), map[string]dict{}}
}

func (p *page_) show(code string) []*reply {
	p.t.Helper()
	content, shown := p.run(code)
	if content["status"] != "ok" {
		p.t.Fatalf("%s\n%v", code, content)
	}
	p.take(shown)
	return shown
}

func TestInteract(t *testing.T) {
	p := openPage(t)
	p.show(`x := widgets.Interact(func(rank int, sigma float64, solver string, on bool, n int) any {
	fmt.Println("running", rank)
	if rank == 9 { panic("nine") }
	return fmt.Sprintf("%d %.1f %s %t %d", rank, sigma, solver, on, n)
}, widgets.Slider("rank", 2, 10, 1), widgets.Play("sigma", 0, 1, .1), widgets.Select("solver", "auto", "adam"), widgets.Check("on", false), widgets.Button("again"))
x`)
	fmt.Println(p.outputs())
	p.set(p.named("IntSlider", "rank"), "value", 7)
	fmt.Println(p.outputs())
	p.set(p.named("IntSlider", "rank"), "value", 9)
	fmt.Println(p.outputs())
	p.set(p.named("Play", "sigma"), "value", .1+.2)
	fmt.Println(p.outputs())
	p.set(p.named("Dropdown", "solver"), "index", 1)
	p.set(p.named("Checkbox", "on"), "value", true)
	p.set(p.named("IntSlider", "rank"), "value", 3)
	fmt.Println(p.outputs())
	p.set(p.named("IntSlider", "rank"), "value", 300)
	fmt.Println(p.outputs(), p.models[p.named("IntSlider", "rank")])
	time.Sleep(time.Second)
}
