package charts

// The first three colours are of the palette of Okabe and Ito. The others were
// searched for so that all ten stand out from the page (a contrast of 3 or
// more) and from each other, for readers who confuse red and green, too; so do
// those that page/options.js puts in their places on a dark page. The test
// holds them to it.
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

// palette is in the order in which series take their colours.
var palette = []string{blue, vermilion, green, lilac, brown, azure, indigo, plum, umber, slate}

// grey is that of dashed lines and of what belongs to no component, inkColor that
// of text and of marks that belong to no series, pageColor that of the ground they
// stand on, faintColor that of little or nothing in a heat map. On a dark page
// they change places with their counterparts.
const (
	grey       = "#7d8790"
	inkColor   = "#1f262d"
	pageColor  = "#ffffff"
	faintColor = "#eef1f3"
)
