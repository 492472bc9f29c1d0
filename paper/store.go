package paper

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"symmom/internal/store/atomicfile"
)

// entry is a finished cell in the state file, one per line.
type entry struct {
	Key   string          `json:"key"`
	Date  time.Time       `json:"date"`
	Load  float64         `json:"load"` // average of the last minute before the cell ended
	Value json.RawMessage `json:"value"`
}

// store holds finished cells, and keeps them in a file if it has a path. The file
// is rewritten atomically after each cell. Cells that another
// process has written meanwhile are kept.
type store struct {
	mu    sync.Mutex
	path  string
	cells map[string]entry
}

// openStore reads the file; if it does not exist, the store is empty.
func openStore(path string) (*store, error) {
	s := &store{path: path, cells: map[string]entry{}}
	return s, s.read()
}

// read adds the cells of the file to the known ones.
func (s *store) read() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.merge()
}

func (s *store) merge() error {
	if s.path == "" {
		return nil
	}
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("finished cells: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Key == "" {
			return fmt.Errorf("finished cells: %s, line %d: not a cell of an experiment; remove the file to compute all anew", s.path, n)
		}
		if _, ok := s.cells[e.Key]; !ok {
			s.cells[e.Key] = e
		}
	}
	return nil
}

// has reports whether a cell is finished.
func (s *store) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.cells[key]
	return ok
}

// put stores a cell.
func (s *store) put(key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("cell %s: %w", key, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[key] = entry{Key: key, Date: time.Now().UTC().Truncate(time.Second), Load: loadAverage(), Value: raw}
	if s.path == "" {
		return nil
	}
	if err := s.merge(); err != nil {
		return err
	}
	keys := make([]string, 0, len(s.cells))
	for k := range s.cells {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, k := range keys {
		if err := enc.Encode(s.cells[k]); err != nil {
			return fmt.Errorf("finished cells: %w", err)
		}
	}
	if err := atomicfile.Write(s.path, b.Bytes()); err != nil {
		return fmt.Errorf("finished cells: cannot write %s: %w", s.path, err)
	}
	return nil
}

// get returns the value of a cell; ok is false if it is not finished.
func get[T any](s *store, key string) (value T, ok bool) {
	s.mu.Lock()
	e, ok := s.cells[key]
	s.mu.Unlock()
	if !ok || json.Unmarshal(e.Value, &value) != nil {
		return value, false
	}
	return value, true
}
