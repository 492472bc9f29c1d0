package charts

// The first three colours are from the palette of Okabe and Ito. The others were
// searched for so that all ten stand out from the page (a contrast of 3 or more)
// and from each other, also for readers who confuse red and green; so do the
// colours that page/options.js replaces them with on a dark page. A test checks
// this.
const (
	blue      = "#0072b2"
	vermilion = "#d55e00"
	green     = "#009e73"
	lilac     = "#a887bf"
	brown     = "#964900"
	azure     = "#5b84fd"
	indigo    = "#3936b6"
	plum      = "#700d73"
	umber     = "#59360e"
	slate     = "#625669"
)

// palette lists the colours in the order in which series take them.
var palette = []string{blue, vermilion, green, lilac, brown, azure, indigo, plum, umber, slate}

// grey is the colour of dashed lines and of what belongs to no component, inkColor
// of text and of marks that belong to no series, pageColor of the background, and
// faintColor of values near zero in a heat map. A dark page replaces them with
// their counterparts.
const (
	grey       = "#7d8790"
	inkColor   = "#1f262d"
	pageColor  = "#ffffff"
	faintColor = "#eef1f3"
)
