package terminal

import (
	"os"
	"strings"
	"testing"

	"symmom/internal/system/browser"
	"symmom/internal/test/sessiontest"
)

type fakePage struct{ saved *string }

func (fakePage) Page() string   { return "" }
func (fakePage) Err() error     { return nil }
func (fakePage) String() string { return "Some Figure: three" }
func (p fakePage) Save(path string) error {
	*p.saved = path
	return os.WriteFile(path, nil, 0o644)
}

// A chart is opened if there is a screen and the person wants it.
func TestBrowser(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\necho \"$1\" > " + bin + "/opened\n"
	if err := os.WriteFile(bin+"/xdg-open", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("WAYLAND_DISPLAY", "")
	for _, c := range []struct {
		display, off string
		wanted       bool
		opens        bool
	}{{":0", "", true, true}, {"", "", true, false}, {":0", "1", true, false}, {":0", "", false, false}} {
		t.Setenv("DISPLAY", c.display)
		t.Setenv(browser.NoneEnv, c.off)
		p := newPages(c.wanted)
		saved := ""
		text := p.show(fakePage{&saved}, "Some Figure")
		if !strings.HasSuffix(saved, "/1-some-figure.html") || !strings.HasSuffix(text, saved) || strings.HasPrefix(text, "opened") != c.opens {
			t.Errorf("%+v: %s", c, text)
		}
	}
	sessiontest.Awaits(t, "nothing was opened", func() bool {
		data, err := os.ReadFile(bin + "/opened")
		return err == nil && strings.HasSuffix(string(data), "1-some-figure.html\n")
	})
}

// A picture is saved as what it is.
func TestPictureFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := newPages(false)
	text := p.showPNG([]byte("data"))
	path, is := strings.CutPrefix(text, "saved as a file: ")
	if data, err := os.ReadFile(path); !is || err != nil || string(data) != "data" || !strings.HasSuffix(path, "/1-picture.png") {
		t.Errorf("%s: %q, %v", text, data, err)
	}
}
