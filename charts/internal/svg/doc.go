// Package svg reads, cleans, writes and rasterizes the SVG that ECharts makes
// and the little that charts adds.
//
// Away from text, Chromium paints the same picture within .3 levels of 255 on average.
// The many points of a scatter chart arrive as numbers, without options of their own,
// and become a few paths whose dots do not overlap within a path, so that they darken as
// circles would.
package svg
