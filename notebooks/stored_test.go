package notebooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A chart takes at most 100 kB of a stored notebook, with what brings it to life.
func TestStoredChartsAreSmall(t *testing.T) {
	const most = 100_000
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	found := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var notebook struct {
			Cells []struct {
				Outputs []struct{ Data map[string]any }
			}
		}
		if err := json.Unmarshal(text, &notebook); err != nil {
			t.Fatal(path, err)
		}
		for i, c := range notebook.Cells {
			for _, o := range c.Outputs {
				lines, _ := o.Data["text/html"].([]any)
				size, html := 0, ""
				for _, line := range lines {
					size, html = size+len(line.(string)), html+line.(string)
				}
				if strings.Count(html, `class="symmom-still"`) != 1 { // no chart, or a report of several
					continue
				}
				if found++; size > most {
					t.Errorf("%s, cell %d: a chart of %d bytes", path, i, size)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d charts", found)
	}
}
