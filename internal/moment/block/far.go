package block

import "context"

// Pass describes the computation of a pass over observations, as a value that can be sent to
// where they are. internal/moment, internal/moment/norm, internal/estimate/gmm, internal/estimate/topics and
// internal/cluster/passes have the kinds, and what Data holds for each.
type Pass struct {
	Kind   string
	Orders []int
	Unit   float64
	Data   [][]float64
	Shift  []float64 // to be subtracted from observations, or nil
	Places int       // that their weights are to be divided by, as Places does; 0 for none
}

// Far is a source whose observations are on other machines. Pass brings them here, and
// fails if they are many; sums over them are made there.
type Far interface {
	Source

	// Sum has every part of the source make a pass, with the weights of its blocks, and
	// returns the sum of the results in the order of the parts: the same bits
	// wherever and how often each is computed. seen, unless nil, is called with the
	// share that is done. It returns false as Pass does.
	Sum(ctx context.Context, p Pass, seen func(share float64)) (sum []float64, ok bool)
}
