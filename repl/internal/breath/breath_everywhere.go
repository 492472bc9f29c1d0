//go:build breathe && !js

package breath

import (
	"context"
	"runtime"
)

// Needed reports whether code has to take breaths. With the build tag breathe it has
// to where Go is tested, too, so that the code of a browser runs at full speed against
// other people's programs.
const Needed = true

// Take gives way to other goroutines.
func Take() { runtime.Gosched() }

// Context returns ctx.
func Context(ctx context.Context) context.Context { return ctx }
