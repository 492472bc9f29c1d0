package gmm

// members returns the effective number of observations of each component of g, which the
// last step was from: (sum nu z)^2 / sum nu^2 z for responsibilities z (Kish 1965), which is
// w_j p if weights nu are equal, and 1 for one observation, whatever its weight.
func (e *EM) members(g *Mixture) []float64 {
	counts, squares := e.sums[1:1+e.r], e.sums[e.size-e.r:e.size]
	out := make([]float64, e.r)
	for j, w := range g.Weights {
		if squares[j] > 0 {
			out[j] = w * e.weight * (counts[j] / squares[j])
		}
	}
	return out
}

// effective returns the effective number of all observations, after a step.
func (e *EM) effective() float64 {
	sum, square := 0., 0.
	for j := range e.r {
		sum += e.sums[1+j]
		square += e.sums[e.size-e.r+j]
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
