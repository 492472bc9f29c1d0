package load

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// A file that is written while it is read is refused: what was read is no table that ever
// was, such as one of ones and twos here.
func TestLoadOfAChangingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	ones := bytes.Repeat([]byte("1,1,1,1,1,1,1,1\n"), 20000)
	twos := bytes.ReplaceAll(ones, []byte("1"), []byte("2"))
	if err := os.WriteFile(path, ones, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), path, Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var done atomic.Bool
	ended := make(chan error, 1)
	go func() {
		var err error
		for i := 0; !done.Load() && err == nil; i++ {
			_, err = f.WriteAt([][]byte{ones, twos}[i%2], 0)
		}
		ended <- err
	}()
	refused := false
	for try := 0; try < 200 && !refused; try++ {
		_, err := Load(t.Context(), path, Options{})
		if refused = err != nil; refused && !strings.Contains(err.Error(), "the file changed while it was read (") {
			t.Fatal(err)
		}
	}
	done.Store(true)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if !refused {
		t.Error("no load of a file that changes all the time was refused")
	}
}
