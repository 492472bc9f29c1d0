//go:build e2e

package chromium

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// SlowLine has the browser throttle what the tab and its workers load to so many megabits
// a second, with so much latency of each request. A worker counts only once it is attached
// to, and waits for that before it begins.
func SlowLine(t *testing.T, ctx context.Context, mbit float64, latency time.Duration) {
	t.Helper()
	slow := func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{
				Latency: float64(latency.Milliseconds()), DownloadThroughput: mbit * 1e6 / 8, UploadThroughput: mbit * 1e6 / 8}},
		})
		return err
	}
	must(t, slow(ctx))
	must(t, chromedp.Listen(ctx, func(ev any) {
		e, is := ev.(*target.EventAttachedToTarget)
		if !is {
			return
		}
		go func() {
			worker, _ := chromedp.NewContext(ctx, chromedp.WithTargetID(e.TargetInfo.TargetID))
			err := slow(worker)
			if err == nil {
				_, err = chromedp.Call(worker, runtime.RunIfWaitingForDebugger, cdp.Empty{})
			}
			if err != nil && ctx.Err() == nil {
				t.Logf("no slow line for the %s %s, whose page may be gone: %v", e.TargetInfo.Type, e.TargetInfo.URL, err)
			}
		}()
	}))
	flat := true
	_, err := chromedp.Call(ctx, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flat})
	must(t, err)
}
