package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/datasets"
	"symmom/internal/test/slow"
	"symmom/symmom"
)

// commandsOf returns a command and all its subcommands, parents first.
func commandsOf(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, commandsOf(sub)...)
	}
	return all
}

// Help fits a terminal of 80 columns and goes to stdout, and every command that
// does something has an example.
func TestHelp(t *testing.T) {
	for _, c := range commandsOf(newRoot(&app{})) {
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, stderr %q", args, code, stderr.String())
		}
		for line := range strings.Lines(stdout.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%s: line of %d columns: %s", args, n, line)
			}
		}
		for _, part := range []string{"Usage:\n  symmom", "-h, --help"} {
			if !strings.Contains(stdout.String(), part) {
				t.Errorf("%s: no %q in\n%s", args, part, stdout.String())
			}
		}
		// Lines broken by hand may be broken again in other places.
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "\n") {
				t.Errorf("%s: --%s has lines of its own: %q", args, f.Name, f.Usage)
			}
		})
		if c.Name() != "help" && len(examples(c)) == 0 {
			t.Errorf("%s: no example", args)
		}
	}
}

// Defaults that help tells in words are the library's.
func TestDefaultsInHelp(t *testing.T) {
	for of, value := range map[string]int{"decompose --starts": symmom.DefaultStarts, "sweep --starts": symmom.DefaultStarts, "report --starts": symmom.DefaultStarts, "serve --starts": symmom.DefaultStarts,
		"rank --starts": symmom.DefaultStarts, "mixture --max-iters": symmom.DefaultMixtureIterations} {
		name, flag, _ := strings.Cut(of, " --")
		cmd, _, err := newRoot(&app{}).Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if usage, want := cmd.Flags().Lookup(flag).Usage, fmt.Sprintf("(default %d", value); !strings.Contains(usage, want) {
			t.Errorf("%s: no %q in %q", of, want, usage)
		}
	}
}

// The library names an option in errors and advice, the command its flag. Progress is shown in
// any case.
func TestOptionsAreFlags(t *testing.T) {
	for _, options := range []any{symmom.Options{}, symmom.LoadOptions{}, symmom.MixtureOptions{}, symmom.ICAOptions{}, symmom.TopicsOptions{}, datasets.MixtureOptions{}, datasets.DocumentsOptions{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(options)) {
			if f.IsExported() && f.Name != "Progress" && f.Name != "Context" && cmp.Or(flagOf[f.Name], helpful[f.Name]) == "" {
				t.Errorf("%T.%s: flagOf has no flag for it", options, f.Name)
			}
		}
	}
}

// Every flag that a warning or an error names is one of the command that prints it.
func TestAdviceNamesFlagsOfTheCommand(t *testing.T) {
	for _, c := range commandsOf(newRoot(&app{})) {
		for _, all := range []map[string]string{flagOf, helpful} {
			for option := range all {
				for _, named := range regexp.MustCompile(`--([a-z0-9-]+)`).FindAllStringSubmatch(helpingFlags(c, []string{option}), -1) {
					if f := c.Flags().Lookup(named[1]); f == nil || f.Hidden {
						t.Errorf("%s advises --%s for %s, which it does not have", c.Name(), named[1], option)
					}
				}
			}
		}
	}
	for command, want := range map[string]string{"decompose": " (--rank)", "sweep": " (--ranks)", "report": " (--ranks)", "mixture": " (--components)", "info": ""} {
		c, _, err := newRoot(&app{}).Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		if got := helpingFlags(c, []string{"rank", "form"}); !strings.HasPrefix(got, strings.TrimSuffix(want, ")")) {
			t.Errorf("%s: %q for a rank, want %q", command, got, want)
		}
		failed := fmt.Errorf("so: %w", &symmom.ArgumentError{Argument: "rank", Value: 0, Want: "at least 1"})
		joined := all(inFlags(failed), inFlags(symmom.ErrInterrupted))
		advise(joined, c)
		if flag := strings.Trim(want, " ()"); !strings.Contains(joined.Error(), cmp.Or(flag, "--rank")+": got 0") {
			t.Errorf("%s: %v, want %s", command, joined, flag)
		}
	}
}

