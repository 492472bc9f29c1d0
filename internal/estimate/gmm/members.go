package gmm

// terms returns the sums of the features of observations weighted with nu z, for responsibilities z of
// component j and weights nu, among the sums of a pass.
func (e *EM) terms(sums []float64, j int) []float64 { return sums[1+j*e.count : 1+(j+1)*e.count] }

// squares returns the sums nu^2 z of the components among the sums of a pass.
func (e *EM) squares(sums []float64) []float64 { return sums[e.size-1-e.r : e.size-1] }

// overlap returns minus the sum of the logarithms of the responsibilities of the most likely
// components, of the mixture that the last step was from: 0 where components do not overlap.
func (e *EM) overlap() float64 { return e.sums[e.size-1] }

// members returns the effective number of observations of each component of g, which the
// last step was from: (sum nu z)^2 / sum nu^2 z for responsibilities z (Kish 1965), which is
// w_j p if weights nu are equal, and 1 for one observation, whatever its weight.
func (e *EM) members(g *Mixture) []float64 {
	squares := e.squares(e.sums)
	out := make([]float64, e.r)
	for j, w := range g.Weights {
		if squares[j] > 0 {
			out[j] = w * e.weight * (e.terms(e.sums, j)[0] / squares[j])
		}
	}
	return out
}

// effective returns the effective number of all observations, after a step.
func (e *EM) effective() float64 {
	sum, square := 0., 0.
	for j, s := range e.squares(e.sums) {
		sum += e.terms(e.sums, j)[0]
		square += s
	}
	return sum * sum / square
}

// effective returns the effective number of all observations from those of components.
func (g *Mixture) effective(members []float64) float64 {
	sum := 0.
	for j, w := range g.Weights {
		if members[j] > 0 {
			sum += w * w / members[j]
		}
	}
	return 1 / sum
}
