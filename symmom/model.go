package symmom

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// Model is a symmetric Kruskal tensor, sum_j lambda_j a_j^(x d): the low-rank
// estimate of a moment (equation cp_element of the paper), with the record of
// where it came from.
type Model struct {
	Order   int          // d
	Lambda  []float64    // weights, r
	Factors *NamedMatrix // A, n x r, one component a column
	Names   []string     // of the variables, or nil

	// Center and Scale describe the transformation of a variable v by Session.Center and
	// Standardize: (v - center) / scale. n numbers each; nil for 0 and 1.
	Center, Scale []float64

	// Kind describes the moment of the model; nil if it is unknown, as for a model made by
	// hand, by another program, or by an old symmom.
	Kind *MomentKind

	// Origin is the provenance of the model, zero for a model made by hand.
	Origin Origin
}

// Origin is the provenance that is saved with a model.
type Origin struct {
	Source        string   `json:"source,omitempty"`      // name of the data
	Fingerprint   string   `json:"fingerprint,omitempty"` // of values and weights
	Observations  int      `json:"observations,omitempty"`
	Form          string   `json:"form,omitempty"`
	Solver        string   `json:"solver,omitempty"`
	Status        string   `json:"status,omitempty"`
	RelativeError *float64 `json:"relative_error,omitempty"`
	GradientNorm  *float64 `json:"gradient_norm,omitempty"`

	// Options that determine a fit's result, with defaults filled in; zero if they are unknown.
	Options struct {
		Starts           int     `json:"starts"`
		Seed             uint64  `json:"seed"`
		Tolerance        float64 `json:"tolerance"`
		RelativeDecrease float64 `json:"relative_decrease"`
		MaxIterations    int     `json:"max_iterations"`
		MaxEvaluations   int     `json:"max_evaluations"`
		Corrections      int     `json:"memory"` // as files have called it
		Scale            string  `json:"scale"`
		Init             string  `json:"init"`
		InitialModel     bool    `json:"initial_model,omitempty"` // a given model was the first start
		Nonnegative      bool    `json:"nonnegative,omitempty"`
		Samples          int     `json:"samples,omitempty"` // observations of a gradient of the sampled form
	} `json:"options,omitzero"`
}

// NewModel makes a model of the given order from weights and an n x r factor
// matrix, exactly as they are. It copies both. With an error the model is empty.
func NewModel(order int, lambda []float64, factors mat.Matrix) (*Model, error) {
	if err := checkOrder(order); err != nil {
		return &Model{}, err
	}
	if len(lambda) == 0 {
		return &Model{}, &ArgumentError{Argument: "lambda", Value: len(lambda), Want: "at least one weight"}
	}
	if n, r := linalg.Dims(factors); r != len(lambda) || n < 1 {
		return &Model{}, &ArgumentError{Argument: "factors", Value: fmt.Sprintf("a %d x %d matrix", n, r),
			Want: fmt.Sprintf("one column for each of the %d weights", len(lambda))}
	}
	m := &Model{Order: order, Lambda: append([]float64(nil), lambda...), Factors: factorsOf(mat.DenseCopyOf(factors), lambda, nil)}
	for _, v := range append(m.Factors.RawMatrix().Data, lambda...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &Model{}, &ArgumentError{Argument: "model", Value: v, Want: "finite weights and factors"}
		}
	}
	return m, nil
}

// Rank returns the number of components, r; 0 for an empty model, and where Factors does not
// have a column for each weight.
func (m *Model) Rank() int {
	if m.N() == 0 || m.Factors.RawMatrix().Cols != len(m.Lambda) {
		return 0
	}
	return len(m.Lambda)
}

// N returns the number of variables.
func (m *Model) N() int {
	if m.Factors == nil || m.Factors.empty() {
		return 0
	}
	n, _ := m.Factors.Dims()
	return n
}

// NormSquared returns ||M||^2 = lambda' [A'A]^d lambda (lemma norms). O(n r^2). A model of
// Moment.Distinct counts only its entries whose indices all differ.
func (m *Model) NormSquared() float64 { return m.kruskal().NormSquared() }

// String describes the model in two lines.
func (m *Model) String() string {
	if m.Rank() == 0 {
		return "empty model"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Model of the %s: %s of %s\n", m.Kind.frame().Title(m.Order), words.Plural(m.Rank(), "component"), words.Plural(m.N(), "variable"))
	fmt.Fprintf(&b, "  lambda  %s", words.Numbers(m.Lambda, 10))
	return b.String()
}

// kruskal copies the model into the layout that the maths code uses.
func (m *Model) kruskal() *ktensor.Kruskal {
	if m.Rank() == 0 {
		return ktensor.Of(m.Order, nil, nil)
	}
	k := ktensor.Of(m.Order, m.Lambda, m.Factors)
	k.Distinct = m.Kind != nil && m.Kind.Distinct
	return k
}

func modelOf(k *ktensor.Kruskal) *Model {
	m := &Model{Order: k.D, Lambda: slices.Clone(k.Lambda)}
	m.Factors = factorsOf(mat.DenseCopyOf(mat.NewDense(k.R, k.N, k.A).T()), m.Lambda, nil)
	return m
}
