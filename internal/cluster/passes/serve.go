package passes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// mostLine bounds the length of a line that a worker reads.
const mostLine = 512 << 20

// Serve answers each line of in, a message, a space and the number of a split, with that
// number, a tab and a line of Run. Lines of this kind, ascending, it answers with those
// of the groups of splits that they make (Engine.Run). It holds one message and one
// answer at a time, and one sum. The error is of in or out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, threads int) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	last, known := "", (*Message)(nil)
	var sums merger
	for {
		line, err := readLine(r)
		if err == io.EOF && line == "" {
			if reply := sums.end(); reply != "" {
				fmt.Fprintln(w, reply)
			}
			return w.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		text, number := strings.TrimRight(line, "\r\n"), ""
		if strings.Contains(text, "\t") {
			if reply := sums.line(text); reply != "" {
				if _, err := fmt.Fprintln(w, reply); err != nil {
					return err
				}
			}
			continue
		}
		if at := strings.LastIndexByte(text, ' '); at >= 0 {
			text, number = text[:at], text[at+1:]
		}
		split, wrong := strconv.Atoi(number)
		if known == nil || text != last {
			if known, err = Decode(text); err != nil {
				known, wrong = nil, err
			}
			last = text
		}
		reply := ""
		if wrong != nil {
			reply = refusal(split, wrong)
		} else {
			reply = Run(ctx, known, split, threads)
		}
		if _, err := fmt.Fprintf(w, "%d\t%s\n", split, reply); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

var errLong = errors.New("a line is longer than any message")

// readLine returns the next line with its end, and io.EOF with the last if that has
// none.
func readLine(r *bufio.Reader) (string, error) {
	var b []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(b)+len(part) > mostLine {
			return "", errLong
		}
		b = append(b, part...)
		if err != bufio.ErrBufferFull {
			return string(b), err
		}
	}
}
