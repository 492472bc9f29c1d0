package notebook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"symmom/internal/store/interruptible"
	"symmom/kernel"
)

// Options are those of a run.
type Options struct {
	Kernel kernel.Config // of which its Library is usually set

	// Checking leaves out cells tagged nbval-skip.
	Checking bool

	// Progress, if it is not nil, is called when a cell begins, and while a long call is
	// under way, which doing describes then.
	Progress func(cell, of int, doing string)
}

// CellError is the error of a cell.
type CellError struct {
	Notebook  string
	Cell      int    // the number of the cell that ran, from 1: that in its brackets
	In, Line  int    // the cell and the line where the error is, from 1; 0 if unknown
	Message   string // one line
	Traceback string // with colours for terminals
}

func (e *CellError) Error() string {
	place := fmt.Sprintf("%s: cell %d", e.Notebook, e.Cell)
	switch {
	case e.Line > 0 && e.In != e.Cell:
		place += fmt.Sprintf(", in line %d of cell %d", e.Line, e.In)
	case e.Line > 0:
		place += fmt.Sprintf(", line %d", e.Line)
	}
	return place + ": " + e.Message
}

// patience is how long an interrupted cell may take to end.
const patience = 700 * time.Millisecond

// Run runs the code cells in a new session and replaces their outputs. It stops at the
// first error, a *CellError, unless its cell is tagged raises-exception, and when ctx is
// cancelled; cells that have not run then have no outputs. Cells tagged skip-execution are
// left as they are.
func (nb *Notebook) Run(ctx context.Context, o Options) error {
	if err := nb.checkLanguage(); err != nil {
		return err
	}
	var cells []*Cell
	for _, c := range nb.Cells {
		if c.runs() && !(o.Checking && c.tagged("nbval-skip")) {
			c.before = c.Outputs()
			c.fields["outputs"], c.fields["execution_count"] = []any{}, nil
			cells = append(cells, c)
		}
	}
	r := &runner{options: o, of: len(cells), collector: collector{shown: map[string][]map[string]any{}}}
	defer nb.leave(r)
	k, err := kernel.NewInProcess(o.Kernel, r.receive)
	if err != nil {
		return err
	}
	r.kernel = k
	within, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(within) }()
	defer func() {
		end() // which also stops the running cell
		select {
		case <-ended:
		case <-time.After(patience): // a call that does not end
		}
	}()
	for i, c := range cells {
		if ctx.Err() != nil {
			return nb.interrupted(i + 1)
		}
		idle := r.execute(i+1, c)
		select {
		case <-idle:
		case err := <-ended:
			ended <- err
			return fmt.Errorf("the session of %s has ended: %w", nb.name, err)
		case <-ctx.Done():
			return nb.interrupted(i + 1)
		}
		if e := r.failed(); e != nil && !c.tagged("raises-exception", "nbval-raises-exception") {
			e.Notebook = nb.name
			return e
		}
	}
	return nil
}

func (nb *Notebook) interrupted(cell int) error {
	return fmt.Errorf("%s: cell %d: %w", nb.name, cell, interruptible.Err)
}

// runner is the client of the kernel.
type runner struct {
	kernel  *kernel.InProcess
	options Options
	of      int // cells

	mu        sync.Mutex
	collector collector
	number    int           // of the running cell
	idle      chan struct{} // closed when it has ended
	err       *CellError    // of that cell
	language  any           // language_info of the kernel
	left      bool          // nothing more is taken
}

// execute begins to run a cell. The channel is closed when it has ended.
func (r *runner) execute(number int, c *Cell) <-chan struct{} {
	idle := make(chan struct{})
	r.mu.Lock()
	r.collector.begin(c)
	c.number = number
	r.number, r.idle, r.err = number, idle, nil
	r.mu.Unlock()
	if r.options.Progress != nil {
		r.options.Progress(number, r.of, "")
	}
	if number == 1 {
		r.request(0, "kernel_info_request", map[string]any{})
	}
	stop := !c.tagged("raises-exception", "nbval-raises-exception")
	r.request(number, "execute_request", map[string]any{"code": c.Source(), "allow_stdin": false, "stop_on_error": stop})
	return idle
}

func (r *runner) request(id int, msgType string, content map[string]any) {
	header, _ := json.Marshal(map[string]any{"msg_id": fmt.Sprint(id), "session": "run", "msg_type": msgType, "version": "5.4"})
	body, _ := json.Marshal(content) // neither has anything that is not JSON
	r.kernel.Receive("shell", string(header), string(body))
}

// receive takes a message of the kernel.
func (r *runner) receive(channel, header, parent, _, content string) {
	var of, to struct {
		ID   string `json:"msg_id"`
		Type string `json:"msg_type"`
	}
	fields := map[string]any{}
	d := json.NewDecoder(bytes.NewReader([]byte(content)))
	d.UseNumber()
	if json.Unmarshal([]byte(header), &of) != nil || json.Unmarshal([]byte(parent), &to) != nil || d.Decode(&fields) != nil {
		return // the kernel's messages are all JSON
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case of.Type == "kernel_info_reply":
		r.language = fields["language_info"]
	case of.Type == "execute_reply" && fields["input_refused"] == true && r.err == nil:
		r.err = &CellError{Cell: r.number, Message: "it reads input, which nobody gives here; write the input into the cell, or tag it raises-exception"}
	}
	if channel != "iopub" || to.ID != fmt.Sprint(r.number) || r.left {
		return
	}
	switch of.Type {
	case "status":
		if fields["execution_state"] == "idle" {
			close(r.idle)
		}
		return
	case "error":
		r.err = &CellError{Cell: r.number, Message: str(fields["evalue"]), Traceback: Output(fields).Traceback()}
		var place struct{ Cell, Line int }
		if json.Unmarshal([]byte(content), &place) == nil {
			r.err.In, r.err.Line = place.Cell, place.Line
		}
	}
	if doing, is := underWay(of.Type, []byte(content), fields); is && r.options.Progress != nil {
		r.options.Progress(r.number, r.of, ": "+doing)
	}
	r.collector.take(of.Type, []byte(content), fields)
}

// underWay returns the text of the kernel's bar for a long call.
func underWay(msgType string, content []byte, fields map[string]any) (doing string, is bool) {
	var p published
	if !strings.HasSuffix(msgType, "display_data") || json.Unmarshal(content, &p) != nil || !strings.HasPrefix(p.Transient.ID, "progress-") {
		return "", false
	}
	return Output(fields).Data("text/plain"), true
}

// failed returns the error of the cell that has ended.
func (r *runner) failed() *CellError {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// leave makes the outputs final, as a call that does not end may still print, and adds
// what Jupyter wants to know of a notebook, where nothing is.
func (nb *Notebook) leave(r *runner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	meta := object(nb.doc["metadata"])
	if meta["kernelspec"] == nil {
		meta["kernelspec"] = map[string]any{"display_name": "Go (symmom)", "language": "go", "name": "symmom"}
	}
	if meta["language_info"] == nil && r.language != nil {
		meta["language_info"] = r.language
	}
}
