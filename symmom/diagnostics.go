package symmom

import "symmom/internal/math/ktensor"

// Diagnostics measure how well the components of a model are separated. With unit
// columns, the terms lambda_j a_j^(x d) have the inner products lambda_i lambda_j
// (a_i'a_j)^d, entries of [A'A]^d between weights.
type Diagnostics = ktensor.Diagnostics

// TermPair is two terms of a model, counted from 0 with I < J, and the cosine of
// the angle between these tensors.
type TermPair = ktensor.TermPair

// Diagnostics returns shares, condition and degenerate pairs of the components.
// O(n r^2 + r^3).
func (m *Model) Diagnostics() *Diagnostics { return m.kruskal().Diagnose() }
