package terminal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// history is the input of sessions, stored in a file with one JSON string per line.
// It implements the line editor's history. Several sessions may add to the file at
// once; each sees the lines that were there when it began, and its own input.
type history struct {
	path  string // "" if there is no place for a file
	lines []string
}

// keptLines is the number of lines that are read from an old history.
const keptLines = 5000

// historyFile returns the path of the file with the input typed at the prompt.
func historyFile() string { return StateFile("history") }

// StateFile returns the path of one of symmom's files in the user's state directory,
// or "" if there is no such directory.
func StateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		switch runtime.GOOS {
		case "darwin":
			dir = filepath.Join(home, "Library", "Application Support")
		case "windows":
			dir = filepath.Join(home, "AppData", "Local")
		default:
			dir = filepath.Join(home, ".local", "state")
		}
	}
	return filepath.Join(dir, "symmom", name)
}

// openHistory reads the history from a file. If there is none, the history is empty;
// unreadable lines are skipped.
func openHistory(path string) *history {
	h := &history{path: path}
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		var text string
		if json.Unmarshal(line, &text) == nil && text != "" {
			h.lines = append(h.lines, text)
		}
		if err != nil {
			break
		}
	}
	h.lines = h.lines[max(0, len(h.lines)-keptLines):]
	return h
}

// Write adds input. A history that cannot be stored must not disturb the session, so
// errors only leave the file unchanged.
func (h *history) Write(text string) (int, error) {
	text = strings.TrimSpace(text)
	if n := len(h.lines); text == "" || n > 0 && h.lines[n-1] == text {
		return n, nil
	}
	h.lines = append(h.lines, text)
	if h.path == "" {
		return len(h.lines), nil
	}
	line, err := json.Marshal(text)
	if err != nil {
		return len(h.lines), err
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return len(h.lines), err
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return len(h.lines), err
	}
	_, err = f.Write(append(line, '\n'))
	return len(h.lines), errors.Join(err, f.Close())
}

// GetLine returns line i, where 0 is the oldest.
func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= len(h.lines) {
		return "", fmt.Errorf("no line %d in a history of %d", i, len(h.lines))
	}
	return h.lines[i], nil
}

// Len returns the number of lines.
func (h *history) Len() int { return len(h.lines) }

// Dump returns all lines.
func (h *history) Dump() any { return h.lines }
