package fingerprint

import "context"

type unneeded struct{}

// Unneeded returns a context whose results nobody will save, so that the data need not be
// identified: that takes reading all of them.
func Unneeded(ctx context.Context) context.Context { return context.WithValue(ctx, unneeded{}, true) }

// Needed reports whether the data of results computed in ctx are to be identified.
func Needed(ctx context.Context) bool { return ctx.Value(unneeded{}) == nil }
