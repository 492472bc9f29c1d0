package kernel

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// history holds the cells of this session and, from a file, of earlier ones.
// Several kernels may add to the file at once; each sees what was there when it
// began, and its own cells.
type history struct {
	path string // "" if there is no file

	mu      sync.Mutex
	session int // number of this session
	count   int // of the numbered cells
	entries []entry
}

// entry is a cell, and a line of the file.
type entry struct {
	Session int    `json:"session"`
	Line    int    `json:"line"`
	Input   string `json:"input"`
	Output  string `json:"output,omitempty"`
}

const (
	keptHistory = 1 << 20         // bytes at the end of the file that are read
	mostHistory = 4 * keptHistory // bytes of a file that is still added to
	keptOutput  = 2000            // bytes of a cell's output
)

// older is added to the name of a file that has become too long. One that was there before
// is gone then.
const older = ".old"

// openHistory reads the history from the file, and the one before it. If there is no file,
// the history is empty; unreadable lines are skipped. A file that is too long is renamed: what
// other kernels write meanwhile goes to one or the other.
func openHistory(path string) *history {
	h := &history{path: path, session: 1}
	info, err := os.Stat(path)
	if err == nil && info.Size() > mostHistory && os.Rename(path, path+older) == nil {
		info = nil
	}
	if info == nil || info.Size() < keptHistory {
		h.read(path + older)
	}
	h.read(path)
	return h
}

// read adds the cells at the end of a file.
func (h *history) read(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	// The first line may be truncated, and is then skipped.
	if _, err := f.Seek(-keptHistory, io.SeekEnd); err != nil {
		_, err = f.Seek(0, io.SeekStart)
		if err != nil {
			return
		}
	}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		var e entry
		if json.Unmarshal(line, &e) == nil && e.Line > 0 {
			h.entries = append(h.entries, e)
			h.session = max(h.session, e.Session+1)
		}
		if err != nil {
			return
		}
	}
}

// begin adds a cell, if it is to be stored, and returns its number.
func (h *history) begin(store bool, code string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if store {
		h.count++
		h.entries = append(h.entries, entry{h.session, h.count, code, ""})
	}
	return h.count
}

// end adds the output of the cell, and writes the cell to the file.
func (h *history) end(store bool, count int, output string) error {
	if !store {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	last := len(h.entries) - 1
	for last > 0 && h.entries[last].Line != count { // others may have begun since
		last--
	}
	e := &h.entries[last]
	e.Output = output[:min(len(output), keptOutput)]
	if h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(encode(e), '\n')) // one write, so that kernels do not mix
	return errors.Join(err, f.Close())
}

type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"` // range, tail or search
	Session int    `json:"session"`          // of a range; 0 is this session, -1 the previous one
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"` // the line after the range; default: all
	N       *int   `json:"n"`    // the last n
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

func (k *kernel) historyOf(_ *shell, m *message) dict {
	var r historyRequest
	if bad := m.read(&r); bad != nil {
		return bad
	}
	found := k.history.find(r)
	lines := make([][3]any, len(found))
	for i, e := range found {
		lines[i] = [3]any{e.Session, e.Line, e.Input}
		if r.Output {
			var out any // null if a cell had none
			if e.Output != "" {
				out = e.Output
			}
			lines[i][2] = [2]any{e.Input, out}
		}
	}
	return ok(dict{"history": lines})
}

// find returns the requested cells, the oldest first.
func (h *history) find(r historyRequest) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	session := r.Session
	if session <= 0 {
		session += h.session
	}
	var out []entry
	for _, e := range h.entries {
		switch r.Access {
		case "range":
			if e.Session != session || e.Line < r.Start || r.Stop != nil && e.Line >= *r.Stop {
				continue
			}
		case "search":
			if !globs(r.Pattern, e.Input) {
				continue
			}
		}
		out = append(out, e)
	}
	if r.Unique { // the last of equal ones
		out = lastOfEach(out)
	}
	if r.N != nil && r.Access != "range" && *r.N >= 0 && *r.N < len(out) {
		out = out[len(out)-*r.N:]
	}
	return out
}

func lastOfEach(entries []entry) []entry {
	last := map[string]int{}
	for i, e := range entries {
		last[e.Input] = i
	}
	var out []entry
	for i, e := range entries {
		if last[e.Input] == i {
			out = append(out, e)
		}
	}
	return out
}

// globs matches text with a pattern in which * means any characters and ? any one.
func globs(pattern, text string) bool {
	if pattern == "" {
		pattern = "*"
	}
	// path.Match stops at slashes, which are not special here, and supports classes,
	// which are not supported here.
	clean := strings.NewReplacer("/", "\x00", `\`, `\\`, "[", `\[`)
	ok, err := path.Match(clean.Replace(pattern), strings.ReplaceAll(text, "/", "\x00"))
	return err == nil && ok
}
