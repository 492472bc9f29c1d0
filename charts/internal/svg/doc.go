// Package svg parses, cleans, writes and rasterizes the SVG that ECharts produces
// and the few elements that charts adds.
//
// Apart from text, Chromium paints the same picture to within .3 levels of 255 on
// average. The many points of a scatter chart arrive as numbers, without options of
// their own, and become a few paths. The dots within a path do not overlap, so that
// they darken as circles would.
package svg
