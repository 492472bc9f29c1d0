package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// The handwritten digits of the demo; data/README.md has source and licence.
var (
	//go:embed data/digits.npy
	digitImages []byte
	//go:embed data/digits_labels.npy
	digitLabels []byte
)

// digitSide is the height and width of an image.
const digitSide = 8

// digits returns the images, and the mean image of each digit as a column of
// unit norm: 64 x 10.
func digits(host *symmom.Host) (*symmom.Session, *mat.Dense, error) {
	images := host.Read(bytes.NewReader(digitImages), "npy")
	labels := host.Read(bytes.NewReader(digitLabels), "npy", symmom.LoadOptions{})
	if err := all(images.Err(), labels.Err()); err != nil {
		return nil, nil, fmt.Errorf("digits: %w", err)
	}
	v, l := images.Matrix(), labels.Matrix()
	p, n := v.Dims()
	means := mat.NewDense(n, 10, nil)
	for k := range p {
		digit := int(l.At(k, 0))
		for i := range n {
			means.Set(i, digit, means.At(i, digit)+v.At(k, i))
		}
	}
	for j := range 10 {
		c := means.ColView(j).(*mat.VecDense)
		c.ScaleVec(1/mat.Norm(c, 2), c)
	}
	return images, means, nil
}
