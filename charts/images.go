package charts

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/sheet"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// ImageOptions are the options of Images. The zero value shows each
// column alone, named by its number.
type ImageOptions struct {
	Title   string // default "Components as images"
	Caption string

	// Truth holds the true columns, n x r' for any r'. Each found column then
	// is shown next to the true one that it matches in the sense of
	// symmom.Score, in the order of the true columns, turned to the same sign.
	Truth mat.Matrix

	Names      []string // of the found columns, by column; default "component 1", ...
	TruthNames []string // of the true columns; default "truth 1", ...

	// CommonScale gives full ink to the largest absolute value of all found
	// (or all true) columns, so that weak ones look weak. Default: each
	// picture has its own scale.
	CommonScale bool
}

// Images draws the columns of found, n x r with n = rows*cols, as pictures of rows
// x cols pixels in row order: ink for positive values, vermilion for negative ones,
// in proportion to the size. The pictures are SVG and need no script; the figure
// has no ECharts charts.
func Images(found mat.Matrix, rows, cols int, options ...ImageOptions) *Figure {
	o, err := atMostOne(options)
	title := o.Title
	if title == "" {
		title = "Components as images"
	}
	var set *imageSet
	if err == nil {
		set, err = newImageSet(found, rows, cols, o)
	}
	if err != nil {
		return failed(title, fmt.Errorf("charts: images: %w", err))
	}
	f := &Figure{Title: title, Caption: o.Caption, summary: words.Plural(len(set.found), "image")}
	for _, m := range set.matches {
		var c sheet.Card
		if m.found >= 0 {
			c.Images = append(c.Images, sheet.Picture{Name: set.names[m.found], SVG: sheet.Pixels(set.column(m), set.foundScale(m), cols)})
		}
		if m.truth >= 0 {
			c.Images = append(c.Images, sheet.Picture{Name: set.truthNames[m.truth], SVG: sheet.Pixels(set.truth[m.truth], set.truthScale(m), cols)})
		}
		switch {
		case m.found >= 0 && m.truth >= 0:
			c.Note = fmt.Sprintf("cosine %.4f", m.cosine)
		case m.found < 0:
			c.Note = "not found"
		case set.truth != nil:
			c.Note = "no match"
		}
		if m.turned {
			c.Note += ", sign turned"
		}
		f.pictures = append(f.pictures, c)
	}
	if set.truth != nil {
		f.summary += fmt.Sprintf(" beside %d", len(set.truth))
	}
	return f
}

// imageSet holds the columns of Images and Blocks, and which of them match.
type imageSet struct {
	found, truth      [][]float64
	names, truthNames []string
	matches           []imageMatch
	common            bool
	largest, largestT float64
}

type imageMatch struct {
	found, truth int // -1: none
	cosine       float64
	turned       bool // the found column is shown with its sign changed
}

func newImageSet(found mat.Matrix, rows, cols int, o ImageOptions) (*imageSet, error) {
	if linalg.IsNil(found) {
		return nil, &symmom.ArgumentError{Argument: "found", Value: "nil", Want: "a matrix with one picture a column"}
	}
	if rows < 1 || cols < 1 {
		return nil, &symmom.ArgumentError{Argument: "rows, cols", Value: fmt.Sprintf("%d, %d", rows, cols), Want: "at least 1 pixel each"}
	}
	n, r := found.Dims()
	if n != rows*cols || r < 1 {
		return nil, &symmom.ArgumentError{Argument: "found", Value: fmt.Sprintf("a %d x %d matrix", n, r),
			Want: fmt.Sprintf("%s, one for each of %d x %d pixels, and one picture a column", words.Plural(rows*cols, "row"), rows, cols)}
	}
	ones := make([]float64, r)
	for j := range ones {
		ones[j] = 1
	}
	// the order does not matter here: a model checks the values, and scores
	model, err := symmom.NewModel(1, ones, found)
	if err != nil {
		return nil, err
	}
	s := &imageSet{found: columns(found), common: o.CommonScale, names: namesOf(o.Names, r, "component")}
	s.largest = largest(s.found...)
	if linalg.IsNil(o.Truth) {
		for j := range r {
			s.matches = append(s.matches, imageMatch{found: j, truth: -1})
		}
		return s, nil
	}
	score := model.Score(o.Truth)
	if err := score.Err(); err != nil {
		return nil, err
	}
	s.truth = columns(o.Truth)
	s.largestT = largest(s.truth...)
	s.truthNames = namesOf(o.TruthNames, len(s.truth), "truth")
	s.match(score)
	return s, nil
}

// match orders the pictures by true column, followed by the unmatched ones.
func (s *imageSet) match(score *symmom.Score) {
	byTruth := make([]int, len(s.truth))
	taken := make([]bool, len(s.found))
	for i := range byTruth {
		byTruth[i] = -1
	}
	for _, p := range score.Pairs {
		byTruth[p.Truth] = p.Found
		taken[p.Found] = true
	}
	for i, j := range byTruth {
		m := imageMatch{found: j, truth: i}
		if j >= 0 {
			m.cosine = score.Cosines.At(i, j)
			m.turned = dot(s.truth[i], s.found[j]) < 0
		}
		s.matches = append(s.matches, m)
	}
	for j, t := range taken {
		if !t {
			s.matches = append(s.matches, imageMatch{found: j, truth: -1})
		}
	}
}

// column returns the found column of a match as it is shown.
func (s *imageSet) column(m imageMatch) []float64 {
	v := s.found[m.found]
	if !m.turned {
		return v
	}
	w := make([]float64, len(v))
	for i := range v {
		w[i] = -v[i]
	}
	return w
}

func (s *imageSet) foundScale(m imageMatch) float64 {
	if s.common {
		return s.largest
	}
	return largest(s.found[m.found])
}

func (s *imageSet) truthScale(m imageMatch) float64 {
	if s.common {
		return s.largestT
	}
	return largest(s.truth[m.truth])
}

func columns(m mat.Matrix) [][]float64 {
	_, r := m.Dims()
	c := make([][]float64, r)
	for j := range c {
		c[j] = mat.Col(nil, j, m)
	}
	return c
}

// namesOf extends a list of names with numbered ones.
func namesOf(given []string, n int, noun string) []string {
	names := make([]string, n)
	for j := range names {
		if j < len(given) && given[j] != "" {
			names[j] = given[j]
		} else {
			names[j] = fmt.Sprintf("%s %d", noun, j+1)
		}
	}
	return names
}

func largest(columns ...[]float64) float64 {
	m := 0.0
	for _, c := range columns {
		for _, x := range c {
			m = math.Max(m, math.Abs(x))
		}
	}
	return m
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
