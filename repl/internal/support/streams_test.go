package support

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"net"
	"os"
	"strings"
	"testing"
)

// TestNeverWaits: the fields of these types are where they are looked for.
func TestNeverWaits(t *testing.T) {
	memory := func() *strings.Reader { return strings.NewReader("x") }
	var conn net.Conn
	for i, x := range []any{memory(), bufio.NewScanner(memory()), bufio.NewReader(memory()), bufio.NewWriter(new(bytes.Buffer)), csv.NewReader(memory()), csv.NewWriter(new(bytes.Buffer)), conn, (*bufio.Reader)(nil)} {
		if !neverWaits(x) {
			t.Errorf("%d: %T may wait", i, x)
		}
	}
	for i, x := range []any{os.Stdin, bufio.NewScanner(os.Stdin), bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout), csv.NewReader(os.Stdin), csv.NewWriter(os.Stdout)} {
		if neverWaits(x) {
			t.Errorf("%d: %T never waits", i, x)
		}
	}
}
