package repl

import (
	"fmt"
	"strings"

	"symmom/internal/text/words"
)

// written is a file that the library wrote for a cell.
type written struct {
	name string
	size int64
}

func (e *evaluation) tell(name string, size int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wrote = append(e.wrote, written{name, size})
}

// sayWritten prints which files the library has written for the running goroutine's evaluation.
func (s *Session) sayWritten() {
	e := evaluationOf(s)
	if e == nil {
		return
	}
	e.mu.Lock()
	wrote := e.wrote
	e.wrote = nil
	e.mu.Unlock()
	if line := wroteLine(wrote); line != "" {
		fmt.Fprintln(s.config.Stdout, line)
	}
}

// wroteLine is one line about some files: each once, or the last if they are many.
func wroteLine(all []written) string {
	const most = 8
	size, place := map[string]int64{}, []string{}
	for _, w := range all {
		if _, again := size[w.name]; !again {
			place = append(place, w.name)
		}
		size[w.name] = w.size
	}
	if len(place) > most {
		total := int64(0)
		for _, n := range size {
			total += n
		}
		return fmt.Sprintf("wrote %s, %s in all, the last %s", words.Plural(len(place), "file"), words.FileSize(total), place[len(place)-1])
	}
	for i, name := range place {
		place[i] = fmt.Sprintf("%s, %s", name, words.FileSize(size[name]))
	}
	if len(place) == 0 {
		return ""
	}
	return "wrote " + strings.Join(place, "; ")
}
