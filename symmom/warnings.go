package symmom

import "symmom/internal/notice"

// Warning is a caution about data or a result: Code is its kind, for programs, Text the
// message, and Help names the options and methods that Text suggests.
type Warning = notice.Warning

// Codes of warnings.
const (
	WarnZero           = notice.Zero           // every value is 0
	WarnOneObservation = notice.OneObservation // there is only one observation
	WarnScales         = notice.Scales         // columns of very different scale
	WarnConstant       = notice.Constant       // columns that do not vary
	WarnZeros          = notice.Zeros          // nearly all values are 0, and stored
	WarnIndexColumn    = notice.IndexColumn    // a column counts the rows, or may hold codes
	WarnRepeatedName   = notice.RepeatedName   // columns of one name
	WarnTrailingBytes  = notice.TrailingBytes  // a file holds more than was read
	WarnLeftOut        = notice.LeftOut        // columns or parts of a file were left out
	WarnRows           = notice.Rows           // which way round a matrix was read
	WarnIncomplete     = notice.Incomplete     // rows were left out or gaps filled because values are missing
	WarnCodes          = notice.Codes          // which codes are missing values, and which were not found
	WarnDecimal        = notice.Decimal        // how the numbers of a text table were read
	WarnHeader         = notice.Header         // a first line that is read as an observation may be a header
	WarnRank           = notice.Rank           // a rank above that of the data, or with more parameters
	WarnSecondOrder    = notice.SecondOrder    // components of a second moment are not unique
	WarnOffset         = notice.Offset         // the mean is most of the moment
	WarnNoNoise        = notice.NoNoise        // debiasing removed nothing
	WarnMoreNoise      = notice.MoreNoise      // the noise to remove exceeds the variance of the data
	WarnFewStarts      = notice.FewStarts      // few starts found the best
	WarnNotConverged   = notice.NotConverged   // the solver stopped before it converged
	WarnDegenerate     = notice.Degenerate     // components cancel each other, are the same or have no weight
	WarnBounded        = notice.Bounded        // a start of a non-negative fit was cut
	WarnNorm           = notice.Norm           // the error of ||X||^2 may be larger than stated
	WarnRounding       = notice.Rounding       // the relative error is lost in rounding
	WarnOutOfRange     = notice.OutOfRange     // numbers beyond the range of float64
	WarnFlatSpectrum   = notice.FlatSpectrum   // no small basis captures the moment
	WarnBasisMissed    = notice.BasisMissed    // a basis hid a part of f
	WarnBasisStale     = notice.BasisStale     // a basis misses directions of newer data
	WarnOtherForm      = notice.OtherForm      // solved in another form than requested
	WarnAccumulated    = notice.Accumulated    // solved from sums, not polished
	WarnSamples        = notice.Samples        // samples say too little about the data
	WarnEstimates      = notice.Estimates      // results are estimates
	WarnReservoir      = notice.Reservoir      // gradients are of a part of the data
	WarnNormalSources  = notice.NormalSources  // sources that cannot be distinguished
	WarnFewOutliers    = notice.FewOutliers    // a few observations make a result
	WarnLeastVariance  = notice.LeastVariance  // a component has the least variance allowed
	WarnFewMembers     = notice.FewMembers     // a component has too few observations
	WarnSetAside       = notice.SetAside       // starts of a higher likelihood were set aside
	WarnFewData        = notice.FewData        // many parameters for few observations
	WarnVariables      = notice.Variables      // variables of a model were matched by number or by place
	WarnOtherNoise     = notice.OtherNoise     // other noise was removed from the model's moment
	WarnOtherScale     = notice.OtherScale     // data were standardized by other numbers than the model's
	WarnKernels        = notice.Kernels        // sums come from different processors
)

// Help returns the names of the options (Columns, Starts, MemoryLimit, ...) and
// methods (Implicit, Standardize, ...) that help against an error of this package,
// if it names any.
func Help(err error) []string { return notice.Help(err) }
