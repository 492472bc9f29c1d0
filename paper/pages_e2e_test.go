//go:build e2e

package paper

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"symmom/internal/test/chromium"
)

// The pages of all experiments log nothing to the console, request nothing, fit the
// window and show every figure with its marks and every table with its rows. Set
// SYMMOM_SCREENSHOTS to a directory to keep pictures of them.
func TestPagesInChromium(t *testing.T) {
	dir := quick(t)
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	results, err := RunAll(t.Context(), Settings{Quick: true, State: filepath.Join(dir, StateFile)}) // found in the state
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Run(r.Name, func(t *testing.T) {
			var want []int
			total := 0
			for _, table := range r.tables(true) {
				want = append(want, len(table.Rows))
				total += len(table.Rows)
			}
			cells, claims := inJSON(t, filepath.Join(dir, r.Name+".json"))
			if len(want) == 0 || want[len(want)-1] != claims {
				t.Errorf("tables of %v rows, want %d claims last", want, claims)
			}
			if listed[r.Name] && total-claims != cells {
				t.Errorf("tables of %v rows, want %d in all but the last", want, cells)
			}
			chromium.EachLook(t, ctx, filepath.Join(dir, r.Name+".html"), func(look string) {
				options := chromium.Eval[[]string](t, ctx, `Array.from(document.querySelectorAll("script[id$=-options]")).map(s => s.textContent)`)
				if len(options) == 0 {
					t.Errorf("%s: no charts", look)
				}
				chromium.CheckCanvases(t, ctx, look, len(options))
				for i, o := range options {
					chromium.CheckMarks(t, look, []byte(o), chromium.Marks(t, ctx, i+1))
				}
				if n := chromium.Eval[int](t, ctx, `document.querySelectorAll("figure").length - document.querySelectorAll("figure .error").length`); n != len(r.Figures) {
					t.Errorf("%s: %d figures without an error, want %d", look, n, len(r.Figures))
				}
				rows := chromium.Eval[[]int](t, ctx, `Array.from(document.querySelectorAll("table")).map(t => t.tBodies[0].rows.length)`)
				if !slices.Equal(rows, want) {
					t.Errorf("%s: tables of %v rows, want %v", look, rows, want)
				}
				seen.Quiet(t)
			})
		})
	}
	t.Run("index", func(t *testing.T) {
		chromium.EachLook(t, ctx, filepath.Join(dir, IndexFile), func(look string) {
			if n := chromium.Eval[int](t, ctx, `document.querySelectorAll("table tbody tr").length`); n != len(List()) {
				t.Errorf("%s: %d rows, want %d", look, n, len(List()))
			}
			seen.Quiet(t)
		})
	})
}

// listed are the experiments whose tables have a row for each cell of the JSON.
var listed = map[string]bool{"cost": true, "table1": true, "table3": true, "traces": true}

// inJSON counts the cells and the claims of a result.
func inJSON(t *testing.T, path string) (cells, claims int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Claims, Data json.RawMessage }
	var list []json.RawMessage
	if err := errors.Join(json.Unmarshal(b, &p), json.Unmarshal(p.Claims, &list)); err != nil {
		t.Fatal(err)
	}
	claims = len(list)
	if p.Data[0] == '[' {
		if err := json.Unmarshal(p.Data, &list); err != nil {
			t.Fatal(err)
		}
		cells = len(list)
	}
	return cells, claims
}
