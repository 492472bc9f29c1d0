package linalg

import "math"

// AdamStep holds the constants of a step of Adam (algorithm 1 of Kingma & Ba
// 2015). The assembly reads them in this order.
type AdamStep struct {
	Beta1, Rest1 float64 // decay of the mean of the gradient, and 1 minus it
	Beta2, Rest2 float64 // decay of the mean of its square, and 1 minus it
	Rate         float64 // the learning rate, divided by the bias of the mean
	Unbias       float64 // 1 over the bias of the mean of the square
	Epsilon      float64
}

// Apply updates the means m and v by the gradient g and moves x, all of the
// length of g:
//
//	m = Beta1 m + Rest1 g
//	v = Beta2 v + Rest2 g^2
//	x = x - Rate m / (sqrt(Unbias v) + Epsilon)
func (s *AdamStep) Apply(x, m, v, g []float64) {
	x, m, v = x[:len(g)], m[:len(g)], v[:len(g)]
	if active == generic {
		s.applyGeneric(x, m, v, g)
		return
	}
	s.applyVectors(x, m, v, g)
}

// applyGeneric is Apply in Go.
func (s *AdamStep) applyGeneric(x, m, v, g []float64) {
	for i, g := range g {
		m[i] = s.Beta1*m[i] + s.Rest1*g
		v[i] = s.Beta2*v[i] + s.Rest2*g*g
		x[i] -= s.Rate * m[i] / (math.Sqrt(s.Unbias*v[i]) + s.Epsilon)
	}
}
