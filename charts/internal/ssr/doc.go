// Package ssr runs ECharts without a browser: its own server-side rendering
// to SVG, in a JavaScript interpreter.
//
// The interpreter is goja. The script is loaded with the first picture. Text is measured
// in Liberation Sans, which is embedded and has the metrics of Arial and Helvetica. As
// there is no clock, no random number and no counted ID, the bytes are the same
// everywhere.
package ssr
