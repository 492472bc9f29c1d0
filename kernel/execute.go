package kernel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"symmom/repl"
)

// executeRequest is a request to run a cell.
type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"` // default: not silent
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`   // default true
	StopOnError     *bool             `json:"stop_on_error"` // default true
}

func orTrue(b *bool) bool { return b == nil || *b }

// execute runs a cell.
func (k *kernel) execute(s *shell, m *message) dict {
	if m.aborted {
		return dict{"status": "aborted"} // without a count, which clients would write beside the cell
	}
	var r executeRequest
	if bad := m.read(&r); bad != nil {
		return bad
	}
	store := !r.Silent && orTrue(r.StoreHistory) && strings.TrimSpace(r.Code) != ""
	count := k.history.begin(store, r.Code)
	s.output.begin(m.raw, r.Silent)
	if !r.Silent {
		k.once.begin(m.cell)
	}
	if !r.Silent {
		k.publish("execute_input", m.raw, dict{"code": r.Code, "execution_count": count})
	}
	reply := dict{"execution_count": count, "payload": []any{}, "user_expressions": dict{}}
	ctx, done := s.beginCell()
	defer done()
	if k.leaving(r.Code) {
		reply["payload"] = []any{dict{"source": "ask_exit", "keepkernel": false}}
		return ok(reply)
	}
	if !r.Silent {
		k.tell()
	}
	s.count = count
	if s == k.main {
		k.words.state(fmt.Sprintf("cell %d ran", count))
		defer k.words.state(fmt.Sprintf("no cell ran, the last was %d", count))
	}
	s.input.begin(ctx, m, orTrue(r.AllowStdin))
	values, err := s.run(ctx, r, count, store)
	if s.input.end() {
		reply["input_refused"] = true // for clients that know of it: few programs look at the error
	}
	if err != nil {
		failed := report(err)
		shown := maps.Clone(failed)
		delete(shown, "status")
		s.output.send("error", shown)
		maps.Copy(reply, failed)
		if orTrue(r.StopOnError) {
			s.abort(m)
		}
		return reply
	}
	if payload, is := page(values); is {
		reply["payload"] = []any{payload}
	}
	reply["user_expressions"] = k.expressions(ctx, r.UserExpressions)
	return ok(reply)
}

// reached is called before each statement at the top level of a cell.
func (k *kernel) reached(line int) {
	if s := k.here(); s == k.main {
		k.words.state(fmt.Sprintf("cell %d ran, line %d", s.count, line))
	}
}

// run evaluates the code, shows its values and returns them. When it returns,
// everything printed has been sent on.
func (s *shell) run(ctx context.Context, r executeRequest, count int, store bool) ([]any, error) {
	k := s.kernel
	number := count
	if !store { // the number is that of another cell
		number = 0
	}
	result, err := k.cells.EvalCell(ctx, number, r.Code)
	s.bar.end()
	var b repl.Bundle
	var still *repl.Display
	if err == nil {
		if b, still = k.showControls(k.within(ctx), result.Values); b == nil {
			b, err = k.bundle(ctx, result)
		}
	}
	if _, is := page(result.Values); len(b) > 0 && !is {
		s.output.send("execute_result", dict{"execution_count": count, "data": b, "metadata": dict{}})
	}
	if still != nil {
		s.output.send("display_data", displayed(*still))
	}
	text, _ := b["text/plain"].(string)
	if err := k.history.end(store, count, text); err != nil {
		fmt.Fprintln(k.config.Log, "kernel: the history is not kept:", err)
	}
	s.output.flush()
	return result.Values, err
}

// bundle returns the representations of a result. The methods of its values run as a cell
// does.
func (k *kernel) bundle(ctx context.Context, r repl.Result) (repl.Bundle, error) {
	if len(r.Values) == 0 {
		return nil, nil
	}
	var b repl.Bundle
	if err := k.cells.Call(ctx, func() { b = r.Bundle() }); err != nil {
		return nil, err
	}
	return b, nil
}

// beginCell gives a cell a context that an interrupt cancels.
func (s *shell) beginCell() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	k := s.kernel
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended {
		cancel()
	}
	s.cancel = cancel
	return ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		s.cancel = nil
		cancel()
	}
}

// inFlight is how long requests may be in transit that a client sent together with
// the one that failed.
const inFlight = 5 * time.Millisecond

// abort drops the cells that wait after one that failed, if its client sent them
// before it could know of the failure.
func (s *shell) abort(failed *message) {
	time.Sleep(inFlight)
	s.kernel.mu.Lock()
	defer s.kernel.mu.Unlock()
	for _, m := range s.queue {
		m.aborted = m.aborted || m.MsgType == "execute_request" && m.Session == failed.Session
	}
}

// expressions evaluates the expressions that the client requests after a cell.
func (k *kernel) expressions(ctx context.Context, wanted map[string]string) dict {
	out := dict{}
	for name, source := range wanted {
		r, err := k.cells.EvalCell(ctx, 0, source)
		var b repl.Bundle
		if err == nil {
			b, err = k.bundle(ctx, r)
		}
		if err != nil {
			out[name] = report(err)
			continue
		}
		if b == nil {
			b = repl.Bundle{}
		}
		out[name] = ok(dict{"data": b, "metadata": dict{}})
	}
	return out
}

// report returns an error in the form that notebooks show.
func report(err error) dict {
	var e *repl.Error
	var exit *repl.ExitError
	switch {
	case errors.As(err, &exit):
		text := fmt.Sprintf("os.Exit(%d): a cell cannot end the kernel; use the client's menu, or quit in a console", exit.Code)
		return failure("exit", text, []string{red(text)})
	case !errors.As(err, &e):
		return failure("error", err.Error(), []string{red(err.Error())})
	case e.Kind == "interrupted":
		text := "interrupted; the best result so far, if any, is kept"
		return failure(e.Kind, text, []string{red(text)})
	}
	first, rest, _ := strings.Cut(e.Report(), "\n")
	trace := []string{red(e.Kind + " error: " + first)}
	if e.Kind == "panic" || e.Kind == "failed" {
		trace[0] = red(first)
	}
	if rest != "" {
		trace = append(trace, strings.Split(rest, "\n")...)
	}
	reply := failure(e.Kind, e.Message, trace)
	reply["cell"], reply["line"] = e.Cell, e.Line // for clients that know of them
	return reply
}

func red(text string) string { return "\x1b[31m" + text + "\x1b[0m" }

// display sends what a cell shows while it runs.
func (s *shell) display(d repl.Display) {
	b, still := s.kernel.showControls(func(f func()) error { f(); return nil }, d.Result.Values)
	if b != nil {
		d.Bundle = b
	}
	switch {
	case d.Clear:
		s.output.send("clear_output", dict{"wait": d.Wait})
	case d.Update:
		s.output.send("update_display_data", displayed(d))
	default:
		s.output.send("display_data", displayed(d))
	}
	if still != nil {
		s.output.send("display_data", displayed(*still))
	}
}

func displayed(d repl.Display) dict {
	transient := dict{}
	if d.ID != "" {
		transient["display_id"] = d.ID
	}
	return dict{"data": d.Bundle, "metadata": dict{}, "transient": transient}
}
