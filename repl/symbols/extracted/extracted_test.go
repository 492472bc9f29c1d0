package extracted

import "testing"

func TestUnknownForm(t *testing.T) {
	if _, err := AsFunction([]byte("package symbols\n"), "x"); err == nil {
		t.Error("no error for a file without an init function")
	}
}
