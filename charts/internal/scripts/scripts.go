// Package scripts holds the JavaScript functions of the charts.
package scripts

import "fmt"

// Value returns a JavaScript expression for the value at a position e on an axis.
type Value func(e string) string

// JavaScript functions of the charts. go-echarts removes line breaks from a
// function, so statements end with semicolons. The HTML that they return consists
// of numbers and encoded names.

// ShortNumber labels a linear axis, with an exponent where a plain number would be long: 0.0085
// but 8.5e-4. Labels of round numbers have up to seven characters, for which axes leave room.
const ShortNumber = `function (v) {
	var plain = String(+v.toPrecision(7)), short = (+v.toPrecision(7)).toExponential().replace("e+", "e");
	return Math.abs(v) >= 1e6 || plain.length > 6 && short.length < plain.length ? short : plain;
}`

// PowerOfTen labels a logarithmic axis. The end of one that is zoomed can be rounded to 0 by
// ECharts, which rounds it as the greatest value of the data.
const PowerOfTen = `function (v) {
	if (!(v > 0)) return "";
	var e = Math.round(Math.log10(v));
	if (Math.abs(v / Math.pow(10, e) - 1) > 1e-6) return v < 1e6 ? String(+v.toPrecision(2)) : (+v.toPrecision(2)).toExponential().replace("e+", "e");
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// SameUnit marks the labels of axes that have a common unit, which options.js draws of one length.
func SameUnit(labels string) string {
	return "Object.assign(" + labels + ", { sameUnit: true })"
}

// Shortened labels an axis of names: of one that is wider, in pixels, the middle is left out.
// Where options.js knows of more room, it gives that.
func Shortened(width int) string {
	return fmt.Sprintf(`Object.assign(function (v, i, room) {
	room = typeof room === "number" ? room : %[1]d;
	var font = "12px " + (typeof getComputedStyle === "function" ? getComputedStyle(document.body).fontFamily : "sans-serif");
	var wide = function (s) { return echarts.format.getTextRect(s, font).width > room - 2; }, c = Array.from(String(v)), s = String(v), n;
	for (n = Math.min(c.length, room) - 1; n > 1 && wide(s); n--) {
		s = c.slice(0, Math.ceil(n / 2)).join("") + "…" + c.slice(c.length - Math.floor(n / 2)).join("");
	}
	return s;
}, { shortens: true })`, width) // ECharts cuts at the end what has less than a pixel to spare
}

// UpToOne labels an axis of scores, none of which is above 1.
const UpToOne = `function (v) { return v > 1 + 1e-9 ? "" : String(+v.toPrecision(7)); }`

// InUnits labels a linear axis of numbers in units of 10^exponent. Those who take the numbers
// of the chart find in value what they stand for.
func InUnits(exponent int) string {
	return fmt.Sprintf(`Object.assign(function (v) {
	var e = (+v.toPrecision(7)).toExponential().split("e");
	return v === 0 ? "0" : e[0] + "e" + (+e[1] + %[1]d);
}, { value: function (v) { return +(v * 1e%[1]d).toPrecision(15); } })`, exponent)
}

// TenToThe labels an axis of exponents of ten; value as in InUnits.
const TenToThe = `Object.assign(function (v) {
	if (Math.abs(v - Math.round(v)) > 1e-6) return "";
	var e = Math.round(v);
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}, { value: function (v) { return +Math.pow(10, v).toPrecision(12); } })`

// jsNumber formats a value with four digits.
const jsNumber = `function (x) { var a = Math.abs(x); return x == null ? "-" : a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(3).replace("e+", "e") : String(+x.toPrecision(4)); }`

// jsSeries is the encoded name of the series of p. Those without a name have one that
// ECharts made up, beginning with "series" and a NUL.
const jsSeries = `(/^series\0/.test(p.seriesName) ? "" : echarts.format.encodeHTML(p.seriesName))`

// TraceTooltip describes a point of Convergence: its start, by the series id, and
// its numbers.
func TraceTooltip(seconds bool, y Value) string {
	evaluations, secs := 0, 2
	if seconds {
		evaluations, secs = 2, 0
	}
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value, start = /-start-(\d+)$/.exec(p.seriesId), name = %s;
	return (start ? "<b>start " + (Number(start[1]) + 1) + "</b> · " + name + "<br>" : name ? "<b>" + name + "</b><br>" : "") +
		n(%s) + "<br>" + (v[%d] ? n(v[%d]) + " evaluations, " : "") + n(v[%d]) + " s" + (v[3] ? "<br>gradient norm " + n(v[3]) : "");
}`, jsNumber, jsSeries, y("v[1]"), evaluations, evaluations, secs)
}

