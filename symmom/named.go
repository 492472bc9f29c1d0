package symmom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// NamedMatrix is a matrix with names for its rows and columns, which it shows. It is a
// mat.Matrix for all that reads one; to change entries, take its Dense.
type NamedMatrix struct {
	Dense                 *mat.Dense
	RowNames, ColumnNames []string // nil: numbers, from 1

	err    error
	about  *mat.Dense             // what the following was made for
	over   string                 // what the columns are; "" for variables
	byRow  bool                   // entries of a row have a unit in common, else those of a column
	weight func(i, j int) float64 // of an entry: rows with the largest are shown; nil for observations
	marked bool                   // entries of weight 1 and above
	note   string                 // what the mark says
	of     *mat.Dense             // what the entries are standard errors of, or nil
	above  [][]string             // rows of text above the first one, each behind its name
	means  *groupMeans            // or nil
}

// groupMeans says that a matrix has the means of groups, and in which coordinates.
type groupMeans struct{ coordinates string }

// Tables of at most fullRows rows are shown whole; of larger ones shownRows.
const (
	fullRows     = 20
	shownRows    = 10
	shownColumns = 12
)

const mark = "•"

// Dims returns the numbers of rows and columns.
func (m *NamedMatrix) Dims() (rows, columns int) {
	if m.Dense == nil {
		return 0, 0
	}
	return m.Dense.Dims()
}

// At returns an entry, counted from 0.
func (m *NamedMatrix) At(i, j int) float64 { return m.Dense.At(i, j) }

// T returns the transpose, without names.
func (m *NamedMatrix) T() mat.Matrix { return m.Dense.T() }

// RawMatrix returns the entries, which are shared.
func (m *NamedMatrix) RawMatrix() blas64.General { return m.Dense.RawMatrix() }

// RawRowView returns a row, which is shared.
func (m *NamedMatrix) RawRowView(i int) []float64 { return m.Dense.RawRowView(i) }

// RowView returns a row as a vector, which is shared.
func (m *NamedMatrix) RowView(i int) mat.Vector { return m.Dense.RowView(i) }

// ColView returns a column, which is shared.
func (m *NamedMatrix) ColView(j int) mat.Vector { return m.Dense.ColView(j) }

// Err returns why there are no entries, or nil.
func (m *NamedMatrix) Err() error { return m.err }

// Slice returns rows i to k-1 of columns j to l-1, without names; the entries are shared.
func (m *NamedMatrix) Slice(i, k, j, l int) mat.Matrix { return m.Dense.Slice(i, k, j, l) }

func noMatrix(err error) *NamedMatrix { return &NamedMatrix{Dense: &mat.Dense{}, err: err} }

// empty reports whether there are no entries; the Dense of a matrix made by hand may be nil.
func (m *NamedMatrix) empty() bool { return m.Dense == nil || m.Dense.IsEmpty() }

// components returns a matrix with a row for each variable and a column for each component.
func components(m *mat.Dense, variables []string) *NamedMatrix {
	return &NamedMatrix{Dense: m, about: m, RowNames: variables, over: "component"}
}

// loadings are components whose entries are marked if they are at least half as large as the
// largest of their column.
func loadings(m *mat.Dense, variables []string) *NamedMatrix {
	out := components(m, variables)
	largest := make([]float64, out.columns())
	for j := range largest {
		largest[j] = cmp.Or(mat.Norm(m.ColView(j), math.Inf(1)), 1)
	}
	out.marked, out.weight = true, func(i, j int) float64 { return 2 * math.Abs(m.At(i, j)) / largest[j] }
	out.note = mark + " at least half as large as the largest of the column"
	return out
}

// factorsOf are the factors of a model.
func factorsOf(m *mat.Dense, lambda []float64, variables []string) *NamedMatrix {
	out := loadings(m, variables)
	out.above = [][]string{{"lambda"}}
	for _, l := range lambda {
		out.above[0] = append(out.above[0], fmt.Sprintf("%.6g", l))
	}
	return out
}

// named gives names to the variables.
func (m *Model) named(variables []string) { m.Names, m.Factors.RowNames = variables, variables }

