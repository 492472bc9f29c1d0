// Package again lists the inputs that reproduce the numbers of a page.
package again

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"symmom/charts/internal/assets"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// List names data, of which a summary is known, a fit of them and the version of the program;
// if that is "", what the build recorded.
func List(data string, of *symmom.Summary, fit *symmom.Fit, version string) string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "" {
		version = info.Main.Version
	}
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "\n%-12s "+format, append([]any{name}, args...)...)
	}
	more := func(set bool, format string, args ...any) {
		if set {
			fmt.Fprintf(&b, ", "+format, args...)
		}
	}
	line("data", "%s", strings.Join(strings.Fields(data), " "))
	line("fingerprint", "%s", cmp.Or(of.Fingerprint, "none"))
	line("seed", "%d", fit.Seed)
	line("form", "%s, solver %s", fit.Form, fit.Solver)
	more(fit.Basis > 0, "a basis of %s", words.Plural(fit.Basis, "vector"))
	more(fit.Samples > 0, "%s a gradient", words.Plural(fit.Samples, "observation"))
	if o := fit.Model.Origin.Options; o.Starts > 0 {
		line("search", "%s (%s), tolerance %g, scale %s", words.Plural(o.Starts, "start"), o.Init, o.Tolerance, o.Scale)
		more(o.InitialModel, "the first from a given model")
		more(o.Nonnegative, "nothing below zero")
		more(o.RelativeDecrease != symmom.DefaultRelativeDecrease, "relative decrease %g", o.RelativeDecrease)
		more(o.Corrections != symmom.DefaultCorrections, "corrections %d", o.Corrections)
		line("", "at most %s, %s a start", words.Plural(o.MaxIterations, "iteration"), words.Plural(o.MaxEvaluations, "evaluation"))
	}
	line("symmom", "%s", cmp.Or(version, "unknown"))
	line("go", "%s on %s/%s", strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS, runtime.GOARCH)
	line("kernels", "%s", linalg.Kernels())
	line("echarts", "%s", assets.Version)
	return b.String()[1:]
}
