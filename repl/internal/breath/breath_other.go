//go:build !js && !breathe

package breath

import "context"

// Needed reports whether code has to take breaths.
const Needed = false

// Take does nothing.
func Take() {}

// Context returns ctx.
func Context(ctx context.Context) context.Context { return ctx }
