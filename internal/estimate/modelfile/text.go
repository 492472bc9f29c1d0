package modelfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"symmom/internal/data/numerals"
)

// ktensor is the first line of the text form.
const ktensor = "ktensor"

// writeText writes a type, the number of modes, their sizes, the rank, the weights, and
// for each mode a matrix by rows. Numbers have as many digits as bring the bits back.
func writeText(w io.Writer, m *Model) error {
	b := bufio.NewWriterSize(w, 1<<16)
	line := []byte(ktensor + "\n" + strconv.Itoa(m.Order) + "\n")
	for k := range m.Order {
		if k > 0 {
			line = append(line, ' ')
		}
		line = strconv.AppendInt(line, int64(m.N), 10)
	}
	line = append(line, '\n')
	line = strconv.AppendInt(line, int64(len(m.Lambda)), 10)
	line = append(numbers(append(line, '\n'), len(m.Lambda), func(j int) float64 { return m.Lambda[j] }), '\n')
	b.Write(line) // the first error is that of Flush
	for range m.Order {
		fmt.Fprintf(b, "matrix\n2\n%d %d\n", m.N, len(m.Lambda))
		for i := range m.N {
			line = numbers(line[:0], len(m.Lambda), func(j int) float64 { return m.component(j)[i] })
			b.Write(append(line, '\n'))
		}
	}
	return b.Flush()
}

func numbers(line []byte, n int, at func(j int) float64) []byte {
	for j := range n {
		if j > 0 {
			line = append(line, ' ')
		}
		line = strconv.AppendFloat(line, at(j), 'e', -1, 64)
	}
	return line
}

// fields takes the text word by word; the first error is kept.
type fields struct {
	rest []byte
	err  error
}

func (w *fields) next(want string) []byte {
	w.rest = bytes.TrimLeft(w.rest, " \t\r\n")
	end := bytes.IndexAny(w.rest, " \t\r\n")
	if end < 0 {
		end = len(w.rest)
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	if end == 0 && w.err == nil {
		w.err = fmt.Errorf("the text ends where %s should be", want)
	}
	return word
}

func (w *fields) fail(got []byte, want string) {
	const most = 40
	if w.err == nil {
		w.err = fmt.Errorf("got %q, want %s", got[:min(most, len(got))], want)
	}
}

// count reads a whole number of which there are that many words at least.
func (w *fields) count(want string) int {
	word := w.next(want)
	n, err := strconv.Atoi(string(word))
	if w.err == nil && (err != nil || n < 1 || n > len(w.rest)) {
		w.fail(word, want+", as many as there are numbers in the text")
	}
	if w.err != nil {
		return 0
	}
	return n
}

func (w *fields) number(want string) float64 {
	word := w.next(want)
	v, err := numerals.ParseFloat(string(word))
	if err != nil {
		w.fail(word, want)
	}
	return v
}

func readText(data []byte) (*Model, error) {
	w := &fields{rest: data}
	if kind := w.next("ktensor"); string(kind) != ktensor {
		w.fail(kind, "ktensor")
	}
	m := &Model{Order: w.count("the number of modes")}
	for k := range m.Order {
		n := w.count("the size of a mode")
		if k > 0 && n != m.N && w.err == nil {
			return nil, different(k)
		}
		m.N = n
	}
	r := w.count("the rank")
	if w.err == nil && m.N > len(w.rest)/r {
		w.err = fmt.Errorf("the text announces %d x %d factors, and ends before", m.N, r)
	}
	for range r {
		if w.err != nil {
			return nil, w.err
		}
		m.Lambda = append(m.Lambda, w.number("a weight"))
	}
	for k := range m.Order {
		if kind := w.next("matrix"); string(kind) != "matrix" {
			w.fail(kind, "matrix")
		}
		if two, rows, columns := w.count("2"), w.count("the rows"), w.count("the columns"); w.err == nil && (two != 2 || rows != m.N || columns != r) {
			return nil, fmt.Errorf("factor matrix %d is %d x %d, want %d x %d", k+1, rows, columns, m.N, r)
		}
		if w.err != nil {
			return nil, w.err
		}
		if k == 0 {
			m.Factors = make([]float64, m.N*r)
		}
		for i := range m.N {
			for j := range r {
				v := w.number("an entry of a factor matrix")
				if w.err != nil {
					return nil, w.err
				}
				if at := &m.component(j)[i]; k == 0 {
					*at = v
				} else if *at != v && (*at == *at || v == v) {
					return nil, different(k)
				}
			}
		}
	}
	if m.Order == 1 && len(w.rest) == 0 && w.err == nil {
		w.err = errors.New("the text ends without a line end, perhaps within a number that no other mode repeats; add one if the last number is whole")
	}
	if rest := bytes.TrimSpace(w.rest); len(rest) > 0 && w.err == nil {
		w.fail(rest, "the end of the text")
	}
	return m, w.err
}
