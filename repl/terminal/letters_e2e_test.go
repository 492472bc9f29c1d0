//go:build e2e && linux

package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

func startPane(t *testing.T) *pane {
	t.Helper()
	dir := t.TempDir()
	p := &pane{t: t, dir: dir, env: append(os.Environ(), sessionEnv+"=1", "XDG_STATE_HOME="+dir, "TMUX_TMPDIR="+dir, "INPUTRC=/dev/null", "TMUX=", "LC_ALL=C.UTF-8")}
	p.start()
	t.Cleanup(func() {
		if t.Failed() && p.alive() {
			p.tmux("kill-server")
		}
	})
	return p
}

// letterSum distinguishes letters and their order; declareSum is the same for a
// session.
func letterSum(letters []rune) (n int) {
	for i, r := range letters {
		n += (i%97 + 1) * int(r)
	}
	return n
}

const declareSum = "sum := func(s string) (n int) { for i, r := range []rune(s) { n += (i%97 + 1) * int(r) }; return n }"

// Letters of many languages are typed, pasted, read back from the screen and
// from the history.
func TestLettersInTmux(t *testing.T) {
	p := startPane(t)
	p.enters(declareSum)
	p.ends("symmom>")
	for _, text := range []string{
		"é °µß ÿ À la façon de l'été, Größe ±½", "Съешь же ещё этих мягких французских булок", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
		"色は匂へど散りぬるを 世界 안녕하세요", "مرحبا بالعالم שלום", "e\u0301 n\u0303 x\u0304\u0302", "👩\u200d🔬 🇫🇷 👍🏽 😀", "नमस्ते สวัสดี",
	} {
		want := fmt.Sprintf("\n%d\n", letterSum([]rune(text)))
		p.clears()
		p.types(fmt.Sprintf(`sum("%s")`, text))
		p.keys("Enter")
		p.sees(want)
		p.clears()
		file := filepath.Join(p.dir, "paste.txt")
		if err := os.WriteFile(file, []byte(`sum("`+text+`")`), 0o644); err != nil {
			t.Fatal(err)
		}
		p.tmux("load-buffer", file)
		p.tmux("paste-buffer", "-p", "-t", "repl")
		p.keys("Enter")
		p.sees(want)
		p.clears()
		p.keys("Up")
		p.sees(`symmom> sum("`)
		p.keys("Enter")
		p.sees(want)
	}
	// What the screen shows, and letters put in the middle.
	p.clears()
	p.enters(`"é °µß, я, ω, 世界"`)
	p.sees("\né °µß, я, ω, 世界\n")
	p.types("µ世:=1")
	for range 3 {
		p.keys("Left")
	}
	p.types("界é")
	p.sees("symmom> µ世界é:=1")
	p.keys("Enter")
	p.enters("µ世界é+41")
	p.sees("\n42\n")
	p.types(`é := "`)
	p.keys("C-a", "C-k")
	p.ends("symmom>")
	p.clears()
	p.leaves()
}

// Completing what has letters beyond ASCII leaves the rest of the line alone.
func TestCompletedLettersInTmux(t *testing.T) {
	p := startPane(t)
	for _, name := range []string{"Größen ä.csv", "Größen ü.csv"} {
		if err := os.MkdirAll(filepath.Join(p.dir, "Daten"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, "Daten", name), []byte("1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.types(`symmom.Load("Daten/G`)
	p.keys("Tab")
	p.sees("Daten/Größen\nfiles")
	p.keys("Tab")
	p.sees("Daten/Größen ä.csv\nfiles")
	p.keys("Tab")
	p.sees("Daten/Größen ü.csv\nfiles")
	p.types(`").Source()`)
	p.keys("Enter")
	p.sees("\nDaten/Größen ü.csv\n")
	p.clears()
	p.types(`symmom.Load("Daten/Größen ü`)
	for range 3 {
		p.keys("Tab")
	}
	p.types(`").Source()`)
	p.keys("Enter")
	p.sees("\nDaten/Größen ü.csv\n")
	p.enters("größe, größer, 日本, 日曜 := 1, 2, 3, 4")
	p.types("40 + GRÖ")
	p.keys("Tab")
	p.sees("symmom> 40 + größe\nvariables")
	p.keys("Tab", "Tab", "Enter")
	p.sees("\n42\n")
	p.types("40 + 日")
	p.keys("Tab")
	p.sees("symmom> 40 + 日\n日曜  日本")
	p.types("本")
	p.keys("Tab", "Enter")
	p.sees("\n43\n")
	p.leaves()
}

// The letters of all scripts, pasted with brackets, and a third of them without,
// as if typed by someone fast: each line is longer than the editor reads at once.
func TestScriptsInTmux(t *testing.T) {
	p := startPane(t)
	p.enters(declareSum)
	p.ends("symmom>")
	for page := rune(0x80); page < 0x20000; page += 0x800 {
		var all, third []rune
		for r := page; r < page+0x800; r++ {
			if !unicode.IsGraphic(r) || r%7 != 0 && unicode.In(r, unicode.Han, unicode.Hangul) {
				continue
			}
			if all = append(all, r); len(all)%3 == 0 {
				third = append(third, r)
			}
		}
		if len(third) == 0 {
			continue
		}
		file := filepath.Join(p.dir, "paste.txt")
		paste := func(letters []rune, args ...string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(`sum("`+string(letters)+`")`), 0o644); err != nil {
				t.Fatal(err)
			}
			p.tmux("load-buffer", file)
			p.tmux(append([]string{"paste-buffer", "-t", "repl"}, args...)...)
			p.keys("Enter")
			p.sees(fmt.Sprintf("\n%d\n", letterSum(letters)))
			p.clears()
		}
		paste(third)
		paste(all, "-p")
	}
	p.leaves()
}

// A window that becomes narrower leaves nothing of the line of progress.
func TestResizeInTmux(t *testing.T) {
	p := startPane(t)
	p.enters("long := datasets.Uniform(300, 20000, 1).Moment(3).Implicit().With(symmom.Options{Tolerance: 1e-12})")
	p.enters("fit := long.Decompose(20)")
	for _, width := range []string{"100", "60", "35", "120", "45", "80"} {
		p.sees("rank 20  start")
		p.tmux("resize-window", "-t", "repl", "-x", width, "-y", "40")
		p.sees("rank 20  start")
	}
	p.keys("C-c")
	p.sees("interrupted; the best result so far, if any, is kept\nsymmom>")
	if screen := p.tmux("capture-pane", "-p", "-t", "repl"); strings.Contains(screen, "rank 20") {
		t.Errorf("a line of progress is left:\n%s", screen)
	}
	p.leaves()
}
