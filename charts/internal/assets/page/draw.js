// Draws the charts of the page from their options when they come near the view, in the
// colours of the page's style sheet, and again when the reader's colour scheme or zoom
// changes. For paper it draws copies of all of them.
(function () {
  "use strict";

  // ECharts keeps widths by text, in plain objects: the text "__proto__" would change all objects.
  delete Object.prototype.__proto__;

  var dark = window.matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement;
  var looks = new WeakMap(); // colours and sharpness in which charts are drawn
  var fits = new WeakMap(); // functions that fit their axes to their size

  function onPaper() { return root.classList.contains("paper"); }
  function inDark() { return dark.matches && !onPaper(); }
  function sharpness() { return Math.max(1, window.devicePixelRatio); } // ECharts takes that of its start
  function look() { return inDark() + " " + sharpness(); }
  function each(act) { document.querySelectorAll(".chart").forEach(act); }

  function family() { return getComputedStyle(document.body).fontFamily.replace(/"/g, "'"); }

  function theme() {
    var css = getComputedStyle(root), color = {};
    ["ink", "muted", "line", "faint", "card"].forEach(function (name) {
      color[name] = css.getPropertyValue("--" + name).trim();
    });
    // ECharts writes the name into attributes of SVG as it is
    return symmom.theme(color, inDark(), family());
  }

  function read(el) {
    var options = JSON.parse(document.getElementById(el.id + "-options").textContent);
    options.animation = false; // charts of other people have one, which readers would meet at every chart
    return symmom.revive(options, inDark(), window.symmomFunctions);
  }

  // makeRoom lowers the grid of a chart whose legend has wrapped.
  function makeRoom(el, chart) {
    var more = symmom.room(chart);
    if (more > 0) chart.setOption(fits.get(el)(chart.getWidth(), chart.getHeight(), more));
  }

  // symmomChart returns the chart of an element, which it draws unless it is drawn.
  window.symmomChart = function (el) {
    var chart = echarts.getInstanceByDom(el);
    if (chart && looks.get(el) === look()) return chart;
    var copy = el.querySelector(".paper"); // ECharts empties the element
    if (chart) chart.dispose();
    var options = read(el);
    // ECharts would take the points beyond an axis away, and with them the
    // lines that lead there; go-echarts has no word for this.
    var zoom = ((options.toolbox || {}).feature || {}).dataZoom;
    if (zoom) zoom.filterMode = "none";
    chart = echarts.init(el, theme(), { devicePixelRatio: sharpness() });
    fits.set(el, symmom.fitting(options, family()));
    fits.get(el)(chart.getWidth(), chart.getHeight());
    chart.setOption(options);
    makeRoom(el, chart);
    if (copy) el.appendChild(copy);
    looks.set(el, look());
    return chart;
  };

  // symmomCopy draws a chart a second time, with what its reader sees of it: the zoom, the
  // series and the range of colours. how is what echarts.init takes.
  window.symmomCopy = function (el, how) {
    var options = read(el), chart = echarts.getInstanceByDom(el);
    delete options.toolbox;
    if (chart) {
      var seen = chart.getOption();
      [["legend", "selected"], ["visualMap", "range"]].forEach(function (choice) {
        [].concat(options[choice[0]] || []).forEach(function (o, i) {
          var chosen = seen[choice[0]][i][choice[1]];
          if (chosen) o[choice[1]] = chosen;
        });
      });
      options.dataZoom = [];
      chart.getModel().eachComponent("dataZoom", function (z) { // those of the toolbox are no options
        options.dataZoom.push({ type: "inside", xAxisIndex: z.option.xAxisIndex, yAxisIndex: z.option.yAxisIndex, startValue: z.option.startValue, endValue: z.option.endValue, filterMode: "none" });
      });
    }
    var copy = echarts.init(how.ssr ? null : document.createElement("div"), theme(), Object.assign({ width: el.clientWidth, height: el.clientHeight }, how));
    // paper has no pages of a legend to turn
    if (onPaper()) [].concat(options.legend || []).forEach(function (l) { if (l.type === "scroll") l.type = "plain"; });
    var fit = symmom.fitting(options, family());
    fit(copy.getWidth(), copy.getHeight());
    copy.setOption(options);
    var more = symmom.room(copy);
    if (more > 0) {
      if (onPaper()) copy.resize({ height: el.clientHeight + more });
      copy.setOption(fit(copy.getWidth(), copy.getHeight(), more));
    }
    return copy;
  };

  // queues are the charts in view and those near it, which are drawn one at a time, so that
  // the page answers in between.
  var queues = [], drawing = false;

  function next() {
    if (drawing || !queues.some(function (q) { return q.size; })) return;
    drawing = true;
    setTimeout(function () {
      drawing = false;
      var q = queues[0].size ? queues[0] : queues[1], el = q.values().next().value;
      if (!el) return; // it has left in the meantime
      queues.forEach(function (q) { q.delete(el); q.observer.unobserve(el); });
      next();
      window.symmomChart(el);
    });
  }

  function queue(margin) {
    var q = new Set();
    q.observer = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) { if (e.isIntersecting) q.add(e.target); else q.delete(e.target); });
      next();
    }, { rootMargin: margin });
    return q;
  }

  // expect has a chart drawn when it comes near.
  function expect(el) {
    if (!queues.length) window.symmomChart(el);
    queues.forEach(function (q) { q.observer.unobserve(el); q.observer.observe(el); });
    var box = el.getBoundingClientRect();
    if (queues.length && box.bottom > 0 && box.top < window.innerHeight) { // observers wait for the next frame
      queues[0].add(el);
      next();
    }
  }

  // again draws anew what is drawn.
  function again() {
    each(function (el) { if (echarts.getInstanceByDom(el)) expect(el); });
  }

  function watchZoom() {
    window.matchMedia("(resolution: " + window.devicePixelRatio + "dppx)").addEventListener("change", function () {
      again();
      watchZoom();
    }, { once: true });
  }

  function leavePaper() {
    document.querySelectorAll(".chart > .paper").forEach(function (copy) {
      copy.parentNode.classList.remove("copied");
      copy.remove();
    });
  }

  // print puts a copy into each chart, as wide as style.css has it on paper, in light colours.
  function print() {
    leavePaper();
    var copies = [];
    root.classList.add("paper");
    try {
      each(function (el) {
        var copy = window.symmomCopy(el, { devicePixelRatio: 2 });
        copies.push([el, copy.renderToCanvas({ pixelRatio: 2 })]);
        copy.dispose();
      });
    } finally {
      root.classList.remove("paper");
    }
    copies.forEach(function (c) {
      c[1].removeAttribute("style");
      c[1].className = "paper";
      c[0].classList.add("copied");
      c[0].appendChild(c[1]);
    });
  }

  window.symmomDraw = function () {
    // A frame in a notebook knows nothing of what is near it outside.
    if (window.IntersectionObserver && !document.body.classList.contains("framed")) queues = [queue("0px"), queue("100% 0px")];
    each(expect);
    dark.addEventListener("change", again);
    watchZoom();
    window.addEventListener("beforeprint", print);
    window.addEventListener("afterprint", leavePaper);
    var resize = new ResizeObserver(function (entries) {
      entries.forEach(function (e) {
        var el = e.target, chart = echarts.getInstanceByDom(el);
        if (chart && (chart.getWidth() !== el.clientWidth || chart.getHeight() !== el.clientHeight)) {
          chart.resize();
          chart.setOption(fits.get(el)(chart.getWidth(), chart.getHeight()));
          makeRoom(el, chart);
        }
      });
    });
    each(function (el) { resize.observe(el); });
  };
  if (window.echarts) window.symmomDraw();
})();
