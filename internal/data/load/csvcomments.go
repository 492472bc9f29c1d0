package load

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"symmom/internal/data/delimited"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// comments takes the lines that begin with # from the beginning of the text and
// keeps the last of them, which may be the header: numpy.savetxt writes it so.
// Further down such a line is a row, since # also begins colors and other labels.
func (c *csvReader) comments() error {
	var kept []byte
	defer func() { c.comment = string(kept) }()
	for {
		const blanks = 512 // as many are looked through for a comment
		head, err := c.in.Peek(blanks)
		if err != nil {
			return err
		}
		line := bytes.TrimLeft(head, " \r\n")
		if !delimited.IsComment(line) {
			return nil
		}
		blank := head[:len(head)-len(line)]
		c.above += bytes.Count(blank, []byte("\n")) + 1
		_, _ = c.in.R.Discard(len(blank))
		kept = kept[:0]
		for more := true; more; {
			part, err := c.in.R.ReadSlice('\n')
			kept = append(kept, part...)
			if more = err == bufio.ErrBufferFull; err != nil && err != io.EOF && !more {
				return c.in.ReadError(err)
			}
		}
	}
}

// commentHeader gives the names in the last comment; nil if it does not have as
// many fields as the data, or holds numbers only, as a row does that was
// commented out.
func (c *csvReader) commentHeader() []string {
	r := c.dialect(strings.NewReader(strings.TrimLeft(c.comment, "#")))
	names, err := r.Read()
	if err != nil {
		return nil
	}
	if names = c.trimmed(names); len(names) != c.fields {
		return nil
	}
	texts, others := delimited.Kinds(names, c.style)
	if texts == 0 && c.options.Header != HeaderPresent {
		return nil
	}
	if (others > 0 || c.fields == 1) && c.options.Header != HeaderPresent {
		c.t.notes = append(c.t.notes, diag.New(diag.Header, "the names are those in the comment above: %s; if they are none, say that there is no header", words.Quote(strings.TrimSpace(c.comment))).With("Header"))
	}
	if strings.TrimSpace(names[0]) == "" {
		names[0] = "#" // a column that counts the rows is called so
	}
	return names
}

// header finds the names of the columns, in the first record or in the comment
// above it, or nil; inFirst says that the first record is no observation.
func (c *csvReader) header(first []string, sample [][]string) (names []string, inFirst bool, err error) {
	if c.given != nil {
		_, err = c.options.called(c.in.Name, c.fields)
		return slices.Clone(c.given), c.options.Header == HeaderPresent, err
	}
	if c.options.Header != HeaderAbsent {
		names = c.commentHeader()
	}
	if texts, others := delimited.Kinds(first, c.style); names != nil && (texts == 0 || others > 0) {
		return names, false, nil
	}
	if inFirst, err = c.isHeader(delimited.First{Record: first, Below: sample[1:], Style: c.style, Quoted: c.quoted}); inFirst {
		names = first
	}
	return names, inFirst, err
}
