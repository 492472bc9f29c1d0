//go:build e2e

package chromium

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Scheme has pages think that the person prefers "light" or "dark".
func Scheme(t *testing.T, ctx context.Context, scheme string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	must(t, err)
}

// Accessible lets axe, the script at a path, look at the page, and fails the test for what
// it calls serious or worse. look names the page and how it is seen.
func Accessible(t *testing.T, ctx context.Context, axe, look string) {
	t.Helper()
	script, err := os.ReadFile(axe)
	must(t, err)
	type answer struct {
		Bad    []string
		Passes int
	}
	a := Eval[answer](t, ctx, `(async () => { if (!window.axe) { `+string(script)+` }
		const r = await axe.run(document, { preload: false, resultTypes: ["violations"] });
		return { Passes: r.passes.length, Bad: r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.impact + " " + v.id + ": " +
			v.nodes.slice(0, 4).map(n => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join("; ")) }; })()`)
	if a.Passes < 10 {
		t.Errorf("%s: axe passed only %d rules: it looked at nothing", look, a.Passes)
	}
	for _, bad := range a.Bad {
		t.Errorf("%s: %s", look, bad)
	}
}
