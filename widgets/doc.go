// Package widgets provides interactive controls for notebooks, terminal sessions and pages,
// and calls a function when their values change.
//
//	widgets.Interact(func(rank int, sigma float64) any {
//		return charts.Convergence(noisy(sigma).Moment(3).Decompose(rank))
//	}, widgets.Slider("rank", 2, 10, 1), widgets.Slider("sigma", 0, 1, .1))
//
// The controls are [Slider], [Play], [Select], [Check], [Text] and [Button]; [Interact] passes
// their values to a function, one per parameter, and shows its results. In
// JupyterLab the controls are ipywidgets; elsewhere their values are printed as
// text, and [Interaction.Set] changes one:
//
//	x := widgets.Interact(...)
//	x.Set("rank", 7)
//
// This package is independent of Jupyter and the web. A host, such as the kernel or the
// server of a page, describes controls to its clients by [Control.State], a plain
// struct with JSON names, passes their messages to [Control.Accept], and learns of
// changes by [Control.Watch] and [Interaction.Watch]. [Latest] merges the changes that
// arrive during a run into one further run.
package widgets
