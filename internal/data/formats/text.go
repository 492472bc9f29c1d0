package formats

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"symmom/internal/data/delimited"
	"symmom/internal/text/words"
)

// OpenText prepares to read r, of that name in messages, as text that is no table: it takes
// gzip and a byte order mark off, and refuses what is not text in UTF-8 by its beginning.
func OpenText(ctx context.Context, r io.Reader, name string, limit uint64) (Input, error) {
	in := NewInput(ctx, r, name, limit)
	head, err := in.Peek(Head)
	if err == nil && bytes.HasPrefix(head, []byte(Gzip)) {
		if in, err = in.gunzipped(); err == nil {
			head, err = in.Peek(Head)
		}
	}
	if err != nil {
		return in, err
	}
	if err := isText(head); err != nil {
		return in, fail(name, "%w", err)
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, _ = in.R.Discard(3) // of what was peeked at
	}
	return in, nil
}

// isText says why something that begins so is no text. Its errors follow the name of a file.
func isText(head []byte) error {
	if err := isForeign(head); err != nil {
		return err
	}
	first := head[:min(len(head), signatureBytes)]
	if encoding := delimited.UTF16(first); encoding != "" {
		return fmt.Errorf("is %s text; save it as UTF-8", encoding)
	}
	for _, f := range All {
		if f.Begins != nil && !f.Lines && f.Begins(head) {
			return fmt.Errorf("is not text: it is a file of the format %s", f.Name)
		}
	}
	if bytes.IndexByte(first, 0) >= 0 {
		return fmt.Errorf("is not text: it begins with %s", words.Quote(string(head[:min(8, len(head))])))
	}
	return nil
}
