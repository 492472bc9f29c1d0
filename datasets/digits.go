package datasets

import (
	"bytes"
	_ "embed"
	"io"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// data/README.md has the source and the licence of the handwritten digits.
var (
	//go:embed data/digits.npy
	digitImages []byte
	//go:embed data/digits_labels.npy
	digitLabels []byte
)

// DigitSide is the height and the width of the images of Digits, in pixels.
const DigitSide = 8

// Digits returns real example data: 1,797 images of handwritten digits, one per
// row, 8 x 8 pixels of 0 to 16 in row order (the test part of Alpaydin and
// Kaynak's "Optical Recognition of Handwritten Digits", UCI Machine Learning
// Repository, 1998, CC BY 4.0). The ten components of their third or fourth
// moment are the shapes of the ten digits; compare them with DigitMeans.
func Digits() *symmom.Session {
	return symmom.Read(named{bytes.NewReader(digitImages), "digits"}, "npy")
}

// named reads a file under the name of the data set.
type named struct {
	io.Reader
	name string
}

func (n named) Name() string { return n.name }

// DigitLabels returns the digit, 0 to 9, that each image of Digits shows.
func DigitLabels() []int {
	column := embedded(digitLabels)
	p, _ := column.Dims()
	labels := make([]int, p)
	for k := range labels {
		labels[k] = int(column.At(k, 0))
	}
	return labels
}

// DigitMeans returns the mean image of each digit as a column of unit norm,
// 64 x 10. It is the one place where labels are used.
func DigitMeans() *mat.Dense {
	images, means := embedded(digitImages), mat.NewDense(DigitSide*DigitSide, 10, nil)
	for k, digit := range DigitLabels() {
		for i := range DigitSide * DigitSide {
			means.Set(i, digit, means.At(i, digit)+images.At(k, i))
		}
	}
	for j := range 10 {
		c := means.ColView(j).(*mat.VecDense)
		c.ScaleVec(1/mat.Norm(c, 2), c)
	}
	return means
}

// embedded reads a file that is part of the program.
func embedded(file []byte) mat.Matrix {
	s := symmom.Read(bytes.NewReader(file), "npy")
	if err := s.Err(); err != nil {
		panic("datasets: embedded data: " + err.Error()) // the build is broken
	}
	return s.Matrix()
}
