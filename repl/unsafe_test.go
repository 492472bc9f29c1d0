package repl

import (
	"strings"
	"testing"
)

func TestUnsafe(t *testing.T) {
	s := &testSession{}
	var err error
	if s.Session, err = New(Config{Stdout: &s.out, Stderr: &s.err, Unrestricted: true}); err != nil {
		t.Fatal(err)
	}
	s.must(t, "import \"unsafe\"\ntype P struct{ X, Y int }\nps := []P{{1, 2}, {3, 4}, {5, 6}}\nb := []byte(\"abc\")")
	for source, want := range map[string]string{
		"q := unsafe.Slice(&ps[1], uint8(2))\nq[0].X = 9\nfmt.Sprint(ps, len(q), cap(q))": "[{1 2} {9 4} {5 6}] 2 2",
		"*unsafe.SliceData(b)":                           "97",
		"unsafe.String(&b[0], 2)":                        "ab",
		"*unsafe.StringData(\"x\")":                      "120",
		"*(*byte)(unsafe.Add(unsafe.Pointer(&b[0]), 2))": "99",
		"func() (r any) { defer func() { r = recover() }(); n := -1; _ = unsafe.Slice(&b[0], n); return }()": "error: runtime error: unsafe.Slice: len out of range",
	} {
		if got := s.must(t, source); got != want {
			t.Errorf("%s\nshows %q, want %q", source, got, want)
		}
	}
	if e := s.fails(t, "import \"runtime\"\nruntime.MemProfileRate = 1"); !strings.Contains(e.Message, "of the whole process") {
		t.Error(e.Report())
	}
}
