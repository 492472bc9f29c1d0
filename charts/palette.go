package charts

// The palette is that of Okabe and Ito, safe for the colour-blind, without
// black and yellow, which vanish on a dark or a light page. On a dark page
// page/draw.js puts a lighter colour in the place of each.
const (
	blue      = "#0072b2"
	vermilion = "#d55e00"
	green     = "#009e73"
	purple    = "#cc79a7"
	orange    = "#e69f00"
	sky       = "#56b4e9"
	grey      = "#7d8790"
)

// inkColor is that of text and of marks that belong to no series, pageColor that
// of the ground they stand on, faintColor that of little or nothing in a heat map.
// On a dark page they change places with their counterparts.
const (
	inkColor   = "#1f262d"
	pageColor  = "#ffffff"
	faintColor = "#eef1f3"
)

// palette is in the order in which series take their colours.
var palette = []string{blue, vermilion, green, purple, orange, sky, grey}
