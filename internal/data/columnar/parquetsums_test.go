//go:build !js && !slim

package columnar

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// allNumbers reads all parts of a file, two rows at a time.
func allNumbers(b []byte) (values []float64, err error) {
	f, err := Open("parquet", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var place []int
	n := 0
	for _, c := range f.Columns() {
		for range c.Width {
			place = append(place, n)
			n++
		}
	}
	for part, rows := range f.Parts() {
		for lo := 0; lo < rows; lo += 2 {
			hi := min(lo+2, rows)
			to := make([]float64, n*(hi-lo))
			if err := Read(context.Background(), f, part, lo, hi, place, to, n); err != nil {
				return nil, err
			}
			values = append(values, to...)
		}
	}
	return values, nil
}

// TestSums: a bit that turns over in a page of a file with checksums, which pyarrow wrote in
// pages of both versions, is noticed. 40 rows of the columns plain, few, and list of two.
func TestSums(t *testing.T) {
	slow.Test(t)
	for _, name := range []string{"testdata/sums1.parquet", "testdata/sums2.parquet"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		values, err := allNumbers(b)
		if err != nil || len(values) != 160 || values[2] != values[0] || values[3] != -values[0] {
			t.Fatalf("%s: %v, %v", name, values, err)
		}
		pages := 0
		const magic = 4
		for at := magic; ; {
			rest := bytes.NewReader(b[at:])
			r := bufio.NewReader(rest)
			size, _, summed, err := pageHeader(r)
			if err != nil || !summed {
				break // the footer
			}
			pages++
			body := len(b) - rest.Len() - r.Buffered()
			for k := body; k < body+int(size); k++ {
				damaged := slices.Clone(b)
				damaged[k] ^= 1 << (k % 8)
				if _, err := allNumbers(damaged); err == nil || !strings.Contains(err.Error(), "another checksum") {
					t.Fatalf("%s: byte %d of page %d: %v", name, k-body, pages, err)
				}
			}
			at = body + int(size)
		}
		if pages < 8 { // of three columns and two groups, with two dictionaries
			t.Errorf("%s: %d pages", name, pages)
		}
	}
}