// Every example in the help works unchanged, in the order in which a person reads
// them, in a directory that contains only a table.csv, texts and a notebook. Pipes of the output are
// omitted: not every machine has jq.
func TestExamples(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	table := "height,weight,age,species\n1.8,80,44,cat\n1.6,55,31,dog\n1.7,71,NA,dog\n1.9,95,28,cat\n1.7,60,60,cat\n"
	const tour = `{"cells": [{"cell_type": "code", "metadata": {"tags": ["parameters"]}, "outputs": [], "source": "rank, title := 3, \"Data\""}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`
	if err := os.Mkdir(filepath.Join(dir, "speeches"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"table.csv": table, "tour.ipynb": tour, "reviews.csv": "stars,text\n5,good food good view\n1,bad food bad view\n2,not good but not bad food\n4,very fine view very fine food\n", "new.csv": "text,more\nfine,1\nnot bad,2\n",
		"speeches/one.txt": "Fellow citizens", "speeches/two.txt": "My fellow citizens"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, c := range commandsOf(newRoot(&app{})) {
		for _, line := range examples(c) {
			line, _, _ = strings.Cut(line, " | ")
			if seen[line] {
				continue
			}
			seen[line] = true
			if c.Name() == "demo" || line == "symmom demo" {
				continue // demo.txtar runs it and checks its output
			}
			if strings.HasPrefix(line, "symmom kernel run ") {
				continue // the tests of package kernel run it in Jupyter
			}
			if strings.HasPrefix(line, "symmom kernel build ") {
				continue // those of internal/build/kernelbuild run it, for half a minute
			}
			if strings.HasPrefix(line, "symmom serve ") {
				continue // it waits for a person; serve_e2e_test.go is one
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "JUPYTER_DATA_DIR="+filepath.Join(dir, "jupyter"), "VIRTUAL_ENV="+filepath.Join(dir, "venv"))
			cmd.Stdin = strings.NewReader("1 + 1\n") // for the repl, which ends at the end of its input
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", c.CommandPath(), line, err, out)
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d examples were found", len(seen))
	}
}

// Commands that texts and notebooks show can be typed: flags have these names and values, and
// where there is a table no flag is missing.
func TestCommandsInTexts(t *testing.T) {
	shown := regexp.MustCompile("`(symmom [a-z][^`\"]*)`|(?m:^(?:    (?:\\$ )?|\\$ )(symmom [a-z](?:[^\\n\\\\]|\\\\\n)*))")
	word := regexp.MustCompile(`'[^']*'|[^\s\\]+`)
	var files []string
	for _, pattern := range []string{"*.md", "*/README.md", "docs/*/*.md", "notebooks/*.ipynb"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range shown.FindAllSubmatch(text, -1) {
			args := word.FindAllString(string(m[1])+string(m[2]), -1)[1:]
			if i := slices.IndexFunc(args, func(a string) bool { return strings.ContainsAny(a[:1], "|#&>") }); i >= 0 {
				args = args[:i]
			}
			cmd, args, err := newRoot(&app{}).Find(args)
			if err == nil && cmd.HasParent() {
				err = cmd.ParseFlags(args)
			}
			if _, table := cmd.Annotations[tableArgument]; err == nil && table && cmd.Flags().NArg() > 0 {
				err = requiredFlags(cmd)
			}
			if n++; err != nil && filepath.Base(file) != "CHANGELOG.md" {
				t.Errorf("%s: %s: %v", file, m[0], err)
			}
		}
	}
	if n < 55 {
		t.Errorf("only %d commands seen: this test looks at nothing", n)
	}
}
