package terminal

import "testing"

// TestResultsFit: results and errors have no line wider than the terminal, except strings.
func TestResultsFit(t *testing.T) {
	p, cmd := startSession(t, "XDG_STATE_HOME="+t.TempDir())
	p.sees("symmom> ")
	p.types("zeros := make([]int, 45)\r")
	p.sees("symmom> ")
	p.types("zeros\r")
	p.sees("\n[0 0 0")
	p.sees("0 0\r\n  0 0")
	p.types("fmt.Sprint(zeros)\r")
	p.sees("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]")
	p.types("datasets.Digits().WhatItDoesNotHave()\r")
	p.sees("undefined (type *symmom.Session has no\r\n  field or method")
	p.sees("symmom> ")
	p.types("\x04")
	if code := ended(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
