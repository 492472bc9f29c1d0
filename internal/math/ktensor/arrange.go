package ktensor

import (
	"math"
	"sort"

	"symmom/internal/math/linalg"
)

// Normalize gives every column unit norm and moves its length into lambda:
// lambda_j a_j^(x d) is unchanged. A zero column stays zero, with lambda 0.
func (k *Kruskal) Normalize() {
	for j := range k.R {
		a := k.Column(j)
		norm := linalg.Norm2(a)
		if norm == 0 || k.Lambda[j] == 0 {
			// The component is the zero tensor whatever its column says.
			k.Lambda[j] = 0
			if norm == 0 {
				continue
			}
		}
		for i := range a {
			a[i] /= norm
		}
		k.Lambda[j] *= linalg.Powi(norm, k.D)
	}
}

// Arrange normalizes, then makes the representation unique where it can be:
// for odd orders the sign is put so that lambda > 0; for even orders, where
// a and -a are the same component, so that the entry of largest size is
// positive; and components are ordered by |lambda|, the largest first.
func (k *Kruskal) Arrange() {
	k.Normalize()
	for j := range k.R {
		a := k.Column(j)
		if k.D%2 == 1 {
			if k.Lambda[j] < 0 {
				k.Lambda[j] = -k.Lambda[j]
				linalg.Scale(-1, a)
			}
		} else if largest(a) < 0 {
			linalg.Scale(-1, a)
		}
	}
	order := make([]int, k.R)
	for j := range order {
		order[j] = j
	}
	sort.SliceStable(order, func(x, y int) bool {
		return math.Abs(k.Lambda[order[x]]) > math.Abs(k.Lambda[order[y]])
	})
	c := k.Clone()
	for j, from := range order {
		k.Lambda[j] = c.Lambda[from]
		copy(k.Column(j), c.Column(from))
	}
}

// largest returns the entry of largest absolute value.
func largest(a []float64) float64 {
	var m float64
	for _, v := range a {
		if math.Abs(v) > math.Abs(m) {
			m = v
		}
	}
	return m
}
