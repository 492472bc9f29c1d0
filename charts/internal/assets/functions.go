package assets

// JavaScript functions that write numbers. go-echarts removes line breaks from a
// function, so statements end with semicolons.

// ShortNumber labels a linear axis, with an exponent if a plain number would be
// long.
const ShortNumber = `function (v) { var a = Math.abs(v); return v !== 0 && (a >= 1e6 || a < 1e-4) ? v.toExponential().replace("e+", "e") : String(+v.toPrecision(7)); }`

// PowerOfTen labels a logarithmic axis.
const PowerOfTen = `function (v) {
	var e = Math.round(Math.log10(v));
	if (Math.abs(v / Math.pow(10, e) - 1) > 1e-6) return String(+v.toPrecision(2));
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// UpToOne labels an axis of scores, none of which is above 1.
const UpToOne = `function (v) { return v > 1 + 1e-9 ? "" : String(+v.toPrecision(7)); }`

// TenToThe labels an axis of exponents of ten.
const TenToThe = `function (v) {
	if (Math.abs(v - Math.round(v)) > 1e-6) return "";
	var e = Math.round(v);
	if (e >= -3 && e <= 3) return String(+Math.pow(10, e).toPrecision(1));
	return "10" + String(e).replace(/./g, function (c) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻"; });
}`

// Number formats a value with four digits.
const Number = `function (x) { var a = Math.abs(x); return x == null ? "-" : a !== 0 && (a < 1e-3 || a >= 1e5) ? x.toExponential(3).replace("e+", "e") : String(+x.toPrecision(4)); }`
