package symmom

// Forget returns the session without its observations, for a feed that has no
// end: what is left is what Append keeps up to date, and appending to it keeps
// no block either. Its memory is that of the sums (n^2/2 numbers, and C(k+d-1,
// d) for a compressed moment of order d) and of a sample of at most 32 MB,
// whatever arrives. A compressed fit must have fixed the basis Q before. The
// session itself stays as it was; drop it to free its memory.
//
// What is left is as exact as before: a compressed fit of an order that had been
// fitted, of a rank that wants no more vectors than Q has, is bit for bit the
// accumulated one of a session that kept all. ||X||^2 is always estimated, from
// the sample and the largest.
//
// What is lost: whatever would go over the observations again. Q cannot be
// renewed: a fit goes on with it, and warns when the data have left it. Nothing
// can be polished. Other forms and orders, Evaluate, Summary, Matrix, Weights,
// Standardize and WithWeights give an error or nothing.
func (s *Session) Forget() *Session {
	if s.Err() != nil || s.data.Forgotten() != nil {
		return s
	}
	left, err := s.data.Forget(s.context())
	if err != nil {
		return s.with(nil, interrupted("forget", err))
	}
	c := *s
	c.data = left
	return &c
}
