// Package ssr runs ECharts without a browser: its own server-side rendering
// to SVG, in a JavaScript interpreter.
//
// The interpreter is goja. The script is read when the first picture is asked for. Text
// is measured in Liberation Sans, which is embedded and has the widths of Arial and
// Helvetica. Since there is no clock, no random number and no counted ID, the bytes are
// the same everywhere.
package ssr