// Table returns the text of the matrix, a header and rows, each with its name first, and notes
// below. A large matrix is shown in part: of components, the variables with the largest entries.
func (m *NamedMatrix) Table() (header []string, rows [][]string, notes []string) {
	if m.about != nil && m.about != m.Dense && m.about != m.of { // somebody has put other entries in their place
		m = &NamedMatrix{Dense: m.Dense, RowNames: m.RowNames, ColumnNames: m.ColumnNames, over: m.over}
	}
	shown, columns := m.rows(), min(m.columns(), shownColumns)
	cells := m.cells(shown, columns)
	header = []string{m.over}
	for j := range columns {
		header = append(header, nameOf(m.ColumnNames, j))
	}
	for _, row := range m.above {
		rows = append(rows, row[:columns+1])
	}
	for k, i := range shown {
		if k > 0 && i > shown[k-1]+1 && m.weight == nil {
			rows = append(rows, slices.Repeat([]string{"..."}, columns+1))
		}
		rows = append(rows, append([]string{nameOf(m.RowNames, i)}, cells[k]...))
	}
	return header, rows, m.notes(slices.ContainsFunc(rows, func(row []string) bool {
		return slices.ContainsFunc(row[1:], func(cell string) bool { return strings.HasPrefix(cell, mark) })
	}))
}

func (m *NamedMatrix) columns() int {
	_, c := m.Dims()
	return c
}

// rows returns the rows that are shown.
func (m *NamedMatrix) rows() []int {
	n, _ := m.Dims()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	switch {
	case n <= fullRows:
		return all
	case m.weight == nil:
		return slices.Delete(all, shownRows/2, n-shownRows/2)
	}
	most := make([]float64, n)
	for i := range most {
		for j := range min(m.columns(), shownColumns) {
			most[i] = max(most[i], m.weight(i, j))
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	all = all[:shownRows]
	slices.Sort(all)
	return all
}

// cells returns the text of the first columns of some rows.
func (m *NamedMatrix) cells(rows []int, columns int) [][]string {
	out := make([][]string, len(rows))
	for k := range out {
		out[k] = make([]string, columns)
	}
	shown := cmp.Or(m.of, m.Dense)
	lines, length := columns, len(rows)
	at := func(line, k int) (i, j int) { return k, line }
	if m.byRow {
		lines, length = length, lines
		at = func(line, k int) (i, j int) { return line, k }
	}
	for line := range lines {
		values := make([]float64, length)
		for k := range values {
			i, j := at(line, k)
			values[k] = shown.At(rows[i], j)
		}
		for k, text := range words.Aligned(values) {
			i, j := at(line, k)
			if m.of != nil {
				text += words.PlusMinus(m.At(rows[i], j))
			}
			if m.marked && m.weight(rows[i], j) >= 1 {
				text = mark + text
			}
			out[i][j] = text
		}
	}
	return out
}

// nameOf is a name from a list, or a number from 1.
func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i + 1)
}

// notes say what is marked, if anything is, and what is left out.
func (m *NamedMatrix) notes(marked bool) (notes []string) {
	if m.note != "" && (marked || !m.marked) {
		notes = append(notes, m.note)
	}
	n, c := m.Dims()
	var rest []string
	if n > fullRows {
		what := "row"
		if m.weight != nil {
			what = "variable"
		}
		rest = append(rest, words.Plural(n-shownRows, what))
	}
	if c > shownColumns {
		rest = append(rest, words.Plural(c-shownColumns, cmp.Or(m.over, "column")))
	}
	if rest != nil {
		notes = append(notes, "not shown: "+strings.Join(rest, ", "))
	}
	return notes
}

// String shows the matrix as a table, with names.
func (m *NamedMatrix) String() string {
	switch {
	case m.err != nil:
		return errorLine("matrix", m.err)
	case m.empty():
		return "empty matrix"
	}
	return m.listing().String()
}

func (m *NamedMatrix) listing() *htmltext.Listing {
	header, rows, notes := m.Table()
	return &htmltext.Listing{Head: header, Rows: rows, Notes: notes}
}

// HTML is String as a table for notebooks.
func (m *NamedMatrix) HTML() string {
	if m.err != nil || m.empty() {
		return htmltext.Preformatted(m.String())
	}
	return m.listing().HTML()
}

// errorOf returns the error that a matrix carries, or nil.
func errorOf(m mat.Matrix) error {
	if named, ok := m.(*NamedMatrix); ok {
		return named.Err()
	}
	return nil
}

// numbered is a matrix with a column for each of some things, such as source 1.
func numbered(m *mat.Dense, what string) *NamedMatrix {
	out := &NamedMatrix{Dense: m}
	_, columns := m.Dims()
	for j := range columns {
		out.ColumnNames = append(out.ColumnNames, fmt.Sprintf("%s %d", what, j+1))
	}
	return out
}
