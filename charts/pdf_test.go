package charts

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"symmom/internal/test/slow"
)

// pdfPage is what paints the page of a document.
func pdfPage(t *testing.T, document []byte) string {
	t.Helper()
	_, rest, _ := bytes.Cut(document, []byte("stream\n"))
	z, err := zlib.NewReader(bytes.NewReader(rest))
	must(t, err)
	content, err := io.ReadAll(z)
	must(t, err)
	return string(content)
}

// A figure is a page of a document with its text, and the same in every run.
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
		page := pdfPage(t, b)
		if begun, ended := len(regexp.MustCompile(`(?m)^q\b`).FindAllString(page, -1))+strings.Count(page, "Q q\n"), len(regexp.MustCompile(`(?m)^Q\b`).FindAllString(page, -1)); begun != ended {
			t.Errorf("%s: %d states are begun, %d end", name, begun, ended)
		}
		first, _, _ := strings.Cut(f.Title, " ")
		letters := ""
		for _, u := range utf16.Encode([]rune(first)) {
			letters += string([]byte{byte(u >> 8), byte(u)})
		}
		if !strings.Contains(page, "("+letters) {
			t.Errorf("%s: the page has no text %q", name, first)
		}
	}
	if err := failed("f", os.ErrNotExist).Save("x.pdf"); err == nil {
		t.Error("a failed figure is saved")
	}
}

// A gradient, dashes, and letters that the font lacks, which are painted.
func TestPDFOfOtherKinds(t *testing.T) {
	f := otherKinds()
	f.Title = "10⁻⁴ 漢"
	b, err := f.pdf()
	must(t, err)
	if !bytes.Contains(b, []byte("/MediaBox [0 0 720.00 ")) {
		t.Error("a page of another size")
	}
	page := pdfPage(t, b)
	if !regexp.MustCompile(`\n\[\d[\d. ]*\] 0\.00 d\n`).MatchString(page) || !regexp.MustCompile(`W n\n(.* r?g\n.* re f\n){10}`).MatchString(page) {
		t.Error("no dash or no gradient is painted")
	}
	if strings.Contains(page, "\x6f\x22") {
		t.Error("a letter is written that the font lacks")
	}
}
