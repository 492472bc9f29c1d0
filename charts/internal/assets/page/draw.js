// Draws every chart of the page from its options, in the colours of the
// page's style sheet, and again when the reader's colour scheme changes.
(function () {
  "use strict";
  var dark = window.matchMedia("(prefers-color-scheme: dark)");

  window.symmomTheme = theme;
  function theme() {
    var css = getComputedStyle(document.documentElement), color = {};
    ["ink", "muted", "line", "faint", "card"].forEach(function (name) {
      color[name] = css.getPropertyValue("--" + name).trim();
    });
    // ECharts writes the name into attributes of SVG as it is
    return symmom.theme(color, dark.matches, getComputedStyle(document.body).fontFamily.replace(/"/g, "'"));
  }

  function draw() {
    var t = theme();
    document.querySelectorAll(".chart").forEach(function (el) {
      var old = echarts.getInstanceByDom(el);
      if (old) old.dispose();
      var options = JSON.parse(document.getElementById(el.id + "-options").textContent);
      // ECharts would take the points beyond an axis away, and with them the
      // lines that lead there; go-echarts has no word for this.
      var zoom = ((options.toolbox || {}).feature || {}).dataZoom;
      if (zoom) zoom.filterMode = "none";
      echarts.init(el, t).setOption(symmom.revive(options, dark.matches, window.symmomFunctions));
    });
  }

  window.symmomDraw = function () {
    draw();
    dark.addEventListener("change", draw);
    var resize = new ResizeObserver(function (entries) {
      entries.forEach(function (e) {
        var chart = echarts.getInstanceByDom(e.target);
        if (chart) chart.resize();
      });
    });
    document.querySelectorAll(".chart").forEach(function (el) { resize.observe(el); });
  };
  if (window.echarts) window.symmomDraw();
})();
