package charts

import "fmt"

// JavaScript functions of the charts. go-echarts removes line breaks from a
// function, so statements end with semicolons. What they return as HTML
// consists of numbers and of names that were encoded.

// shortNumber labels a linear axis, with an exponent where a plain number
// would be long.
const shortNumber = `function (v) { var a = Math.abs(v); return v !== 0 && (a >= 1e6 || a < 1e-4) ? v.toExponential().replace("e+", "e") : String(+v.toPrecision(7)); }`

// powerOfTen labels a logarithmic axis.
const powerOfTen = `function (v) {
	var e = Math.round(Math.log10(v));
	if (Math.abs(v / Math.pow(10, e) - 1) > 1e-6) return String(+v.toPrecision(2));
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// jsNumber writes a value with four digits.
const jsNumber = `function (x) { var a = Math.abs(x); return x == null ? "-" : a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(3).replace("e+", "e") : String(+x.toPrecision(4)); }`

// traceTooltip describes a point of Convergence: its start by the series id,
// and its numbers, of which y is called as given.
func traceTooltip(y string, seconds bool) string {
	evaluations, secs := 0, 2
	if seconds {
		evaluations, secs = 2, 0
	}
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value;
	return "<b>start " + (Number(p.seriesId.split("-").pop()) + 1) + "</b> · " + echarts.format.encodeHTML(p.seriesName) +
		"<br>%s " + n(v[1]) + "<br>" + n(v[%d]) + " evaluations, " + n(v[%d]) + " s<br>gradient norm " + n(v[3]);
}`, jsNumber, y, evaluations, secs)
}

// barTooltip describes a bar by its category and value.
const barTooltip = `function (p) { return "component " + echarts.format.encodeHTML(p.name) + "<br>λ = " + Number(p.value).toPrecision(6); }`
