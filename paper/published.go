package paper

// The numbers in the tables and text of the paper. Its figures are drawn from
// unpublished files; for them, only what the text says is included.

// Settings of the experiments, sections "Numerical results" and "Extending to
// Massive or Online Observations".
const (
	publishedStarts     = 10
	publishedInitRuns   = 100
	publishedVariables  = 500 // of all mixtures
	publishedPer        = 250 // observations of a component
	publishedCongruence = .5
	uniformTolerance    = .05  // pgtol of table timing_compare
	mixtureTolerance    = 1e-4 // pgtol of the mixtures
	successWithin       = .01  // of the best f: a successful run
	relativeDecrease    = 1e7 * 0x1p-52
)

// plusMinus is a mean with its standard deviation.
type plusMinus struct{ mean, deviation float64 }

// scenario is a row of table timing_compare.
type scenario struct {
	d, n, p, r int
	// Published: seconds per evaluation, seconds per start, evaluations per start.
	perExplicit, perImplicit   float64
	timeExplicit, timeImplicit plusMinus
	evalExplicit, evalImplicit plusMinus
}

var publishedTable1 = []scenario{
	{3, 75, 750, 5, 5.30e-04, 4.36e-04, plusMinus{1.84, .52}, plusMinus{1.64, .39}, plusMinus{3473, 959},
		plusMinus{3767, 955}},
	{3, 75, 750, 25, 1.91e-03, 5.91e-04, plusMinus{17.79, 3.34}, plusMinus{5.09, 1.05},
		plusMinus{9296, 1650}, plusMinus{8606, 1788}},
	{3, 75, 3750, 5, 5.17e-04, 7.96e-04, plusMinus{2.08, .63}, plusMinus{3.11, 1.08}, plusMinus{4023, 1249},
		plusMinus{3905, 1375}},
	{3, 75, 3750, 25, 1.90e-03, 1.03e-03, plusMinus{15.96, 2.76}, plusMinus{8.78, .91},
		plusMinus{8384, 1452}, plusMinus{8504, 854}},
	{3, 375, 3750, 5, 2.29e-02, 4.82e-03, plusMinus{240.45, 45.60}, plusMinus{43.77, 11.10},
		plusMinus{10506, 1951}, plusMinus{9075, 2488}},
	{4, 75, 3750, 5, 1.47e-02, 9.22e-04, plusMinus{75.64, 20.89}, plusMinus{4.16, 1.06},
		plusMinus{5160, 1438}, plusMinus{4514, 1081}},
}

// growth is a factor by which the time of an evaluation grows, section
// timing-comp-expl.
type growth struct {
	what               string
	from, to           int // rows of table timing_compare
	explicit, implicit float64
}

var publishedGrowth = []growth{
	{"n from 75 to 375 (d=3, p=3750, r=5)", 2, 4, 44, 6},
	{"d from 3 to 4 (n=75, p=3750, r=5)", 2, 5, 28, 1},
	{"p from 750 to 3750 (d=3, n=75, r=5)", 0, 2, 1, 2},
}

// The paper's statements about table timing_compare.
const (
	publishedSpeedup3   = 5    // implicit over explicit, d=3 n=375
	publishedSpeedup4   = 16   // d=4 n=75
	publishedErrorLow   = 1e-3 // best relative error of the scenarios
	publishedErrorHigh  = 8e-3
	publishedPairedDiff = 2e-5 // of f between paired explicit and implicit runs
)

// storage is a size in bytes that the paper gives for a dense tensor.
type storage struct {
	d, n  int
	bytes float64
	where string
}

var publishedStorage = []storage{
	{3, 1000, 8e9, "introduction"},
	{4, 200, 12e9, "introduction"},
	{3, 375, 421e6, "section timing-comp-expl"},
	{4, 75, 323e6, "section timing-comp-expl"},
	{3, 500, 1e9, "section numer-estim-rank"},
	{4, 500, 500e9, "section numer-estim-rank"},
}

// The paper's statements about figures init-compare, gmm3 and gmm4.
const (
	publishedTightLow  = 2 // times longer than the range finder: Gaussian starts at 1e-6
	publishedTightHigh = 3
	publishedAtBest    = 8    // of 10 starts within .01 of the best
	publishedAxis      = 9e-9 // where the axis of the relative error begins
)

// publishedTimeAxis is the end of the axis for the seconds of ten starts in figures
// gmm3 and gmm4, by true rank.
var publishedTimeAxis = map[int]float64{3: 15, 5: 80, 10: 525}

// stochastic is a row of table stoch: a method, its best f (shifted), score and
// seconds of ten starts.
type stochastic struct {
	samples    int // 0: standard
	f, score   float64
	tenSeconds float64
}

var publishedMassive = []stochastic{
	{0, -.2471, .9998, 2166.70},
	{10, -.2209, .9225, 8.03},
	{100, -.2427, .9929, 10.48},
	{1000, -.2464, .9990, 41.00},
}
