package files

import (
	"bufio"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Gzip reads gzip data as gzip(1) does: one member after the other, and zeros after the
// last, with which some devices fill their blocks. compress/gzip takes these for damage.
type Gzip struct {
	r *bufio.Reader
	z *gzip.Reader
}

// NewGzip reads the first header.
func NewGzip(r *bufio.Reader) (*Gzip, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &Gzip{r, z}, nil
}

// Read reads what was compressed.
func (g *Gzip) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next begins another member; io.EOF if there is none.
func (g *Gzip) next() error {
	for {
		b, err := g.r.ReadByte()
		switch {
		case err != nil:
			return err
		case b != 0:
			g.r.UnreadByte()
			if head, _ := g.r.Peek(2); head[0] != 0x1f || len(head) == 2 && head[1] != 0x8b {
				return fmt.Errorf("other bytes follow them: %w", gzip.ErrHeader)
			}
			err := g.z.Reset(g.r)
			g.z.Multistream(false)
			return err
		}
	}
}
