package symmom

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment/frame"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// MomentKind describes the moment of a model, besides its order. The zero value is the
// moment of the data as loaded.
type MomentKind struct {
	// Coordinates of the observations: "centered", "standardized" or "whitened"; "" as
	// they were loaded.
	Coordinates string `json:"coordinates,omitempty"`

	// Whitening has the k rows of n numbers whose products with an observation as it was
	// loaded, minus the mean and then divided by the scale, are its whitened coordinates.
	Whitening [][]float64 `json:"whitening,omitempty"`
	Mean      []float64   `json:"mean,omitempty"`      // that one, n
	Scale     []float64   `json:"scale,omitempty"`     // and that, of data that were standardized before
	Variables []string    `json:"variables,omitempty"` // names of the n, if they are known

	Cumulant bool `json:"cumulant,omitempty"` // of Session.Cumulant

	Distinct bool `json:"distinct,omitempty"` // of Moment.Distinct

	// Noise that Moment.Debias took out, given or estimated, or nil.
	Noise *struct {
		Sigma      float64     `json:"sigma"`                // root of the mean variance
		Variances  []float64   `json:"variances,omitempty"`  // n, if they differ
		Covariance [][]float64 `json:"covariance,omitempty"` // n x n, if it is full
	} `json:"noise,omitempty"`
}

// Describe names the moment of an order: "the 3rd moment of the data about their mean".
func (k *MomentKind) Describe(order int) string { return k.frame().Describe(order) }

func (k *MomentKind) frame() *frame.Kind { return (*frame.Kind)(k) }

// kind returns the kind of the moment, whose noise is known; nil if whitened coordinates
// were changed again, for which there is no description.
func (m *Moment) kind() *MomentKind {
	k := &MomentKind{Coordinates: m.session.coordinates, Cumulant: m.fit.Cumulant, Distinct: m.fit.Distinct}
	if k.Coordinates == whitened {
		w := m.session.whitening
		if w == nil || m.session.move.Center != nil {
			return nil
		}
		k.Mean, k.Scale, k.Variables = w.move.Loaded(w.mean), slices.Clone(w.move.Scale), slices.Clone(w.names)
		for i := range m.session.data.N {
			k.Whitening = append(k.Whitening, slices.Clone(w.into.RawRowView(i)))
		}
	}
	if m.fit.Noise != nil && !k.Cumulant {
		k.Noise = frame.NoiseOf(m.fit.Noise)
	}
	return k
}

// expected is the kind of the moment; noise that is not yet estimated has the sigma NaN.
func (m *Moment) expected() *MomentKind {
	k := m.kind()
	if k != nil && m.estimated() {
		k.Noise = &frame.Noise{Sigma: math.NaN()}
	}
	return k
}

// refused is the error of a model that cannot be compared.
func refused(what string, r *frame.Refusal) error {
	return diag.Helped(&ArgumentError{Argument: what, Value: r.Value, Want: r.Want}, r.Help...)
}

// fits refuses a model that cannot be compared with the moment or, more liberally, be a
// start for it, and returns it with its variables in the order of the data. A model
// without a Kind is taken to be of this moment, or of centered data if it has a center.
func (m *Moment) fits(what string, model *Model, start bool) (*Model, []Warning, error) {
	here, found := m.expected(), model.Kind
	if here != nil && found == nil && model.Center != nil {
		found = &MomentKind{Coordinates: centered, Cumulant: here.Cumulant, Distinct: here.Distinct, Noise: here.Noise}
	}
	if here != nil && found != nil && model.Order == m.fit.Order {
		if r := frame.Compare(found.frame(), here.frame(), m.fit.Order, start); r != nil {
			return nil, nil, refused(what, r)
		}
	}
	if n := m.session.data.N; model.N() != n || model.Order != m.fit.Order {
		r := &frame.Refusal{Value: fmt.Sprintf("order %d of %s", model.Order, words.Plural(model.N(), "variable")),
			Want: fmt.Sprintf("order %d of %s, as the moment", m.fit.Order, words.Plural(n, "variable"))}
		if model.Order == m.fit.Order && model.N() < n && len(model.Names) > 0 {
			r.Want, r.Help = r.Want+"; or choose the model's, "+frame.Variables(model.Names), []string{"Columns"}
		}
		return nil, nil, refused(what, r)
	}
	if m.session.coordinates == whitened { // these have no names
		return model, nil, nil
	}
	names := m.session.Columns()
	order, warnings, r := frame.Match("model", model.Names, names)
	switch {
	case r != nil:
		return nil, nil, refused(what, r)
	case order == nil:
		return model, warned(warnings...), nil
	}
	c := *model
	factors := mat.NewDense(model.N(), model.Rank(), nil)
	for i, k := range order {
		factors.SetRow(i, model.Factors.RawRowView(k))
	}
	c.Factors = factorsOf(factors, c.Lambda, names)
	c.Names, c.Center, c.Scale, c.Kind = names, frame.Reordered(model.Center, order), frame.Reordered(model.Scale, order), (*MomentKind)(model.Kind.frame().Reordered(order))
	return &c, warned(warnings...), nil
}

// initial returns the model for the first start of a decomposition of rank r.
func (m *Moment) initial(r int, model *Model) (*Model, error) {
	if model.Rank() != r {
		return nil, &ArgumentError{Argument: "InitialModel", Value: fmt.Sprintf("order %d, rank %d, %s", model.Order, model.Rank(), words.Plural(model.N(), "variable")),
			Want: fmt.Sprintf("order %d, rank %d, %s, as the decomposition", m.fit.Order, r, words.Plural(m.session.data.N, "variable"))}
	}
	model, _, err := m.fits("InitialModel", model, true)
	return model, err
}
