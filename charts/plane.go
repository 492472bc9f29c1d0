package charts

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/principal"
	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// Plane projects n variables to the two dimensions of a page. Give the same plane
// to several charts, and a point is at the same place in all of them.
type Plane struct {
	X, Y []float64 // a vector of length n each; the coordinates of v are X'v and Y'v
	Name string    // for captions: "a random plane (seed 1)"
}

// RandomPlane is the paper's projection (figure gmm-picture): two vectors of
// independent standard normal numbers. Seed 0 stands for 1.
func RandomPlane(n int, seed uint64) *Plane {
	if seed == 0 {
		seed = symmom.DefaultSeed
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	p := &Plane{Name: fmt.Sprintf("a random plane (seed %d)", seed)}
	for range n {
		p.X = append(p.X, rng.NormFloat64())
		p.Y = append(p.Y, rng.NormFloat64())
	}
	return p
}

// PrincipalPlane is the plane of the two leading principal components of the
// observations, the rows of a p x n matrix, around their mean, the one in which
// they spread most. X and Y have unit norm, and their largest entries are positive.
// O(p n) per step of orthogonal iteration, at most 100 steps.
func PrincipalPlane(observations mat.Matrix) (*Plane, error) {
	if linalg.IsNil(observations) {
		return nil, errors.New("charts: plane: the observations are nil")
	}
	return principalPlane(observations, nil)
}

// principalPlane is PrincipalPlane of observations with weights; nil: all equal.
func principalPlane(observations mat.Matrix, nu []float64) (*Plane, error) {
	if p, n := observations.Dims(); p < 2 || n < 2 {
		return nil, fmt.Errorf("charts: plane: got %d x %d observations, want at least 2 of 2 variables", p, n)
	}
	x, y, err := principal.Plane(observations, nu, symmom.DefaultSeed)
	if err != nil {
		return nil, fmt.Errorf("charts: plane: %w", err)
	}
	return &Plane{X: x, Y: y, Name: "the plane of the two leading principal components"}, nil
}

// VariablePlane is the plane of two of n variables, counted from 0. The names are
// for captions.
func VariablePlane(n, x, y int, names ...string) (*Plane, error) {
	if x < 0 || x >= n || y < 0 || y >= n || x == y {
		return nil, fmt.Errorf("charts: plane: variables %d and %d, want two different ones of 0 to %d", x, y, n-1)
	}
	p := &Plane{X: make([]float64, n), Y: make([]float64, n), Name: fmt.Sprintf("variables %d and %d", x+1, y+1)}
	p.X[x], p.Y[y] = 1, 1
	if len(names) == 2 {
		p.Name = "the plane of " + names[0] + " and " + names[1]
	}
	return p, nil
}

// check returns an error unless the plane is one of n variables.
func (p *Plane) check(n int) error {
	if len(p.X) != n || len(p.Y) != n {
		return fmt.Errorf("the plane has vectors of %d and %d variables, want %d", len(p.X), len(p.Y), n)
	}
	return nil
}

// at returns the coordinates of v in the plane.
func (p *Plane) at(v []float64) [2]float64 { return [2]float64{dot(p.X, v), dot(p.Y, v)} }
