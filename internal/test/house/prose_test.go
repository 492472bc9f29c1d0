package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts returns the Markdown files of the project by their names.
func texts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"bin", "build", "dist", "node_modules"}, name)) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(filepath.ToSlash(path), root+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d files seen: this test looks at nothing", len(all))
	}
	return all
}

// The rows of a table have as many cells as its first: a | that is not escaped, as in ||X||^2,
// begins another cell, and what is beyond the last column is not shown.
func TestTablesAreWhole(t *testing.T) {
	rows := 0
	for name, text := range texts(t) {
		cells := 0 // of the table that the line before was in
		for i, line := range strings.Split(text, "\n") {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			switch {
			case !strings.HasPrefix(line, "|"):
				cells = 0
				continue
			case cells == 0:
				cells = n
			case n != cells:
				t.Errorf("%s:%d: %d cells, the first row has %d: %s", name, i+1, n-1, cells-1, line)
			}
			rows++
		}
	}
	if rows < 500 {
		t.Errorf("only %d rows seen: this test looks at nothing", rows)
	}
}

// docs/reference/environment.md lists the environment variables that the program reads,
// docs/howto/urls.md those of stores, and nothing else.
func TestVariablesAreListed(t *testing.T) {
	// What the system or another program sets for its own purposes.
	given := []string{"TERM", "COLORTERM", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "USER", "APPDATA", "JPY_PARENT_PID", "XDG_DATA_HOME", "CONDA_PREFIX", "CONDA_DEFAULT_ENV"}
	all := texts(t)
	section := all["docs/reference/environment.md"]
	listed := regexp.MustCompile("`([A-Z_0-9]+)\\b").FindAllStringSubmatch(section+all["docs/howto/urls.md"], -1)
	names := map[string]bool{}
	for _, m := range listed {
		names[m[1]] = true
	}
	read := map[string]bool{"TMPDIR": true} // os.TempDir
	call := regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\("(\w+)"\)`)
	eachFile(t, func(path, name string, data []byte) {
		for _, tools := range []string{"bench", "internal/test/chromium", "internal/test/s3server", "internal/test/torture", "repl/conformance"} {
			if strings.HasPrefix(filepath.ToSlash(path), root+"/"+tools+"/") {
				return
			}
		}
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, m := range call.FindAllSubmatch(data, -1) {
			read[string(m[1])] = true
		}
	})
	for v := range read {
		if !names[v] && !slices.Contains(given, v) {
			t.Errorf("neither docs/reference/environment.md nor docs/howto/urls.md names %s", v)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(section, -1) {
		for v := range strings.SplitSeq(m[1], ", ") {
			if v = strings.Trim(v, "`"); !read[v] {
				t.Errorf("docs/reference/environment.md lists %s, which is not read", v)
			}
		}
	}
	if len(read) < 15 {
		t.Errorf("only %d variables seen: this test looks at nothing", len(read))
	}
}

// The package comment of charts names every function that draws something.
func TestFiguresAreNamed(t *testing.T) {
	doc := exec.Command("go", "doc", "-short", "./charts")
	doc.Dir = root
	out, err := doc.Output()
	if err != nil {
		t.Fatal(err)
	}
	comment, err := os.ReadFile(root + "/charts/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	figures := regexp.MustCompile(`(?m)^ *func (\w+)\(.*\) \*(?:Figure|widgets\.Interaction)$`).FindAllStringSubmatch(string(out), -1)
	if len(figures) < 20 {
		t.Fatalf("only %d functions seen: this test looks at nothing", len(figures))
	}
	for _, m := range figures {
		if !regexp.MustCompile(`\b` + m[1] + `\b`).Match(comment) {
			t.Errorf("charts/doc.go does not name %s", m[1])
		}
	}
}
