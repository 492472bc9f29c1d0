// Package frame records the moment of a model, and whether it is comparable with a
// moment of some data: the same moment, in the same coordinates, of the same variables.
package frame

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/text/words"
)

// Coordinates of observations, and of what was found in them.
const (
	Centered     = "centered"
	Standardized = "standardized"
	Whitened     = "whitened"
)

// About says what k eigenvalues that stand out of a second moment about the mean may be.
func About(k int) string {
	return fmt.Sprintf("%s, or %d groups of observations", words.Plural(k, "independent factor"), k+1)
}

// Stands says how many eigenvalues stand out and, of a second moment about the mean, what they
// may be.
func Stands(stand, suggested int) string {
	text := fmt.Sprintf("%s of the second moment %s out", words.Plural(stand, "eigenvalue"), words.Verb(stand, "stands", "stand"))
	if suggested > stand {
		text += ": " + About(stand)
	}
	return text
}

// Standing says what eigenvalues that stand out suggest: as many as that, or of a second moment
// about the mean one more.
func Standing(stand, suggested int) string {
	switch text := fmt.Sprintf("%d %s out from the others", stand, words.Verb(stand, "stands", "stand")); {
	case stand == 0:
		return "none stands out from the others"
	case suggested > stand:
		return text + ": " + About(stand)
	default:
		return fmt.Sprintf("%s, which suggests rank %d", text, suggested)
	}
}

// Around returns a range of ranks worth trying: from two below to two above a suggested one,
// or 1 to 5 without any.
func Around(suggested int) (from, to int) {
	if suggested == 0 {
		return 1, 5
	}
	return max(1, suggested-2), suggested + 2
}

// Kind says which moment of the data a model is of, besides its order. The zero
// value is the moment of the data as they were loaded.
type Kind struct {
	// Coordinates of the observations: "centered", "standardized" or "whitened"; "" as
	// they were loaded.
	Coordinates string `json:"coordinates,omitempty"`

	// Whitening has the k rows of n numbers whose products with an observation as it was
	// loaded, minus the mean and then divided by the scale, are its whitened coordinates.
	Whitening [][]float64 `json:"whitening,omitempty"`
	Mean      []float64   `json:"mean,omitempty"`      // that one, n
	Scale     []float64   `json:"scale,omitempty"`     // and that, of data that were standardized before
	Variables []string    `json:"variables,omitempty"` // names of the n, if they are known

	Cumulant bool   `json:"cumulant,omitempty"` // of Session.Cumulant
	Distinct bool   `json:"distinct,omitempty"` // of the entries whose indices all differ, Moment.Distinct
	Noise    *Noise `json:"noise,omitempty"`    // that Moment.Debias took out, or nil
}

// Noise is the covariance of noise removed from a moment, given or estimated.
type Noise = struct {
	Sigma      float64     `json:"sigma"`                // root of the mean variance
	Variances  []float64   `json:"variances,omitempty"`  // n, if they differ
	Covariance [][]float64 `json:"covariance,omitempty"` // n x n, if it is full
}

// NoiseOf returns the record of noise.
func NoiseOf(s *moment.Noise) *Noise {
	out := &Noise{Sigma: s.Sigma(), Variances: slices.Clone(s.Diagonal)}
	for i := 0; i < len(s.Full); i += s.N {
		out.Covariance = append(out.Covariance, slices.Clone(s.Full[i:i+s.N]))
	}
	return out
}

