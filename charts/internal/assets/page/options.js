// Makes what ECharts takes of the JSON and the colours of a page. Pages and
// static pictures share it, so that they look alike.
var symmom = (function () {
  "use strict";

  // itsName is "{b}" as the label of a mark, in which ECharts would go on to replace what a name
  // has between braces or after a dollar.
  function itsName(p) { return p.name; }

  // The palette on a dark page.
  var lighter = {
    "#0072b2": "#5bbcf2", "#d55e00": "#f58549", "#009e73": "#2fc59a", "#a887bf": "#ae85b1",
    "#964900": "#d9dd77", "#5b84fd": "#9489ff", "#3936b6": "#4970f2", "#700d73": "#b84dbc",
    "#59360e": "#dc4200", "#625669": "#767e68",
    "#7d8790": "#98a3ad", "#1f262d": "#e7eaed", "#ffffff": "#1b1f24", "#eef1f3": "#2b3138"
  };

  // revive makes a chart's options of JSON: an option {"$function": i}
  // stands for the i-th of the functions, and colours of the palette are
  // fitted to a dark page.
  function revive(v, dark, functions, isColor) {
    if (typeof v === "string") return isColor && dark && lighter[v] || v;
    if (v === null || typeof v !== "object") return v;
    if (typeof v.$function === "number") return functions[v.$function];
    Object.keys(v).forEach(function (k) {
      v[k] = revive(v[k], dark, functions, Array.isArray(v) ? isColor : /color$/i.test(k));
      if (k === "label" && v[k] && v[k].formatter === "{b}") v[k].formatter = itsName;
    });
    return v;
  }

  // theme is the ECharts theme in the colours of the style sheet.
  function theme(color, dark, fontFamily) {
    var axis = {
      axisLine: { show: true, lineStyle: { color: color.line } },
      axisTick: { show: false },
      axisLabel: { color: color.muted, fontSize: 12 },
      nameTextStyle: { color: color.muted, fontSize: 12.5 },
      splitLine: { lineStyle: { color: color.faint } }
    };
    var bare = Object.assign({}, axis, { splitLine: { show: false, lineStyle: { color: color.faint } } });
    return {
      darkMode: dark,
      backgroundColor: "transparent",
      textStyle: { fontFamily: fontFamily, color: color.ink },
      title: { textStyle: { color: color.ink }, subtextStyle: { color: color.muted } },
      legend: {
        textStyle: { color: color.ink, fontSize: 12.5 }, inactiveColor: color.line, pageTextStyle: { color: color.muted },
        pageIconColor: color.ink, pageIconInactiveColor: color.line, itemGap: 18
      },
      tooltip: {
        confine: true, backgroundColor: color.card, borderColor: color.line,
        textStyle: { color: color.ink, fontSize: 12.5 }, extraCssText: "box-shadow:0 2px 8px rgba(0,0,0,.18)"
      },
      toolbox: { iconStyle: { borderColor: color.muted } },
      visualMap: { textStyle: { color: color.muted } },
      valueAxis: axis, logAxis: axis, timeAxis: axis, categoryAxis: bare,
      bar: { label: { color: color.ink } }
    };
  }

  // room is what a legend above the grid needs beyond its first row.
  function room(chart) {
    var need = 0, model = chart.getModel();
    model.eachComponent("legend", function (l) {
      var grid = model.getComponent("grid", 0), top = grid && parseFloat(grid.get("top"));
      if (l.get("orient") !== "horizontal" || l.get("show") === false || !(parseFloat(l.get("top")) >= 0) || !(top > 0)) return;
      if (/%$/.test(String(grid.get("top"))) || /%$/.test(String(l.get("top")))) return;
      var rect = chart.getViewOfComponentModel(l).group.getBoundingRect();
      need = Math.max(need, Math.ceil(parseFloat(l.get("top")) + rect.height + 16 - top));
    });
    return need;
  }

  // fitting returns a function that fits the axes of a chart, whose options it changes, to the
  // width and height of the chart in pixels, with more room above the grid, and returns them.
  // Names beside the grid get the room that they need, up to two fifths of the width; those below
  // it are not rotated where they have room; numbers in cells are shown where all of them have room. Axes with a common unit, those whose labels say
  // so, are extended until the unit has the same length on both.
  function fitting(o, font) {
    function first(v) { return [].concat(v || [])[0] || {}; }
    var grid = first(o.grid), x = first(o.xAxis), y = first(o.yAxis), xl = x.axisLabel || {}, yl = y.axisLabel || {};
    var across = x.type === "category" && (xl.formatter || {}).shortens, down = y.type === "category" && (yl.formatter || {}).shortens;
    var same = (xl.formatter || {}).sameUnit && (yl.formatter || {}).sameUnit, ends = [x.min, x.max, y.min, y.max], top = grid.top;
    var longest = 0, shortenX = xl.formatter, shortenY = yl.formatter;
    var cells = [].concat(o.series || []).filter(function (s) { return s.type === "heatmap" && s.label && s.label.show; }), number = 0;
    function wide(text) { return echarts.format.getTextRect(String(text), "12px " + font).width; }
    cells.forEach(function (s) { s.data.forEach(function (d) { number = Math.max(number, wide(d.value[3])); }); });
    if (down) (y.data || []).forEach(function (name) { longest = Math.max(longest, wide(name)); });
    var rotation = xl.rotate, bottom = parseFloat(grid.bottom), gap = x.nameGap, widest = 0, rotatedRoom = 50; // as in scorematrix.go
    if (across && rotation) (x.data || []).forEach(function (name) { widest = Math.max(widest, wide(name)); });

    function shorten(label, how, width) {
      label.width = width;
      label.formatter = function (v, i) { return how(v, i, width); };
    }

    function extend(axis, lo, hi, span) {
      axis.min = (lo + hi - span) / 2;
      axis.max = (lo + hi + span) / 2;
    }

    return function (width, height, more) {
      var edge = 18;
      grid.top = more > 0 ? parseFloat(top) + more + "px" : top;
      if (down) {
        var room = Math.ceil(Math.max(40, Math.min(longest + 4, Math.max(118, .4 * width))));
        shorten(yl, shortenY, room);
        grid.left = room + edge + "px";
      }
      var w = width - parseFloat(grid.left) - parseFloat(grid.right), band = w / Math.max(1, (x.data || []).length) - 8;
      if (across && rotation) {
        xl.rotate = band < widest ? rotation : 0;
        grid.bottom = bottom - (xl.rotate ? 0 : rotatedRoom) + "px";
        x.nameGap = gap - (xl.rotate ? 0 : rotatedRoom);
      }
      var h = height - parseFloat(grid.top) - parseFloat(grid.bottom);
      if (across && !xl.rotate) {
        shorten(xl, shortenX, band < 48 ? 110 : band);
        if (band >= 48) xl.interval = 0; // there is room for all
      }
      cells.forEach(function (s) { s.label.show = band + 8 >= number; });
      if (same && w > 0 && h > 0) {
        var unit = Math.max((ends[1] - ends[0]) / w, (ends[3] - ends[2]) / h);
        extend(x, ends[0], ends[1], unit * w);
        extend(y, ends[2], ends[3], unit * h);
      }
      var out = { grid: o.grid, xAxis: o.xAxis, yAxis: o.yAxis };
      if (cells.length) out.series = cells.map(function (s) { return { id: s.id, label: { show: s.label.show } }; });
      return out;
    };
  }

  return { revive: revive, theme: theme, room: room, fitting: fitting };
})();
