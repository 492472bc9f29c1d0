package charts

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/words"
	"symmom/symmom"
)

// ImageOptions says how Images shows its pictures. The zero value shows each
// column alone, named by its number.
type ImageOptions struct {
	Title   string // default "Components as images"
	Caption string

	// Truth holds the true columns, n x r' for any r'. Each found column then
	// stands beside the true one that it matches in the sense of
	// symmom.Score, in the order of the true columns, turned to the same sign.
	Truth mat.Matrix

	Names      []string // of the found columns, by column; default "component 1", ...
	TruthNames []string // of the true columns; default "truth 1", ...

	// CommonScale gives full ink to the largest absolute value of all found
	// (or all true) columns, so that weak ones look weak. Default: each
	// picture has its own scale.
	CommonScale bool
}

// tracedPixels is the size of a picture up to which every pixel is an element
// of its own that tells its value under the pointer.
const tracedPixels = 256

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
		var c pictureCard
		if m.found >= 0 {
			c.Images = append(c.Images, picture{set.names[m.found], pictureSVG(set.column(m), set.foundScale(m), cols)})
		}
		if m.truth >= 0 {
			c.Images = append(c.Images, picture{set.truthNames[m.truth], pictureSVG(set.truth[m.truth], set.truthScale(m), cols)})
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

// pictureCard is a found picture and its match, or one of them alone.
type pictureCard struct {
	Images []picture
	Note   string
}

type picture struct {
	Name string
	SVG  template.HTML
}

// Pictures is for the page template.
func (b docBlock) Pictures() []pictureCard { return b.Figure.pictures }

// PerRow is how many of them stand side by side where there is room.
func (b docBlock) PerRow() int { return perRow(len(b.Figure.pictures), pageWidth) }

const pageWidth = 1280 // of what is within a figure, at most

// imageSet holds the columns of Images and Blocks, and who matches whom.
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
	if found == nil {
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
	// the order is of no account here: a model checks the values, and scores
	model, err := symmom.NewModel(1, ones, found)
	if err != nil {
		return nil, err
	}
	s := &imageSet{found: columns(found), common: o.CommonScale, names: namesOf(o.Names, r, "component")}
	s.largest = largest(s.found...)
	if o.Truth == nil {
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

// match orders the pictures by true column, then those left over.
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

// column is the found column of a match as it is shown.
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

// pictureSVG draws v, cols values a row; full ink is scale. The text holds
// nothing but numbers.
func pictureSVG(v []float64, scale float64, cols int) template.HTML {
	rows := len(v) / cols
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="picture" viewBox="0 0 %d %d" fill="currentColor" shape-rendering="crispEdges" aria-hidden="true">`, cols, rows)
	if len(v) <= tracedPixels {
		for i, x := range v {
			class := ""
			if x < 0 {
				class = ` class="n"`
			}
			fmt.Fprintf(&b, `<rect%s x="%d" y="%d" width="1" height="1" fill-opacity="%s"><title>row %d, column %d: %.4g</title></rect>`,
				class, i%cols, i/cols, ink(x, scale), i/cols+1, i%cols+1, x)
		}
	} else {
		inkPaths(&b, v, scale, cols)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// inkLevels is the number of grey levels of a large picture.
const inkLevels = 64

// inkPaths draws one path for each level of ink, a run of equal pixels at a
// time: some 12 bytes a run, where an element a pixel would take 80.
func inkPaths(b *strings.Builder, v []float64, scale float64, cols int) {
	paths := make([]strings.Builder, 2*inkLevels+1)
	if scale == 0 {
		return
	}
	level := func(i int) int { return int(math.Round(v[i] / scale * inkLevels)) }
	for i := 0; i < len(v); {
		l, n := level(i), 1
		for (i+n)%cols != 0 && level(i+n) == l {
			n++
		}
		if l != 0 {
			fmt.Fprintf(&paths[l+inkLevels], "M%d %dh%dv1h-%dz", i%cols, i/cols, n, n)
		}
		i += n
	}
	for k := range paths {
		if paths[k].Len() == 0 {
			continue
		}
		class, l := "", k-inkLevels
		if l < 0 {
			class, l = ` class="n"`, -l
		}
		fmt.Fprintf(b, `<path%s fill-opacity="%s" d="%s"/>`, class, ink(float64(l), inkLevels), paths[k].String())
	}
}

// ink is the opacity |x| / scale.
func ink(x, scale float64) string {
	if scale == 0 {
		return "0"
	}
	return strconv.FormatFloat(math.Round(math.Abs(x)/scale*1000)/1000, 'g', -1, 64)
}

func columns(m mat.Matrix) [][]float64 {
	_, r := m.Dims()
	c := make([][]float64, r)
	for j := range c {
		c[j] = mat.Col(nil, j, m)
	}
	return c
}

// namesOf fills up a list of names with numbered ones.
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
