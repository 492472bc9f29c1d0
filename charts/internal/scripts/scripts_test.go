package scripts

import (
	"fmt"
	"testing"

	"github.com/dop251/goja"
)

func TestPowerOfTen(t *testing.T) {
	for v, want := range map[string]string{"100": "100", "1e-5": "10⁻⁵", "1e21": "10²¹", ".025": "0.025", "5.5e8": "5.5e8", "0": "", "NaN": ""} {
		got, err := goja.New().RunString(fmt.Sprintf("(%s)(%s)", PowerOfTen, v))
		if err != nil || got.String() != want {
			t.Errorf("%s is labelled %v, want %q (%v)", v, got, want, err)
		}
	}
}
