package terminal

import "testing"

func TestInputRows(t *testing.T) {
	for _, c := range []struct {
		input string
		want  int
	}{
		{"", 1},
		{"a", 1},
		{"a\nb", 2},
		{"a\n", 2},
		{"0123456789a", 1},
		{"0123456789ab", 2}, // the cursor goes to the next row
		{"0123456789ab\n0123456789ab", 4},
		{"世界世界世界", 2}, // two columns each
		{"\t\tab", 2}, // a tab is five columns in the editor
	} {
		if got := inputRows([]rune(c.input), 8, 20); got != c.want {
			t.Errorf("%q takes %d rows, want %d", c.input, got, c.want)
		}
	}
}
