//go:build e2e

package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The command saves what nbclient saves, which runs the kernel over its sockets.
func TestNbclient(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set to a Python with scripts/requirements.txt; run make check")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "share", "jupyter"), "JUPYTER_PREFER_ENV_PATH=0", "IPYTHONDIR="+filepath.Join(dir, "ipython"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	symmom := filepath.Join(dir, "bin", "symmom")
	run("go", "build", "-o", symmom, "../../cmd/symmom")
	run(symmom, "kernel", "install", "--prefix", dir)
	nb := of(t,
		map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": "é \u2028 <b> & \\u2028", "id": "a"},
		code("fmt.Println(1)\nprintln(2)\nfmt.Print(\"a\\x1cb\\r\\nc é \u2028\")\n4"),
		code(" "),
		code("h := display.Show(display.HTML(\"<b>5</b>\\n<i>\"))\ndisplay.Show(mat.NewDense(2, 2, nil))"),
		code("h.Update(display.SVG(\"<svg>\\n</svg>\"))\ndisplay.Show(8)\ndisplay.Clear(true)\ndisplay.Show(9)"),
		code("import \"os\"\nos.Stdout.WriteString(\"compiled\\n\")\nx := nosuch", "raises-exception"),
		code("func f() { panic(\"deep\") }\nf()", "raises-exception"),
		code("widgets.Interact(func(n int) any { return n }, widgets.Slider(\"n\", 1, 3, 1))"),
		code("import \"image\"\nimage.NewGray(image.Rect(0, 0, 2, 2))"),
		code("var s string\n_, err := fmt.Scanln(&s)\nerr", "raises-exception"),
		code("1", "skip-execution"),
	)
	for i, c := range nb.Cells {
		c.fields["id"] = string(rune('a' + i))
	}
	meta := object(nb.doc["metadata"])
	meta["kernelspec"] = map[string]any{"display_name": "Go (symmom)", "language": "go", "name": "symmom"}
	path := filepath.Join(dir, "in.ipynb")
	if err := os.WriteFile(path, nb.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	ours, theirs := filepath.Join(dir, "ours.ipynb"), filepath.Join(dir, "theirs.ipynb")
	run(symmom, "run", path, "--save", ours)
	run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.record_timing=False",
		"--ExecutePreprocessor.store_widget_state=False", "--ExecutePreprocessor.coalesce_streams=True", "--output", theirs, path)
	models := regexp.MustCompile(`"model_id": "[0-9a-f]+"`)
	read := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return models.ReplaceAllString(string(data), `"model_id": ""`)
	}
	if got, want := read(ours), read(theirs); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