// Check refuses kinds that are invalid for n variables.
func (k *Kind) Check(n int) error {
	switch k.Coordinates {
	case "", Centered, Standardized, Whitened:
	default:
		return fmt.Errorf("coordinates that are %s: want %s, %s or %s", words.Quote(k.Coordinates), Centered, Standardized, Whitened)
	}
	if (k.Coordinates == Whitened) != (len(k.Whitening) > 0) || len(k.Whitening) > 0 && len(k.Whitening) != n {
		return fmt.Errorf("a whitening of %s: want one for each of %s in whitened coordinates", words.Plural(len(k.Whitening), "row"), words.Plural(n, "variable"))
	}
	if !allOf(k.Whitening, len(k.Mean)) {
		return fmt.Errorf("rows of a whitening that are not as long as the mean, %d", len(k.Mean))
	}
	if n := len(k.Scale); n > 0 && n != len(k.Mean) || slices.ContainsFunc(k.Scale, func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) }) {
		return fmt.Errorf("a scale of %s for a mean of %d: want as many, above 0", words.Plural(n, "number"), len(k.Mean))
	}
	if len(k.Variables) > 0 && len(k.Variables) != len(k.Mean) {
		return fmt.Errorf("names of %s for a mean of %d", words.Plural(len(k.Variables), "variable"), len(k.Mean))
	}
	if s := k.Noise; s != nil && (len(s.Variances) != 0 && len(s.Variances) != n || len(s.Covariance) != 0 && len(s.Covariance) != n || !allOf(s.Covariance, n)) {
		return fmt.Errorf("noise of other variables: want %d variances, or a covariance of as many rows and columns", n)
	}
	return nil
}

// allOf reports whether all rows have n numbers.
func allOf(rows [][]float64, n int) bool {
	return !slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != n })
}

// data names observations in some coordinates.
func (k *Kind) data() string {
	switch k.Coordinates {
	case "":
		return "the data as they are"
	case Whitened:
		return fmt.Sprintf("%sdata whitened to %s", k.before(), words.Plural(len(k.Whitening), "coordinate"))
	}
	return k.Coordinates + " data"
}

// before says what data were before they were whitened, if that matters: a mean does not.
func (k *Kind) before() string {
	if k.Scale == nil {
		return ""
	}
	return Standardized + " "
}

// Name is "3rd moment", "3rd moment over distinct indices" or "4th cumulant". Of a kind that is not known, nil, it is the
// moment, and so it is below.
func (k *Kind) Name(order int) string {
	if k != nil && k.Cumulant {
		return words.Ordinal(order) + " cumulant"
	}
	if k != nil && k.Distinct {
		return words.Ordinal(order) + " moment over distinct indices"
	}
	return words.Ordinal(order) + " moment"
}

// Title is Name and, where the observations are not as they were loaded, how they are:
// "3rd moment of standardized data".
func (k *Kind) Title(order int) string {
	if k == nil || k.Coordinates == "" || k.Cumulant && k.Coordinates == Centered {
		return k.Name(order)
	}
	return k.Name(order) + " of " + k.data()
}

// Describe names the moment of the given order, and the data that it is of.
func (k *Kind) Describe(order int) string {
	if k == nil || k.Cumulant && k.Coordinates == Centered { // as that of any data
		return "the " + k.Name(order)
	}
	what := fmt.Sprintf("the %s of %s", k.Name(order), k.data())
	switch {
	case k.Noise == nil:
		return what
	case math.IsNaN(k.Noise.Sigma):
		return what + " without its noise"
	}
	return fmt.Sprintf("%s without noise of sigma %.6g", what, k.Noise.Sigma)
}

// normal returns the kind with the cumulant of order 3 as what it is, the moment about
// the mean.
func (k Kind) normal(order int) *Kind {
	k.Cumulant = k.Cumulant && order > 3
	return &k
}

// needs returns the coordinates that data need for the kind. A cumulant is about the mean
// of any.
func (k *Kind) needs(cumulant bool) string {
	if cumulant && k.Coordinates == Centered {
		return ""
	}
	return k.Coordinates
}

// advice says in words how to come from a moment to one of another kind, and names what
// does it.
type advice struct{ words, help []string }

func (a *advice) add(words string, help ...string) {
	a.words, a.help = append(a.words, words), append(a.help, help...)
}

// coordinates adds how to come from the coordinates of another kind to those of k.
func (a *advice) coordinates(k, other *Kind) {
	switch to := k.needs(k.Cumulant); {
	case to == other.needs(k.Cumulant || other.Cumulant) && len(k.Whitening) == len(other.Whitening) && k.before() == other.before():
	case to == "":
		a.add("leave the data as they are")
	case to == Centered:
		a.add("center the data first", "Center")
	case to == Standardized:
		a.add("standardize the data first", "Standardize")
	case k.Scale != nil:
		a.add("standardize the data and whiten them to "+words.Plural(len(k.Whitening), "coordinate"), "Standardize", "Whiten")
	case other.Scale != nil:
		a.add(fmt.Sprintf("whiten the data to %s without standardizing them", words.Plural(len(k.Whitening), "coordinate")))
	default:
		a.add(fmt.Sprintf("whiten the data to %s first", words.Plural(len(k.Whitening), "coordinate")), "Whiten")
	}
}

