package symmom

import "symmom/internal/text/diag"

// Warning is a caution about data or a result: Code is its kind, for programs, Text the
// message, and Help names the options and methods that Text suggests.
type Warning = diag.Warning

// Codes of warnings.
const (
	WarnZero           = diag.Zero           // every value is 0
	WarnOneObservation = diag.OneObservation // there is only one observation
	WarnScales         = diag.Scales         // columns of very different scale
	WarnConstant       = diag.Constant       // columns that do not vary
	WarnZeros          = diag.Zeros          // nearly all values are 0, and stored
	WarnIndexColumn    = diag.IndexColumn    // a column counts the rows, or may hold codes
	WarnRepeatedName   = diag.RepeatedName   // columns of one name
	WarnTrailingBytes  = diag.TrailingBytes  // a file holds more than was read
	WarnLeftOut        = diag.LeftOut        // columns or parts of a file were left out
	WarnRows           = diag.Rows           // which way round a matrix was read
	WarnIncomplete     = diag.Incomplete     // rows were left out or gaps filled because values are missing
	WarnCodes          = diag.Codes          // which codes are missing values, and which were not found
	WarnDecimal        = diag.Decimal        // how the numbers of a text table were read
	WarnHeader         = diag.Header         // a first line that is read as an observation may be a header
	WarnRank           = diag.Rank           // a rank above that of the data, or with more parameters
	WarnSecondOrder    = diag.SecondOrder    // components of a second moment are not unique
	WarnOffset         = diag.Offset         // the mean is most of the moment
	WarnNoNoise        = diag.NoNoise        // debiasing removed nothing
	WarnMoreNoise      = diag.MoreNoise      // the noise to remove exceeds the variance of the data
	WarnFewStarts      = diag.FewStarts      // few starts found the best
	WarnNotConverged   = diag.NotConverged   // the solver stopped before it converged
	WarnDegenerate     = diag.Degenerate     // components cancel each other, are the same or have no weight
	WarnBounded        = diag.Bounded        // a start of a non-negative fit was cut
	WarnNorm           = diag.Norm           // the error of ||X||^2 may be larger than stated
	WarnRounding       = diag.Rounding       // the relative error is lost in rounding
	WarnOutOfRange     = diag.OutOfRange     // numbers beyond the range of float64
	WarnFlatSpectrum   = diag.FlatSpectrum   // no small basis captures the moment
	WarnBasisMissed    = diag.BasisMissed    // a basis hid a part of f
	WarnBasisStale     = diag.BasisStale     // a basis misses directions of newer data
	WarnOtherForm      = diag.OtherForm      // solved in another form than requested
	WarnAccumulated    = diag.Accumulated    // solved from sums, not polished
	WarnSamples        = diag.Samples        // samples say too little about the data
	WarnEstimates      = diag.Estimates      // results are estimates
	WarnReservoir      = diag.Reservoir      // gradients are of a part of the data
	WarnNormalSources  = diag.NormalSources  // sources that cannot be distinguished
	WarnFewOutliers    = diag.FewOutliers    // a few observations make a result
	WarnLeastVariance  = diag.LeastVariance  // a component has the least variance allowed
	WarnFewMembers     = diag.FewMembers     // a component has too few observations
	WarnSetAside       = diag.SetAside       // starts of a higher likelihood were set aside
	WarnFewData        = diag.FewData        // many parameters for few observations
	WarnVariables      = diag.Variables      // variables of a model were matched by number or by place
	WarnOtherNoise     = diag.OtherNoise     // other noise was removed from the model's moment
	WarnOtherScale     = diag.OtherScale     // data were standardized by other numbers than the model's
	WarnKernels        = diag.Kernels        // sums come from different processors
)

// Help returns the names of the options (Columns, Starts, MemoryLimit, ...) and
// methods (Implicit, Standardize, ...) that help against an error of this package,
// if it names any.
func Help(err error) []string { return diag.Help(err) }
