// Package svg parses, cleans, writes and rasterizes the SVG that ECharts produces
// and the few elements that charts adds.
//
// Apart from text, the pictures match Chromium's to within .3 levels of 255 on average.
// The many points of a scatter chart arrive as numbers, without options of their own,
// and become a few paths. The dots within a path do not overlap, so that overlapping
// dots darken as circles would.
package svg
