package torture

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMutate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := []byte(strings.Repeat("1,2,3\n", 50))
	before := bytes.Clone(data)
	changed := 0
	for range 1000 {
		if !bytes.Equal(Mutate(r, data), data) {
			changed++
		}
	}
	if changed < 900 || !bytes.Equal(data, before) {
		t.Errorf("%d of 1,000 were changed, the original is the same: %v", changed, bytes.Equal(data, before))
	}
	if got := Mutate(r, nil); len(got) > 0 {
		t.Errorf("of nothing %q is made", got)
	}
}

func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	t.Setenv("SYMMOM_TORTURE_REPORT", path)
	t.Setenv("SYMMOM_TORTURE_FOR", "90m")
	Report(t, "%d files", 3)
	Report(t, "%d kills", 4)
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "TestReport: 3 files\nTestReport: 4 kills\n" || Duration(t) != 90*time.Minute {
		t.Errorf("%q, %v", text, err)
	}
}
