package block

import "context"

// Places returns documents, whose values are counts of words, with the weights of a moment over so
// many distinct places: their own over L (L-1) .. (L-places+1), L being the words of a document,
// and 0 for one with fewer. Its Share is share. It is far if x is.
func Places(x Source, places int, share float64) Source {
	p := placed{x, places, share}
	if far, ok := x.(Far); ok {
		return placedFar{p, far}
	}
	return p
}

type placed struct {
	Source
	places int
	share  float64
}

func (x placed) Share() float64 { return x.share }

// Pass reads the source once.
func (x placed) Pass(ctx context.Context, do func(Block)) bool {
	_, n := x.Shape()
	var nu, wide []float64
	return x.Source.Pass(ctx, func(b Block) {
		nu = nu[:0]
		for l := range b.Rows {
			length, ways := b.total(l, n, &wide), 1.
			for q := 0; q < x.places && ways > 0; q++ {
				ways *= max(0, length-float64(q))
			}
			if ways > 0 {
				ways = b.Weight(l) / ways
			}
			nu = append(nu, ways)
		}
		b.Nu = nu
		do(b)
	})
}

// total returns the sum of the stored values of observation l of n variables.
func (b Block) total(l, n int, scratch *[]float64) (sum float64) {
	if s := b.Sparse; s != nil {
		for k := s.Start[l]; k < s.Start[l+1]; k++ {
			sum += s.Value(k)
		}
		return sum
	}
	for _, v := range b.Values(l, l+1, n, scratch) {
		sum += v
	}
	return sum
}

// placedFar is Places of observations on other machines.
type placedFar struct {
	placed
	far Far
}

func (x placedFar) Sum(ctx context.Context, p Pass, seen func(float64)) ([]float64, bool) {
	p.Places = x.places
	return x.far.Sum(ctx, p, seen)
}
