package widgets

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"symmom/internal/text/words"
)

// KindText is the kind of a control for a line of text.
const KindText = "text"

// longest is how many bytes a text may have.
const longest = 1 << 18

// Text returns a control for a line of text, which begins empty. check returns what is
// wrong with a text, for instance "want names of columns"; nil takes any.
func Text(name string, check func(string) error) *Control {
	return (&Control{name: name, kind: KindText, check: check}).named()
}

// line checks a value of a text.
func (c *Control) line(value any) (string, error) {
	s, ok := value.(string)
	if !ok {
		return "", c.refuse(fmt.Sprintf("%v", value))
	}
	if s = strings.TrimSpace(s); len(s) > longest || strings.ContainsAny(s, "\r\n") || !utf8.ValidString(s) {
		return "", c.refuse(words.Quote(s))
	}
	if c.check != nil {
		if err := c.check(s); err != nil {
			return "", c.wrong(words.Quote(s), err)
		}
	}
	return s, nil
}

// write sets the text, and reports whether it changes.
func (c *Control) write(value any) (changed bool, err error) {
	s, err := c.line(value)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed, c.written = c.written != s, s
	return changed, nil
}
