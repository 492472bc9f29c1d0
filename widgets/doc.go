// Package widgets offers controls for notebooks, the session in a terminal and pages:
// what a person sets by hand, and a function that runs when they do.
//
//	widgets.Interact(func(rank int, sigma float64) any {
//		return charts.Convergence(noisy(sigma).Moment(3).Decompose(rank))
//	}, widgets.Slider("rank", 2, 10, 1), widgets.Slider("sigma", 0, 1, .1))
//
// The controls are [Slider], [Play], [Select], [Check], [Text] and [Button]; [Interact] gives
// their values to a function, one a parameter, and shows what it returns. In
// JupyterLab the controls are those of ipywidgets; elsewhere their values stand as
// text, and [Interaction.Set] changes one:
//
//	x := widgets.Interact(...)
//	x.Set("rank", 7)
//
// This package knows neither Jupyter nor the web. A host, such as the kernel or the
// server of a page, describes controls to its clients by [Control.State], a plain
// struct with names for JSON, passes what they send to [Control.Accept], and is told
// of changes by [Control.Watch] and [Interaction.Watch]. [Latest] makes one run of any
// number of moves that arrive while another run is under way.
package widgets