// BarTooltip describes a bar by its category and value.
func BarTooltip(y Value) string {
	return `function (p) { return "component " + echarts.format.encodeHTML(p.name) + "<br>λ = " + Number(` + y("p.value") + `).toPrecision(6); }`
}

// SweepTooltip describes a point of Sweep.
func SweepTooltip(axis, name string, y Value) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value, name = %s;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name) + " " + v;
	return (name ? "<b>" + name + "</b><br>" : "") + "%s " + v[0] + "<br>%s " + n(%s);
}`, jsNumber, jsSeries, axis, name, y("v[1]"))
}

// PlaneTooltip describes a point of Recovery.
func PlaneTooltip(x, y Value) string {
	return fmt.Sprintf(`function (p) {
	var e = echarts.format.encodeHTML;
	return "<b>" + e(p.name || p.seriesName) + "</b>" + (p.name ? " · " + e(p.seriesName) : "") + "<br>" + (%s) + ", " + (%s);
}`, x("p.value[0]"), y("p.value[1]"))
}

// ScreeTooltip describes an eigenvalue of Scree.
func ScreeTooltip(y Value) string {
	return fmt.Sprintf(`function (p) {
	var v = p.value;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name);
	return "eigenvalue " + v[0] + "<br>" + Number(%s).toPrecision(5);
}`, y("v[1]"))
}

// HeatTooltip describes a cell of a heat map by its name.
func HeatTooltip(value string) string {
	return fmt.Sprintf(`function (p) { var n = %s; return echarts.format.encodeHTML(p.name) + "<br>%s " + n(p.value[2]); }`, jsNumber, value)
}

// IntervalTooltip describes an interval of a distribution, [from, observations, to].
const IntervalTooltip = `function (p) {
	var n = ` + jsNumber + `, v = p.value;
	return v[0] === v[2] ? "" : n(v[0]) + " to " + n(v[2]) + "<br>" + v[1] + (v[1] === 1 ? " observation" : " observations");
}`

// EntryTooltip describes a bar of Factors.
func EntryTooltip(x Value) string {
	return `function (p) { return echarts.format.encodeHTML(p.name) + "<br>" + Number(` + x("p.value") + `).toPrecision(5); }`
}

// TopicTooltip describes a topic of a map: its share, and its words, one on each line.
const TopicTooltip = `function (p) {
	var e = echarts.format.encodeHTML, v = p.value;
	return "<b>topic " + e(p.name) + "</b><br>share " + +(100 * v[2]).toPrecision(3) + "%" + String(v[3]).split("\n").map(function (w) { return "<br>" + e(w); }).join("");
}`

// SuccessTooltip describes a bar of InitSuccess, whose label is a time.
const SuccessTooltip = `function (p) {
	var name = ` + jsSeries + `, time = p.data.label && p.data.label.formatter;
	return (name ? "<b>" + name + "</b><br>" : "") + echarts.format.encodeHTML(p.name) + "<br>" + p.value + " successful" + (time ? "<br>" + echarts.format.encodeHTML(time) : "");
}`

// DotTooltip describes a mark of Dots: its series, its name, which in rows is that of the row
// if it has none, and its position.
func DotTooltip(x, y Value) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, e = echarts.format.encodeHTML, v = p.value;
	return "<b>" + e(p.seriesName) + "</b><br>" + (p.name && p.name !== v[2] ? e(p.name) + "<br>" : "") + (v.length > 2 ? e(v[2]) : n(%s)) + "<br>" + n(%s);
}`, jsNumber, y("v[1]"), x("v[0]"))
}

// CostTooltip describes a point of Cost.
func CostTooltip(unit string, y Value) string {
	return fmt.Sprintf(`function (p) {
	var n = %s, v = p.value;
	if (!Array.isArray(v)) return echarts.format.encodeHTML(p.name);
	return "<b>" + echarts.format.encodeHTML(p.seriesName) + "</b><br>n = " + v[0] + "<br>" + n(%s) + " %s";
}`, jsNumber, y("v[1]"), unit)
}
