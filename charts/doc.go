// Package charts turns the results of symmom into pictures: HTML pages and
// notebook fragments that need no network, and block characters for a
// terminal.
//
//	fit := symmom.Load("mixture.npy").Moment(3).Decompose(5)
//	charts.Convergence(fit).Save("convergence.html")
//
// Every picture is a *Figure. From results of symmom: [Convergence], [Sweep], [RankEvidence],
// [Recovery], [RecoveryGrid], [Scree], [ScoreMatrix], [Factors], [Lambda], [InitSuccess],
// [Mixture], [Mixtures], [Sources]. Most have a counterpart that takes plain numbers:
// [ConvergenceLines], [SweepLines], [RecoveryOf], [ScreeOf], [FactorsOf], [InitSuccessBars],
// [SourcesOf]; [Images], [Dots] and [Cost] take nothing else. [Wrap] takes your own go-echarts
// chart. [Explore] looks at a fit by hand.
//
// Options are the last argument and may be left out; at most one is taken, and its
// zero value is the default. Where the results to draw are the last arguments,
// options come first, in a function of its own: [ConvergenceWith].
//
// A figure shows itself in a notebook (HTML), and gives a whole page (Page), a
// static picture (SVG, PNG), either as a file (Save), and the go-echarts charts
// that it is made of (ECharts), which may be changed before it is shown. A [Report]
// puts several figures with headings, text and tables on one page. [Blocks] draws
// images with characters.
//
// Numbers on a linear axis that are all below 1e-7 or beyond 1e300 are given to ECharts, which
// cannot show them, in units of a power of ten; those that differ in their last digits alone, as
// their differences from the number that the name of the axis has behind it. What a page shows
// at a mark are the numbers themselves.
//
// A page holds everything it needs, the ECharts script included, in one file, with buttons
// that save each figure (PNG, SVG) and its numbers (CSV). Its
// content security policy lets no other script run and nothing be fetched, whatever
// the names in the data contain.
package charts