// moment adds how to come to the same moment in these coordinates.
func (a *advice) moment(k, other *Kind) {
	switch {
	case k.Cumulant == other.Cumulant:
	case k.Cumulant:
		a.add("take the cumulant", "Cumulant")
	default:
		a.add("take the moment, not the cumulant")
	}
	switch {
	case k.Distinct == other.Distinct:
	case k.Distinct:
		a.add("take the moment over distinct indices", "Distinct")
	default:
		a.add("take the moment over all indices")
	}
	switch {
	case (k.Noise == nil) == (other.Noise == nil):
	case k.Noise == nil:
		a.add("leave the noise in")
	default:
		a.add("take the noise out", "Debias")
	}
}

// SameNoise reports whether two covariances are the same up to rounding.
func SameNoise(s, as *Noise) bool {
	return near([]float64{s.Sigma}, []float64{as.Sigma}) && near(s.Variances, as.Variances) &&
		slices.EqualFunc(s.Covariance, as.Covariance, near)
}

// near reports whether numbers are the same except for the rounding of other processors.
func near(a, b []float64) bool {
	const rounding = 1e-6
	largest := 0.
	for _, v := range a {
		largest = math.Max(largest, math.Abs(v))
	}
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= rounding*largest })
}

// Refusal says why a model cannot be compared, and names what helps.
type Refusal struct {
	Value, Want string
	Help        []string
}

// Compare refuses a model of another kind of moment than that of the data here, or in
// other coordinates; as a start, only the latter.
func Compare(found, here *Kind, order int, start bool) *Refusal {
	found, here = found.normal(order), here.normal(order)
	var a advice
	a.coordinates(found, here)
	if !start {
		a.moment(found, here)
	}
	switch {
	case len(a.words) > 0:
		return &Refusal{"a model of " + found.Describe(order), fmt.Sprintf("one of %s; or %s", here.Describe(order), strings.Join(a.words, " and ")), a.help}
	case here.Coordinates == Whitened:
		return found.sameWhitening(here)
	}
	return nil
}

// alike is the root mean square by which a whitened coordinate of an observation, whose own is
// 1, may differ between two whitenings that are the same: the leading eigenvectors have an
// accuracy of 1e-8 (storage.Exact), which gaps of 1e-4 between eigenvalues magnify so far.
const alike = 1e-4

// sameWhitening refuses a model in whitened coordinates that are not those here. Variables are
// matched by name, in the units that they have here. A difference d of rows gives coordinates
// that differ by d'x, of variance d'Cd. The rows here, q_i / sqrt(value_i), tell C in their
// span, sum value_i q_i q_i'; outside of it no variance is larger than the last value.
func (k *Kind) sameWhitening(here *Kind) *Refusal {
	if len(k.Mean) != len(here.Mean) {
		return &Refusal{"a model in whitened coordinates of " + words.Plural(len(k.Mean), "variable"), fmt.Sprintf("one in those of %d, as the data have", len(here.Mean)), nil}
	}
	order, _, refused := Match("model", k.Variables, here.Variables)
	if refused != nil {
		return refused
	}
	for i, row := range here.Whitening {
		d := slices.Clone(row)
		for j := range d {
			at := j
			if order != nil {
				at = order[j]
			}
			theirs := k.Whitening[i][at]
			if here.Scale != nil { // so has k, see Compare
				theirs *= here.Scale[j] / k.Scale[at]
			}
			d[j] -= theirs
		}
		variance, least := 0., math.Inf(1)
		for _, w := range here.Whitening {
			square := linalg.Dot(w, w)
			along := linalg.Dot(w, d) / square // sqrt(value) q'd
			variance += along * along
			linalg.Axpy(-along, w, d)
			least = math.Min(least, 1/square)
		}
		if variance += least * linalg.Dot(d, d); !(variance <= alike*alike) {
			return &Refusal{"a model in other whitened coordinates", "one in those of these data; or take the data that it was found in", nil}
		}
	}
	return nil
}
