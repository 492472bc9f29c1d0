package charts

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// A figure is a page of a document whose parts are where its table has them, with its text, and
// the same in every run.
func TestPDF(t *testing.T) {
	slow.Test(t)
	for name, figure := range goldenFigures {
		f := figure(t)
		path := filepath.Join(t.TempDir(), "figure.pdf")
		must(t, f.Save(path))
		b, err := os.ReadFile(path)
		must(t, err)
		again, err := f.pdf()
		must(t, err)
		if !bytes.Equal(b, again) {
			t.Errorf("%s: two documents of one figure differ", name)
		}
		text := string(b)
		table, err := strconv.Atoi(regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindStringSubmatch(text)[1])
		must(t, err)
		if !strings.HasPrefix(text[table:], "xref\n") {
			t.Fatalf("%s: no table at %d", name, table)
		}
		for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n $`).FindAllStringSubmatch(text[table:], -1) {
			at, _ := strconv.Atoi(m[1])
			if !strings.HasPrefix(text[at:], fmt.Sprintf("%d 0 obj\n", i+1)) {
				t.Errorf("%s: object %d is not at %d", name, i+1, at)
			}
		}
		_, rest, _ := strings.Cut(text, "stream\n")
		z, err := zlib.NewReader(strings.NewReader(rest))
		must(t, err)
		content, err := io.ReadAll(z)
		must(t, err)
		page := string(content)
		if strings.Count(page, "q\n") != strings.Count(page, "Q\n")+strings.Count(page, "Q q\n") || !strings.Contains(page, " rg\n") {
			t.Errorf("%s: %d states are begun", name, strings.Count(page, "q\n"))
		}
		first, _, _ := strings.Cut(f.Title, " ")
		if f.Title != hostile && !strings.Contains(page, "("+first) {
			t.Errorf("%s: the page has no text %q", name, first)
		}
		if f.Title == hostile && strings.Contains(page, `(7)`) {
			t.Error("a name has ended its text")
		}
	}
	if err := failed("f", os.ErrNotExist).Save("x.pdf"); err == nil {
		t.Error("a failed figure is saved")
	}
}

// Gradients and dashes are those of the picture.
func TestPDFOfOtherKinds(t *testing.T) {
	b, err := otherKinds().pdf()
	must(t, err)
	text := string(b)
	for _, want := range []string{"/ShadingType 2", "/FunctionType 2", "/MediaBox [0 0 720 "} {
		if !strings.Contains(text, want) {
			t.Errorf("the document has no %s", want)
		}
	}
	_, rest, _ := strings.Cut(text, "stream\n")
	z, err := zlib.NewReader(strings.NewReader(rest))
	must(t, err)
	content, err := io.ReadAll(z)
	must(t, err)
	if !regexp.MustCompile(`\[\d[\d. ]*\] 0 d`).Match(content) || !bytes.Contains(content, []byte("W n\n/S0 sh Q\n")) {
		t.Error("no dash or no gradient is painted")
	}
}
