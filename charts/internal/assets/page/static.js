// Draws one chart as SVG text, without a browser: for papers, previews and
// notebooks. c holds options (JSON text), functions, colors, dark, font, width,
// height and id, and how many marks to tell of. The result has the height too,
// which a legend of several rows adds to, and the marks as JSON: each with its
// box and the text that the pointer brings up.
function symmomStatic(c) {
  "use strict";
  // ECharts keeps widths by text, in plain objects: the text "__proto__" would change all objects.
  delete Object.prototype.__proto__;

  function each(v, f) { (Array.isArray(v) ? v : v ? [v] : []).forEach(f); }

  // alike says that a scatter series has many points of one look. ECharts then
  // makes one path of them, a hundred times as fast.
  function alike(s) {
    return s.type === "scatter" && Array.isArray(s.data) && s.data.length > 20 && !s.label && s.symbolSize > 0 &&
      (!s.symbol || s.symbol === "circle" || s.symbol === "rect") && !(s.itemStyle && s.itemStyle.borderColor) && (s.data.__ec_primitive__ || s.data.every(function (d) { return !d.itemStyle && !d.symbol && !d.symbolSize && !d.label; }));
  }

  var tooltip = {};

  // plainValues are those of data whose items have nothing else: ECharts then
  // looks for no options of each item. The mark keeps it from copying them.
  function plainValues(data) {
    var values = [];
    for (var i = 0; i < data.length; i++) {
      var d = data[i];
      if (d === null || typeof d !== "object" || Array.isArray(d) || !("value" in d)) return data;
      for (var k in d) if (k !== "value") return data;
      values.push(d.value);
    }
    values.__ec_primitive__ = true;
    return values;
  }

  // read makes the options; the values need no reviving.
  function read() {
    var o = JSON.parse(c.options), values = [];
    each(o.series, function (s) {
      var v = Array.isArray(s.data) && plainValues(s.data);
      if (v && v !== s.data) {
        values.push([s, v]);
        s.data = null;
      }
    });
    o = symmom.revive(o, c.dark, c.functions);
    values.forEach(function (v) { v[0].data = v[1]; });
    return o;
  }

  function draw(extra) {
    var o = read();
    o.animation = false;
    if (o.useUTC === undefined) o.useUTC = true; // the same on every machine
    each(o.tooltip, function (t) { tooltip = t; });
    delete o.toolbox;
    // marks that are only seen under the pointer take most of the time
    each(o.series, function (s) {
      if (s.type === "line" && s.itemStyle && s.itemStyle.opacity === 0) s.showSymbol = false;
      if (alike(s)) { s.large = true; s.largeThreshold = 0; }
    });
    // a picture has no pages to turn
    each(o.legend, function (l) { if (l.type === "scroll") l.type = "plain"; });
    symmom.fitting(o, c.font)(c.width, c.height + extra, extra);
    var chart = echarts.init(null, symmom.theme(c.colors, c.dark, c.font), {
      renderer: "svg", ssr: true, width: c.width, height: c.height + extra, locale: "EN"
    });
    chart.setOption(o);
    return chart;
  }

  // dots writes such a path as the places of its points, in tenths of a pixel:
  // "dots width x y x y ..." for circles and "squares width x y x y ...".
  function dots(el) {
    var shape = el.shape, clip = el.softClipShape;
    if (!el.symbolProxy || !shape || !shape.points || !shape.size) return;
    var text = [el.symbolProxy.shape.symbolType === "rect" ? "squares" : "dots", shape.size[0]], p = shape.points;
    for (var i = 0; i + 1 < p.length; i += 2) {
      var x = p[i], y = p[i + 1];
      if (isNaN(x) || isNaN(y) || clip && !clip.contain(x, y)) continue;
      text.push(Math.round(10 * x), Math.round(10 * y));
    }
    if (!el.path) el.createPathProxy();
    el.path.beginPath();
    el.pathUpdated();
    text = text.join(" ");
    el.__svgPathBuilder = { getStr: function () { return text; } };
    el.__svgPathVersion = el.path.getVersion();
    el.__svgPathStrokePercent = el.style.strokePercent;
  }

  function plain(html) {
    var entity = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&", nbsp: " " };
    return String(html).replace(/<br\s*\/?>/gi, "\n").replace(/<[^>]*>/g, "")
      .replace(/&(lt|gt|quot|#39|amp|nbsp);/g, function (_, name) { return entity[name]; });
  }

  // about is what a tooltip says of the k-th item of a series.
  function about(series, k) {
    var p = series.getDataParams(k); // without a browser ECharts has no tooltip of its own
    var formatter = series.get(["tooltip", "formatter"]) || tooltip.formatter;
    p.marker = "";
    if (typeof formatter === "function") {
      var html = formatter(tooltip.trigger === "axis" ? [p] : p, "", function () {});
      return html == null ? "" : plain(html);
    }
    if (typeof formatter === "string") {
      return plain(formatter.replace(/\{([abcd])\}/g, function (_, c) {
        return { a: p.seriesName, b: p.name, c: p.value, d: p.percent }[c];
      }));
    }
    var own = /^series\0/.test(p.seriesName) ? "" : p.seriesName;
    return [own, p.name, Array.isArray(p.value) ? p.value.join(", ") : p.value].filter(function (s) {
      return s !== "" && s != null;
    }).join("\n");
  }

  // marks are [x, y, width, height, text] of the items that have a place: all
  // of a short series, and every so many of the others.
  function marks(chart, most) {
    var brief = 50, all = [], total = 0, many = 0, model = chart.getModel(), round = function (x) { return Math.round(x * 10) / 10; };
    model.eachSeries(function (s) {
      var n = s.getData().count();
      total += n;
      if (n > brief) many += n;
    });
    var step = Math.max(1, Math.ceil(many / Math.max(1, most - (total - many)))), at = 0;
    if (total - many >= most) step = Math.ceil(total / most);
    model.eachSeries(function (s) {
      var data = s.getData(), points = data.getLayout("points"), n = data.count();
      for (var k = 0; k < n; k++) {
        if ((n > brief || total - many >= most) && at++ % step) continue;
        var el = data.getItemGraphicEl(k), layout = data.getItemLayout(k), box = null;
        if (s.subType !== "line" && el && el.getBoundingRect) {
          box = el.getBoundingRect().clone();
          var m = el.getComputedTransform();
          if (m) box.applyTransform(m);
        } else if (points) {
          box = { x: points[2 * k], y: points[2 * k + 1], width: 0, height: 0 };
        } else if (Array.isArray(layout)) {
          box = { x: layout[0], y: layout[1], width: 0, height: 0 };
        }
        if (!box || !isFinite(box.x) || !isFinite(box.y)) continue;
        all.push([round(box.x), round(box.y), round(box.width), round(box.height), about(s, k)]);
      }
    });
    return { shown: all.length, of: total, marks: all };
  }

  var chart = draw(0), extra = 0;
  try {
    extra = symmom.room(chart);
    if (extra > 0) {
      chart.dispose();
      chart = draw(extra);
    }
    chart.getZr().painter._id = c.id; // instead of a number that counts up
    chart.getZr().storage.getDisplayList(true).forEach(dots);
    return {
      svg: chart.renderToSVGString(), height: c.height + Math.max(0, extra),
      marks: c.marks > 0 ? JSON.stringify(marks(chart, c.marks)) : ""
    };
  } finally {
    chart.dispose();
  }
}
