package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a fenced block of a document.
type block struct {
	line           int
	language, text string
}

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocks(document string) (all []block) {
	for _, m := range fence.FindAllStringSubmatchIndex(document, -1) {
		all = append(all, block{strings.Count(document[:m[0]], "\n") + 1, document[m[2]:m[3]], document[m[4]:m[5]]})
	}
	return all
}

// The commands and the Go of README.md and docs run, from top to bottom, in a folder that is
// empty at first, and print what is shown. Commands are in blocks of console, where output
// follows each, and of sh; "..." stands for any text. Of tables that list commands, those are
// run, too. Indented blocks show what is installed or needs a server, and are not run.
func TestDocuments(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			d := document{t: t, dir: t.TempDir(), root: root}
			for _, b := range blocks(string(text)) {
				d.run(b)
			}
			for _, m := range regexp.MustCompile("(?m)^\\| `(symmom [^`]*)` \\|").FindAllStringSubmatch(string(text), -1) {
				if !strings.HasPrefix(m[1], "symmom serve ") { // it waits for a person
					d.shell(0, m[1], "")
				}
			}
			d.session()
		})
		ran += len(blocks(string(text)))
	}
	if ran < 10 {
		t.Errorf("only %d blocks seen: this test looks at nothing", ran)
	}
}

// document runs the blocks of a document in its folder.
type document struct {
	t         *testing.T
	dir, root string
	cells     []string // of Go, in the order of the document
}

func (d *document) run(b block) {
	switch b.language {
	case "sh":
		d.shell(b.line, b.text, "")
	case "console":
		for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			input := ""
			if command == "symmom repl" {
				input, want = prompts(want)
			}
			got := d.shell(b.line, command, input)
			if !showsText(got, want) {
				d.t.Errorf("line %d: %s prints\n%s\nwant\n%s", b.line, command, got, want)
			}
		}
	case "go":
		if strings.HasPrefix(b.text, "%%") { // a cell of its own
			d.shell(b.line, "symmom repl --no-open", b.text)
			return
		}
		if !strings.HasPrefix(b.text, "package ") {
			d.cells = append(d.cells, b.text)
			return
		}
		program := filepath.Join(d.dir, "main.go")
		if err := os.WriteFile(program, []byte(b.text), 0o644); err != nil {
			d.t.Fatal(err)
		}
		cmd := exec.Command("go", "run", program)
		cmd.Dir = d.root
		if out, err := cmd.CombinedOutput(); err != nil {
			d.t.Errorf("line %d: go run: %v\n%s", b.line, err, out)
		}
	}
}

// session runs all cells of the document as one script.
func (d *document) session() {
	if d.cells != nil {
		d.shell(0, "symmom repl --no-open", strings.Join(d.cells, "\n"))
	}
}

// shell returns what a command prints to its standard output.
func (d *document) shell(line int, command, input string) string {
	cmd := exec.Command("sh", "-e", "-c", command)
	cmd.Dir, cmd.Stdin = d.dir, strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		d.t.Errorf("line %d: %s: %v\n%s%s", line, command, err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// prompts separates what a person types into a session from what it prints.
func prompts(text string) (input, output string) {
	for line := range strings.Lines(text) {
		if code, found := strings.CutPrefix(line, "symmom> "); found {
			input += code
		} else {
			output += line
		}
	}
	return input, output
}

// showsText reports whether want, in which "..." stands for any text, shows got.
func showsText(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), `\.\.\.`, `.*`)
	return regexp.MustCompile(`(?s)^` + pattern + `$`).MatchString(strings.TrimSpace(got))
}
