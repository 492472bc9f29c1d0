package datasets

import (
	"slices"
	"testing"
)

// What is unpacked is what was counted: packages have the words that they are known for.
func TestGoDocs(t *testing.T) {
	s := GoDocs()
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	l := s.Labels()
	if s.Observations() != 183 || s.N() != 2796 || len(l.Groups) != 183 {
		t.Errorf("%d packages, %d of them different, of %d words", s.Observations(), len(l.Groups), s.N())
	}
	total := 0.
	x := s.Matrix()
	for i := range s.Observations() {
		for j := range s.N() {
			total += x.At(i, j)
		}
	}
	if total != 84175 {
		t.Errorf("%v words in all", total)
	}
	for name, word := range map[string]string{"bufio": "buffered", "crypto/rsa": "rsa", "image/png": "image"} {
		i, j := slices.Index(l.Groups, name), slices.Index(s.Columns(), word)
		if i < 0 || j < 0 || x.At(slices.Index(l.Of, i), j) < 5 {
			t.Errorf("%s is not about %q", name, word)
		}
	}
}
