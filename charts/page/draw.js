// Draws every chart of the page from its options, in the colours of the
// page's style sheet, and again when the reader's colour scheme changes.
(function () {
  "use strict";
  var dark = window.matchMedia("(prefers-color-scheme: dark)");

  // The palette on a dark page.
  var lighter = {
    "#0072b2": "#5bbcf2", "#d55e00": "#f58549", "#009e73": "#2fc59a", "#cc79a7": "#e5a0c6",
    "#e69f00": "#f2bc4a", "#56b4e9": "#3b8bbd", "#7d8790": "#98a3ad"
  };

  // revive makes a chart's options of the page's JSON: an option
  // {"$function": i} stands for the i-th function of the page, and colours
  // of the palette are fitted to the reader's scheme.
  function revive(v, isColor) {
    if (typeof v === "string") return isColor && dark.matches && lighter[v] || v;
    if (v === null || typeof v !== "object") return v;
    if (typeof v.$function === "number") return window.symmomFunctions[v.$function];
    Object.keys(v).forEach(function (k) {
      v[k] = revive(v[k], Array.isArray(v) ? isColor : /color$/i.test(k));
    });
    return v;
  }

  function theme() {
    var css = getComputedStyle(document.documentElement);
    function color(name) { return css.getPropertyValue("--" + name).trim(); }
    var ink = color("ink"), muted = color("muted"), line = color("line"), faint = color("faint"), card = color("card");
    var axis = {
      axisLine: { show: true, lineStyle: { color: line } },
      axisTick: { show: false },
      axisLabel: { color: muted, fontSize: 12 },
      nameTextStyle: { color: muted, fontSize: 12.5 },
      splitLine: { lineStyle: { color: faint } }
    };
    var bare = Object.assign({}, axis, { splitLine: { show: false } });
    return {
      backgroundColor: "transparent",
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink },
      title: { textStyle: { color: ink }, subtextStyle: { color: muted } },
      legend: {
        textStyle: { color: ink, fontSize: 12.5 }, inactiveColor: line, pageTextStyle: { color: muted },
        pageIconColor: ink, pageIconInactiveColor: line, itemGap: 18
      },
      tooltip: {
        confine: true, backgroundColor: card, borderColor: line,
        textStyle: { color: ink, fontSize: 12.5 }, extraCssText: "box-shadow:0 2px 8px rgba(0,0,0,.18)"
      },
      toolbox: { iconStyle: { borderColor: muted } },
      visualMap: { textStyle: { color: muted } },
      valueAxis: axis, logAxis: axis, timeAxis: axis, categoryAxis: bare,
      bar: { label: { color: ink } }
    };
  }

  function draw() {
    var t = theme();
    document.querySelectorAll(".chart").forEach(function (el) {
      var old = echarts.getInstanceByDom(el);
      if (old) old.dispose();
      var options = revive(JSON.parse(document.getElementById(el.id + "-options").textContent));
      echarts.init(el, t).setOption(options);
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
