// The curve of the search: the relative error of each start against its evaluations, as it
// grows, or f while ‖X‖² is not known.
var symmomCurve = (function () {
  "use strict";
  var most = 100; // lines that are drawn
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var element, note, chart, lines = [], dirty = {}, best = -1, drawn = {};
  var size = 0, exponent = 0; // the largest |f|; ECharts rounds ticks to ten decimals, so f is drawn in units of 10^exponent
  var norm = null, digits = 3; // ‖X‖², with which the logarithm of the relative error is drawn; digits of its labels

  function look() {
    var css = getComputedStyle(document.documentElement), color = {};
    ["ink", "muted", "line", "faint", "card", "accent", "negative"].forEach(function (name) {
      color[name] = css.getPropertyValue("--" + name).trim();
    });
    return color;
  }

  function number(v, digits) {
    var size = Math.abs(v);
    if (v === 0 || size < 1e5 && size >= 1e-3) return String(+v.toPrecision(digits || 5));
    return digits ? v.toExponential(digits - 1).replace(/\.?0+e/, "e") : v.toExponential(2);
  }

  function value(v) { return norm ? Math.pow(10, v) : v * Math.pow(10, exponent); }

  // relative is the relative error of f: rounding hides what is below 1e-16, and an estimate
  // of f can be below its least value.
  function relative(f) {
    var e = 1 + f / norm;
    return e < -1e-9 ? null : Math.max(e, 1e-16);
  }

  // height is where f is drawn.
  function height(f) {
    if (!norm) return f / Math.pow(10, exponent);
    var e = relative(f);
    return e === null ? null : Math.log10(e);
  }

  function what() { return norm ? "relative error" : "f − ‖X‖²"; }

  // label has the digits in which labels differ.
  function label(v) {
    if (norm) return number(value(v), digits);
    v = +value(v).toPrecision(6);
    var text = String(v), short = v.toExponential().replace("e+", "e");
    return Math.abs(v) >= 1e6 || text.length > 7 && short.length < text.length ? short : text;
  }

  function count(v) { return v.toLocaleString("en"); }

  function start() {
    if (chart) chart.dispose();
    var color = look();
    chart = echarts.init(element, symmom.theme(color, dark.matches, getComputedStyle(document.body).fontFamily));
    chart.setOption({
      animation: false,
      grid: grid(),
      legend: { top: 0, left: 0 },
      tooltip: { trigger: "item", formatter: function (p) { return p.seriesName + "<br>" + p.value[0] + " evaluations<br>" + what() + " " + number(value(p.value[1])); } },
      xAxis: across(1),
      yAxis: { type: "value", name: norm ? "relative error, logarithmic" : what(), nameGap: 12, nameTextStyle: { align: "left" }, scale: true, axisLabel: { formatter: label } }
    });
    drawn = {};
    lines.forEach(function (_, i) { dirty[i] = true; });
    draw();
  }

  // grid leaves room for the legend, which has several lines where the page is narrow.
  function grid() {
    var width = element.clientWidth;
    return { left: 12, right: 30, top: width < 330 ? 116 : width < 480 ? 92 : 66, bottom: 46, containLabel: true };
  }

  // across is the axis of the evaluations, logarithmic for a long search; all of it, since
  // ECharts forgets the rest when the type changes.
  function across(far) {
    return { type: far >= 30 ? "log" : "value", max: far >= 30 ? "dataMax" : null,
      name: "evaluations", nameLocation: "middle", nameGap: 30, axisLabel: { formatter: count, hideOverlap: true } };
  }

  // name is the legend's entry of a line: its group.
  function name(i) {
    if (lines[i].polish) return "polish on all of the data";
    return i === best ? "best start so far" : "other starts";
  }

  function draw() {
    if (!chart) return;
    var color = look(), series = [], far = 1, above = false, low = Infinity, high = -Infinity, was = best;
    best = -1;
    lines.forEach(function (l, i) {
      var end = l.points[l.points.length - 1];
      if (!end) return;
      far = Math.max(far, end[0]);
      above = above || l.points[0][1] > 0;
      high = Math.max(high, l.points[0][1]);
      if (!l.polish && end[1] < low) { low = end[1]; best = i; }
    });
    var fitting = size > 0 && (size < 1e-6 || size > 1e30) ? Math.floor(Math.log10(size)) : 0;
    if (fitting !== exponent) {
      exponent = fitting;
      lines.forEach(function (_, i) { dirty[i] = true; });
    }
    if (norm && high > low) digits = Math.min(9, Math.max(1, Math.ceil(2 - Math.log10(height(high) - height(low)))));
    if (was !== best) dirty[was] = dirty[best] = true;
    Object.keys(dirty).forEach(function (key) {
      var i = +key, l = lines[i];
      if (!l || !l.points.length || i >= most && i !== best && !l.polish && !drawn[i]) return;
      drawn[i] = true;
      var paint = l.polish ? color.negative : i === best ? color.accent : color.muted;
      series.push({
        id: "line-" + i, name: name(i), type: "line", data: l.points.map(function (p) { return [p[0], height(p[1])]; }), z: l.polish || i === best ? 3 : 2,
        symbol: "circle", symbolSize: l.points.length < 40 ? 4 : 7, showSymbol: l.points.length < 40,
        lineStyle: { width: l.polish || i === best ? 3 : 1.4, color: paint, opacity: l.polish || i === best ? 1 : .7 },
        itemStyle: { color: paint }
      });
    });
    dirty = {};
    chart.setOption({
      xAxis: across(far),
      yAxis: { max: !norm && above && low < 0 ? 0 : null },
      series: series
    });
    tell();
  }

  // tell says below the curve that not all starts are drawn; one that began anew in another
  // form has several lines.
  function tell() {
    var begun = {}, seen = {};
    lines.forEach(function (l, i) {
      if (l.polish || !l.points.length) return;
      begun[l.start] = true;
      if (drawn[i]) seen[l.start] = true;
    });
    var all = Object.keys(begun).length, some = Object.keys(seen).length;
    note.textContent = some < all ? " " + count(some) + " of " + count(all) + " starts are drawn, the best among them; the table below has all." : "";
  }

  return {
    begin: function (el, below) {
      element = el;
      note = below;
      start();
      dark.addEventListener("change", start);
      new ResizeObserver(function () { chart.setOption({ grid: grid() }); chart.resize(); }).observe(el);
    },
    clear: function () {
      lines = []; dirty = {}; best = -1; size = 0; norm = null;
      start();
    },
    // add takes the lines of the state, whose points are [line, evaluations, f].
    add: function (all, points) {
      all.forEach(function (l, i) { if (!lines[i]) lines[i] = { start: l.start, polish: l.polish, points: [] }; });
      points.forEach(function (p) {
        var l = lines[p[0]];
        if (!l) return;
        l.points.push([p[1], p[2]]);
        size = Math.max(size, Math.abs(p[2]));
        dirty[p[0]] = true;
      });
      draw();
    },
    // know takes ‖X‖² once it is known, and draws relative errors from then on.
    know: function (squared) {
      if (!(squared > 0) || squared === norm) return;
      norm = squared;
      start();
    },
    // says is f in terms of what is drawn.
    says: function (f) {
      var shown = norm ? relative(f) : f;
      return shown === null ? "–" : number(shown);
    },
    what: what
  };
})();
