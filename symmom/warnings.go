package symmom

import "symmom/internal/text/diag"

// Warning is a caution about data or a result: Code is its kind, for programs, Text the
// message, and Help names the options and methods that Text suggests.
type Warning struct {
	Code WarningCode // stays when the words change
	Text string      // one line, without the word "warning"
	Help []string    // Columns, Starts, Center, ...; nil if Text advises nothing
}

// String returns Text.
func (w Warning) String() string { return w.Text }

// MarshalText returns Text: in JSON a warning is what it says.
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.Text), nil }

// UnmarshalText sets Text.
func (w *Warning) UnmarshalText(text []byte) error {
	w.Text = string(text)
	return nil
}

// warned returns warnings as this package has them.
func warned(of ...diag.Warning) (out []Warning) {
	for _, w := range of {
		out = append(out, Warning{WarningCode(w.Code), w.Text, w.Help})
	}
	return out
}

// coded is warned, back.
func coded(of []Warning) (out []diag.Warning) {
	for _, w := range of {
		out = append(out, diag.Warning{Code: string(w.Code), Text: w.Text, Help: w.Help})
	}
	return out
}

// WarningCode is a kind of warning.
type WarningCode string

// Kinds of warnings.
const (
	WarnZero           WarningCode = diag.Zero           // every value is 0
	WarnOneObservation WarningCode = diag.OneObservation // there is only one observation
	WarnScales         WarningCode = diag.Scales         // columns of very different scale
	WarnConstant       WarningCode = diag.Constant       // columns that do not vary
	WarnZeros          WarningCode = diag.Zeros          // nearly all values are 0, and stored
	WarnIndexColumn    WarningCode = diag.IndexColumn    // a column counts the rows, or may hold codes
	WarnRepeatedName   WarningCode = diag.RepeatedName   // columns of one name
	WarnTrailingBytes  WarningCode = diag.TrailingBytes  // a file holds more than was read
	WarnLeftOut        WarningCode = diag.LeftOut        // columns or parts of a file were left out
	WarnRows           WarningCode = diag.Rows           // which way round a matrix was read
	WarnIncomplete     WarningCode = diag.Incomplete     // rows were left out or gaps filled because values are missing
	WarnCodes          WarningCode = diag.Codes          // which codes are missing values, and which were not found
	WarnDecimal        WarningCode = diag.Decimal        // how the numbers of a text table were read
	WarnHeader         WarningCode = diag.Header         // a first line that is read as an observation may be a header
	WarnRank           WarningCode = diag.Rank           // a rank above that of the data, or with more parameters
	WarnSecondOrder    WarningCode = diag.SecondOrder    // components of a second moment are not unique
	WarnOffset         WarningCode = diag.Offset         // the mean is most of the moment
	WarnNoNoise        WarningCode = diag.NoNoise        // debiasing removed nothing
	WarnMoreNoise      WarningCode = diag.MoreNoise      // the noise to remove exceeds the variance of the data
	WarnFewStarts      WarningCode = diag.FewStarts      // few starts found the best
	WarnNotConverged   WarningCode = diag.NotConverged   // the solver stopped before it converged
	WarnDegenerate     WarningCode = diag.Degenerate     // components cancel each other, are the same or have no weight
	WarnBounded        WarningCode = diag.Bounded        // a start of a non-negative fit was cut
	WarnNorm           WarningCode = diag.Norm           // the error of ||X||^2 may be larger than stated
	WarnRounding       WarningCode = diag.Rounding       // the relative error is lost in rounding
	WarnOutOfRange     WarningCode = diag.OutOfRange     // numbers beyond the range of float64
	WarnFlatSpectrum   WarningCode = diag.FlatSpectrum   // no small basis captures the moment
	WarnBasisMissed    WarningCode = diag.BasisMissed    // a basis hid a part of f
	WarnBasisStale     WarningCode = diag.BasisStale     // a basis misses directions of newer data
	WarnOtherForm      WarningCode = diag.OtherForm      // solved in another form than requested
	WarnAccumulated    WarningCode = diag.Accumulated    // solved from sums, not polished
	WarnSamples        WarningCode = diag.Samples        // samples say too little about the data
	WarnEstimates      WarningCode = diag.Estimates      // results are estimates
	WarnReservoir      WarningCode = diag.Reservoir      // gradients are of a part of the data
	WarnNormalSources  WarningCode = diag.NormalSources  // sources that cannot be distinguished
	WarnFewOutliers    WarningCode = diag.FewOutliers    // a few observations make a result
	WarnLeastVariance  WarningCode = diag.LeastVariance  // a component has the least variance allowed
	WarnFewMembers     WarningCode = diag.FewMembers     // a component has too few observations
	WarnSetAside       WarningCode = diag.SetAside       // starts of a higher likelihood were set aside
	WarnDependent      WarningCode = diag.Dependent      // variables that are taken as independent correlate
	WarnOverlap        WarningCode = diag.Overlap        // components that observations hardly tell apart
	WarnCovariance     WarningCode = diag.Covariance     // another covariance has a clearly lower BIC
	WarnFewData        WarningCode = diag.FewData        // many parameters for few observations
	WarnVariables      WarningCode = diag.Variables      // variables of a model were matched by number or by place
	WarnOtherNoise     WarningCode = diag.OtherNoise     // other noise was removed from the model's moment
	WarnOtherScale     WarningCode = diag.OtherScale     // data were standardized by other numbers than the model's
	WarnKernels        WarningCode = diag.Kernels        // sums come from different processors
)

// Help returns the names of the options (Columns, Starts, MemoryLimit, ...) and
// methods (Implicit, Standardize, ...) that help against an error of this package,
// if it names any.
func Help(err error) []string { return diag.Help(err) }
