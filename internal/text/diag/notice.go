package diag

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Codes of warnings.
const (
	Zero           = "zero"            // every value is 0
	OneObservation = "one_observation" // there is only one observation
	Scales         = "scales"          // columns of very different scale
	Constant       = "constant"        // columns that do not vary
	Zeros          = "zeros"           // nearly all values are 0, and stored
	IndexColumn    = "index_column"    // a column counts the rows, or may hold codes
	RepeatedName   = "repeated_name"   // columns of one name
	TrailingBytes  = "trailing_bytes"  // a file holds more than was read
	LeftOut        = "left_out"        // columns or parts of a file were left out
	Rows           = "rows"            // which way round a matrix was read
	Incomplete     = "incomplete"      // rows were left out or gaps filled because values are missing
	Codes          = "codes"           // which codes are missing values, and which were not found
	Decimal        = "decimal"         // how the numbers of a text table were read
	Header         = "header"          // a first line that is read as an observation may be a header
	Rank           = "rank"            // a rank above that of the data, or with more parameters
	SecondOrder    = "second_order"    // components of a second moment are not unique
	Offset         = "offset"          // the mean is most of the moment
	NoNoise        = "no_noise"        // debiasing took out nothing
	MoreNoise      = "more_noise"      // the noise to remove exceeds the variance of the data
	FewStarts      = "few_starts"      // few starts found the best
	NotConverged   = "not_converged"   // the solver stopped before it converged
	Degenerate     = "degenerate"      // components cancel each other, are the same or have no weight
	Bounded        = "bounded"         // a start of a non-negative fit was cut
	Norm           = "norm"            // the error of ||X||^2 may be larger than stated
	Rounding       = "rounding"        // rounding makes the relative error uncertain
	OutOfRange     = "out_of_range"    // numbers that no float64 holds
	FlatSpectrum   = "flat_spectrum"   // no basis holds the moment
	BasisMissed    = "basis_missed"    // a basis hid a part of f
	BasisStale     = "basis_stale"     // a basis misses directions of newer data
	OtherForm      = "other_form"      // solved in another form than asked for
	Accumulated    = "accumulated"     // solved from sums, not polished
	Samples        = "samples"         // samples say too little about the data
	Estimates      = "estimates"       // results are estimates
	Reservoir      = "reservoir"       // gradients are of a part of the data
	NormalSources  = "normal_sources"  // sources that cannot be distinguished
	FewOutliers    = "few_outliers"    // a few observations make a result
	LeastVariance  = "least_variance"  // a component has the least variance allowed
	FewMembers     = "few_members"     // a component has too few observations
	SetAside       = "set_aside"       // starts of a higher likelihood gave way
	Dependent      = "dependent"       // variables that are taken as independent correlate
	Overlap        = "overlap"         // components that observations hardly tell apart
	Covariance     = "covariance"      // another covariance has a clearly lower BIC
	FewData        = "few_data"        // many parameters for few observations
	Variables      = "variables"       // variables of a model were matched by number or by place
	OtherNoise     = "other_noise"     // other noise was removed from the model's moment
	OtherScale     = "other_scale"     // data were standardized by other numbers than the model's
	Kernels        = "kernels"         // sums come from different processors
)

// Warning is a caution about data or a result.
type Warning struct {
	// Code names the kind, for programs: it stays when the words change.
	Code string
	// Text is the message: one line, without the word "warning".
	Text string
	// Help names the options (Columns, Starts, ...) and methods (Center,
	// Compressed, ...) that Text advises, if any.
	Help []string
}

// String returns Text.
func (w Warning) String() string { return w.Text }

// With returns the warning with the names of what helps.
func (w Warning) With(help ...string) Warning {
	w.Help = help
	return w
}

// New makes a warning of a kind.
func New(code, format string, args ...any) Warning {
	return Warning{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Helper is an error that names the options and methods that help.
type Helper interface {
	error
	Help() []string
}

// Help returns the options that err or an error that it wraps names, or nil.
func Help(err error) []string {
	if h, ok := errors.AsType[Helper](err); ok {
		return h.Help()
	}
	return nil
}

// Names lists what helps, as the end of a message: " (Missing, Columns)", or "".
func Names(help []string) string {
	if len(help) == 0 {
		return ""
	}
	return " (" + strings.Join(help, ", ") + ")"
}

// Error is an error with what helps against it.
type Error struct {
	Err     error
	Options []string
}

// Helped returns err with what helps.
func Helped(err error, options ...string) error { return &Error{err, options} }

func (e *Error) Error() string  { return e.Err.Error() }
func (e *Error) Unwrap() error  { return e.Err }
func (e *Error) Help() []string { return e.Options }

// Merge appends the warnings of more that are not in w. Of how numbers are written one
// example is enough.
func Merge(w, more []Warning) []Warning {
	for _, m := range more {
		if !slices.ContainsFunc(w, func(x Warning) bool { return x.Code == m.Code && (x.Text == m.Text || x.Code == Decimal) }) {
			w = append(w, m)
		}
	}
	return w
}

// AsFloat32 is what a message about values that are equal, or zero, adds where they are
// kept as float32: before, they may not have been.
func AsFloat32(single bool) string {
	if single {
		return " as float32"
	}
	return ""
}
