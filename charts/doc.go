// Package charts turns the results of symmom into pictures: HTML pages and
// notebook fragments that need no network, and block characters for a
// terminal.
//
//	fit := symmom.Load("mixture.npy").Moment(3).Decompose(5)
//	charts.Convergence(fit).Save("convergence.html")
//
// Every picture is a *Figure. Those of symmom's results are [Convergence], [Sweep],
// [RankEvidence], [Recovery], [RecoveryGrid], [Scree], [ScoreMatrix], [Factors], [Lambda],
// [InitSuccess], [Mixture], [Mixtures], [Densities], [Sources], [Mixing], [Topics] and [TopicMap]; those of a
// table are [Distributions], [Pairs] and [Correlations]. Most have a counterpart for plain numbers:
// [ConvergenceLines], [SweepLines], [RecoveryOf], [ScreeOf], [FactorsOf],
// [InitSuccessBars], [SourcesOf]; [Images], [Dots] and [Cost] take only plain numbers. [Wrap]
// takes your own go-echarts chart. [Explore] shows a fit with interactive controls.
//
// Options are the last argument and may be left out; at most one is taken, and its
// zero value is the default. Where the results to draw are the last arguments,
// options come first, in a function of its own: [ConvergenceWith].
//
// A figure displays itself in a notebook (HTML), and renders a complete page (Page) or
// a static picture (SVG, PNG), also to a file (Save), which may be a PDF. Its go-echarts charts (ECharts) may
// be modified before it is shown. A [Report] is a page with several figures, headings,
// text and tables. [Blocks] draws images with characters.
//
// ECharts cannot show numbers on a linear axis that are all below 1e-7 or above 1e300, so
// they are plotted in units of a power of ten; numbers that differ only in their last
// digits are plotted as differences from a number in the axis title. Tooltips show the
// original numbers.
//
// A page is a single self-contained file, including the ECharts script, with buttons
// that save each figure (PNG, SVG) and its numbers (CSV). Its content security policy
// prevents other scripts and all requests, whatever the names in the data contain.
package charts
