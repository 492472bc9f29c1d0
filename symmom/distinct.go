package symmom

import (
	"fmt"

	"symmom/internal/text/words"
)

// Distinct leaves only the entries of the moment whose d indices all differ. In a mixture with
// means mu_c and weights w_c whose variables are independent within each component,
//
//	E[x_i x_j x_k] = sum_c w_c mu_ci mu_cj mu_ck,   i, j, k distinct,
//
// whatever the distributions within the components are, and though each component has
// variances of its own: unlike Debias, it takes out no noise, as there is none in these
// entries. Decompose minimizes the squares over these entries, of the model too; lambda and A
// are as always.
//
// With x = v*a by entries, p_m = sum_i x_i^m, and F_0 = 1,
//
//	F_k = sum_(m=1..k) (-1)^(m-1) (k-1)!/(k-m)! p_m F_(k-m)
//
// is the sum of the products of k of the x_i of distinct indices, so that over these entries
//
//	<v^(x d), a^(x d)> = F_d
//	X a^d     = sum nu F_d(v*a)
//	X a^(d-1) = sum_(m=1..d) (-1)^(m-1) (d-1)!/(d-m)! a^(m-1) * [sum nu v^m F_(d-m)(v*a)],
//
// powers by entries. An evaluation takes the same pass as that of the moment with products with
// V, V*V, ..., V^(d-1), which are made in cache: d-1 times its operations, 4 (d-1) p n r.
// ||X||^2 and f are over these entries as well: exact from pairs of observations, with F_d for
// their inner products, or estimated.
//
// Orders are 2 and above, up to the number of variables. Data may be centered and
// standardized; whitening mixes the variables, and Whiten, Debias and Cumulant are refused.
// Forms are the implicit and the explicit one, whose tensor has zeros elsewhere. On a cluster
// only the explicit form is fitted.
func (m *Moment) Distinct() *Moment {
	c := *m
	if c.Err() == nil {
		c.fit = m.fit.OverDistinct()
		c.err = m.checkDistinct()
	}
	return &c
}

// checkDistinct refuses moments of which the entries of distinct indices say nothing.
func (m *Moment) checkDistinct() error {
	refuse := func(what, want string) error {
		return &ArgumentError{Argument: "Distinct", Value: what, Want: want}
	}
	switch d, n := m.fit.Order, m.session.data.N; {
	case m.session.coordinates == whitened || m.session.whitening != nil:
		return refuse("whitened data", "data in their own variables: whitening mixes these, and with them the noise of each")
	case m.fit.Cumulant:
		return refuse("a cumulant", "a moment: its entries of distinct indices have no noise to begin with; the third cumulant is the moment of centered data")
	case m.debias != nil:
		return refuse("a debiased moment", "a plain one: noise that is independent between variables is in no entry of distinct indices, so there is nothing to remove")
	case d < 2:
		return &ArgumentError{Argument: "order", Value: d, Want: "2 or more over distinct indices"}
	case n < 2:
		return refuse("one variable", "at least two")
	case n < d:
		return &ArgumentError{Argument: "order", Value: d, Want: fmt.Sprintf("at most %d over distinct indices of %s", n, words.Plural(n, "variable"))}
	}
	if err := m.session.data.Forgotten(); err != nil {
		return fmt.Errorf("distinct: %w", err)
	}
	return nil
}
