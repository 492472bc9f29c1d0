package modelfile

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
)

var csvHead = []string{"order", "lambda"}

// writeCSV writes a row for each component: the order, lambda, and an entry for each variable,
// whose names are in the header.
func writeCSV(w io.Writer, m *Model) error {
	out := csv.NewWriter(w)
	row := slices.Clone(csvHead)
	for i := range m.N {
		if m.Names != nil {
			row = append(row, m.Names[i])
		} else {
			row = append(row, "column "+strconv.Itoa(i+1))
		}
	}
	out.Write(row) // the first error is that of Flush
	for j, lambda := range m.Lambda {
		row = append(row[:0], strconv.Itoa(m.Order), decimal(lambda))
		for _, v := range m.component(j) {
			row = append(row, decimal(v))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// readCSV refuses: a table that was cut off, or sorted, would be another model.
func readCSV([]byte) (*Model, error) {
	return nil, errors.New("this table of components is for other programs, and does not say what was cut off or changed; save the model as .json, too")
}
