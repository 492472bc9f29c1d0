package symmom

// Forget returns the session without its observations, for an endless feed: it keeps the
// sums that Append updates, and blocks that are appended later are not stored either. Its
// memory is that of the sums (n^2/2 numbers, and C(k+d-1, d) for a compressed moment of
// order d) and of a sample of at most about 32 MB, for any number of blocks. A compressed fit
// must have fixed the basis Q of its order before. The session itself does not change; drop
// it to free its memory.
//
// The sums are as exact as before: a compressed fit of an order that was fitted before,
// with no larger rank, or no more basis vectors if these were given, equals the accumulated
// fit of a session that kept everything, bit for bit if anything was appended since,
// otherwise up to rounding. ||X||^2 is always estimated, from the sample and the largest
// observations.
//
// Operations that need the observations are unavailable. Q cannot be renewed: a fit
// continues with it, and warns if the data have left its span. Nothing can be polished.
// Other forms and orders, Evaluate, Summary, Matrix, Weights, Standardize and WithWeights
// give an error or nothing.
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
