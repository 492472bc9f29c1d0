package charts

import "fmt"

// JavaScript functions of the charts. go-echarts removes line breaks from a
// function, so statements end with semicolons. The HTML that they return consists
// of numbers and encoded names.

// shortNumber labels a linear axis, with an exponent if a plain number would be
// long.
const shortNumber = `function (v) { var a = Math.abs(v); return v !== 0 && (a >= 1e6 || a < 1e-4) ? v.toExponential().replace("e+", "e") : String(+v.toPrecision(7)); }`

// powerOfTen labels a logarithmic axis.
const powerOfTen = `function (v) {
	var e = Math.round(Math.log10(v));
	if (Math.abs(v / Math.pow(10, e) - 1) > 1e-6) return String(+v.toPrecision(2));
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// upToOne labels an axis of scores, none of which is above 1.
const upToOne = `function (v) { return v > 1 + 1e-9 ? "" : String(+v.toPrecision(7)); }`

// tenToThe labels an axis of exponents of ten.
const tenToThe = `function (v) {
	if (Math.abs(v - Math.round(v)) > 1e-6) return "";
	var e = Math.round(v);
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// jsNumber formats a value with four digits.
const jsNumber = `function (x) { var a = Math.abs(x); return x == null ? "-" : a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(3).replace("e+", "e") : String(+x.toPrecision(4)); }`

// traceTooltip describes a point of Convergence: its start, by the series id, and
// its numbers.
func traceTooltip(seconds bool, y scaling) string {
	evaluations, secs := 0, 2
	if seconds {
		evaluations, secs = 2, 0
	}
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value, start = /-start-(\d+)$/.exec(p.seriesId), name = echarts.format.encodeHTML(p.seriesName);
	return (start ? "<b>start " + (Number(start[1]) + 1) + "</b> · " + name : "<b>" + name + "</b>") +
		"<br>" + n(%s) + "<br>" + (v[%d] ? n(v[%d]) + " evaluations, " : "") + n(v[%d]) + " s" + (v[3] ? "<br>gradient norm " + n(v[3]) : "");
}`, jsNumber, y.js("v[1]"), evaluations, evaluations, secs)
}

// barTooltip describes a bar by its category and value.
const barTooltip = `function (p) { return "component " + echarts.format.encodeHTML(p.name) + "<br>λ = " + Number(p.value).toPrecision(6); }`

// sweepTooltip describes a point of Sweep.
func sweepTooltip(axis, name string, y scaling) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name) + " " + v;
	return (p.seriesName ? "<b>" + echarts.format.encodeHTML(p.seriesName) + "</b><br>" : "") + "%s " + v[0] + "<br>%s " + n(%s);
}`, jsNumber, axis, name, y.js("v[1]"))
}

// planeTooltip describes a point of Recovery.
const planeTooltip = `function (p) {
	var e = echarts.format.encodeHTML;
	return "<b>" + e(p.name || p.seriesName) + "</b>" + (p.name ? " · " + e(p.seriesName) : "") + "<br>" + p.value[0] + ", " + p.value[1];
}`

// screeTooltip describes an eigenvalue of Scree.
func screeTooltip(y scaling) string {
	return fmt.Sprintf(`function (p) {
	var v = p.value;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name);
	return "eigenvalue " + v[0] + "<br>" + Number(%s).toPrecision(5);
}`, y.js("v[1]"))
}

// heatTooltip describes a cell of a heat map by its name.
func heatTooltip(value string) string {
	return fmt.Sprintf(`function (p) { var n = %s; return echarts.format.encodeHTML(p.name) + "<br>%s " + n(p.value[2]); }`, jsNumber, value)
}

// entryTooltip describes a bar of Factors, and successTooltip one of InitSuccess.
const (
	entryTooltip   = `function (p) { return echarts.format.encodeHTML(p.name) + "<br>" + Number(p.value).toPrecision(5); }`
	successTooltip = `function (p) { var e = echarts.format.encodeHTML; return (p.seriesName ? "<b>" + e(p.seriesName) + "</b><br>" : "") + p.value + " successful<br>" + e(p.name); }`
)

// dotTooltip describes a mark of Dots: its series and its position.
func dotTooltip(x, y scaling) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, e = echarts.format.encodeHTML, v = p.value;
	return "<b>" + e(p.seriesName) + "</b><br>" + (p.name ? e(p.name) + "<br>" : "") + (typeof v[1] === "number" ? n(%s) : e(v[1])) + "<br>" + n(%s);
}`, jsNumber, y.js("v[1]"), x.js("v[0]"))
}

// costTooltip describes a point of Cost.
func costTooltip(unit string) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name);
	return "<b>" + echarts.format.encodeHTML(p.seriesName) + "</b><br>n = " + v[0] + "<br>" + n(v[1]) + " %s";
}`, jsNumber, unit)
}
