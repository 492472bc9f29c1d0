// Draws the charts of a notebook in place of their pictures: with values under the pointer,
// zoom, and a legend that hides series. It runs in the notebook's own page, so it leaves no
// globals but one, and ECharts and the functions of the charts are local.
window.symmomLive = (function () {
  "use strict";
  var colors = /*COLORS*/null, figures = new Map(), charts = new Map(), queue = [], drawing = false;

  var style = ":host { all: initial; color-scheme: inherit; display: block; background: var(--card); color: var(--ink); font: 14.5px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif }" +
    ".figure { padding: 16px 20px } h3 { font-size: 17px; margin: 0 150px 10px 0; font-weight: 650 } p { margin: 8px 0 0; color: var(--muted) } small { display: block; margin-top: 2px; font-size: 13px; color: var(--muted) }" +
    ".panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 410px), 1fr)); gap: 12px 24px; container-type: inline-size } .chart { min-width: 0; width: 100% }";

  function add(parent, name, className, text) {
    var e = document.createElement(name);
    e.className = className || "";
    e.textContent = text || "";
    return parent.appendChild(e);
  }

  function unpack(base64) {
    var bytes = Uint8Array.from(atob(base64), function (c) { return c.charCodeAt(0); });
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  function isDark(el) {
    var scheme = getComputedStyle(el).colorScheme;
    return /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia("(prefers-color-scheme: dark)").matches);
  }

  // draw draws a chart, again if it is drawn in other colours.
  function draw(c) {
    var dark = isDark(c.host), look = dark + " " + devicePixelRatio;
    if (c.drawn && c.look === look) return;
    dispose(c);
    // ECharts keeps widths by text, in plain objects, and this page needs Object.prototype.__proto__
    var o = symmom.revive(JSON.parse(c.options.replace(/__proto__/g, "__proto\u200b__")), dark, c.functions), font = "system-ui, sans-serif";
    o.animation = false;
    // a rectangle zooms; the tool for it has no place of its own in most charts
    var own = ((o.toolbox || {}).feature || {}).dataZoom, flat = !!(o.xAxis && o.yAxis);
    if (flat && !own) o.toolbox = { left: -100, feature: { dataZoom: { filterMode: "none" } } };
    if (own) own.filterMode = "none";
    c.look = look;
    c.fit = symmom.fitting(o, font);
    c.drawn = echarts.init(c.el, symmom.theme(colors[dark ? 1 : 0], dark, font), { devicePixelRatio: Math.max(1, devicePixelRatio) });
    c.fit(c.drawn.getWidth(), c.drawn.getHeight());
    c.drawn.setOption(o);
    arrange(c);
    if (flat && !matchMedia("(pointer: coarse)").matches) { // a finger scrolls
      var select = { type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: true };
      c.drawn.dispatchAction(select);
      c.drawn.getZr().on("dblclick", function () {
        c.drawn.dispatchAction({ type: "restore" });
        arrange(c);
        c.drawn.dispatchAction(select);
      });
      c.el.title = "drag to zoom, double-click to see all";
    }
    c.el.dataset.drawn = "";
  }

  function dispose(c) {
    if (c.drawn) c.drawn.dispose();
    c.drawn = null;
    delete c.el.dataset.drawn;
  }

  // arrange fits a chart to its size.
  function arrange(c) {
    var w = c.drawn.getWidth(), h = c.drawn.getHeight(), more;
    c.drawn.setOption(c.fit(w, h));
    more = symmom.room(c.drawn);
    if (more > 0) c.drawn.setOption(c.fit(w, h, more));
  }

  // next draws what waits, one chart at a time, so that the page answers in between.
  function next() {
    if (drawing || !queue.length) return;
    drawing = true;
    setTimeout(function () {
      drawing = false;
      var c = queue.shift();
      if (c && c.el.isConnected) draw(c);
      next();
    });
  }

  function wait(c) {
    if (queue.indexOf(c) < 0) queue.push(c);
    next();
  }

  // Charts are drawn when they come near the view; until then, and on paper, their pictures
  // stand for them. Those of cells that ran again are freed.
  var near = new IntersectionObserver(function (entries) {
    entries.forEach(function (e) {
      var f = figures.get(e.target);
      if (e.isIntersecting && !f.host) enliven(f);
      else f.charts.forEach(e.isIntersecting ? wait : e.target.isConnected ? function () {} : dispose);
    });
  }, { rootMargin: "100% 0px" });

  var sized = new ResizeObserver(function (entries) {
    entries.forEach(function (e) {
      var c = charts.get(e.target), w = e.target.clientWidth, h = e.target.clientHeight;
      if (!c.drawn || !w || !h || c.drawn.getWidth() === w && c.drawn.getHeight() === h) return;
      c.drawn.resize();
      arrange(c);
    });
  });

  function recolor() {
    charts.forEach(function (c) {
      if (!c.drawn || !c.el.isConnected) return;
      paint(c.host);
      wait(c);
    });
  }

  function paint(host) {
    var all = colors[isDark(host) ? 1 : 0];
    Object.keys(all).forEach(function (name) { host.style.setProperty("--" + name, all[name]); });
  }

  // enliven puts charts in the place of a picture, which stays for those who save it.
  function enliven(f) {
    var img = f.img, host = f.host = document.createElement("div");
    unpack(img.dataset.live).then(function (o) {
      var functions = new Function("echarts", "symmom", "return " + o.Functions)(echarts, symmom);
      host.className = "symmom-live";
      img.parentNode.insertBefore(host, img);
      paint(host);
      var root = host.attachShadow({ mode: "open" });
      add(root, "style", "", style);
      var figure = add(root, "div", "figure");
      add(figure, "h3", "", o.Title);
      var panels = add(figure, "div", "panels");
      if (o.Caption) add(figure, "p", "", o.Caption);
      (o.Notes || []).forEach(function (n) { add(figure, "small", "", "Note: " + n); });
      img.style.display = "none";
      o.Panels.forEach(function (p) {
        var el = add(panels, "div", "chart");
        el.style.cssText = p.Style;
        el.setAttribute("role", "img");
        el.setAttribute("aria-label", p.Label);
        var c = { el: el, host: host, options: p.Options.replace(/\{"\$data":(\d+)\}/g, function (_, i) { return o.Data[i]; }), functions: functions };
        charts.set(el, c);
        f.charts.push(c);
        sized.observe(el);
        wait(c);
      });
    }).catch(function (err) {
      img.style.display = "block";
      host.remove();
      console.warn("symmom: the chart stays a picture:", err);
    });
  }

  function scan() {
    document.querySelectorAll("img.symmom-still[data-live]:not([data-alive])").forEach(function (img) {
      if (img.closest(".jupyter-widgets, .symmom-controls")) return; // replaced at every move of a control
      img.dataset.alive = "";
      figures.set(img.parentNode, { img: img, charts: [] });
      near.observe(img.parentNode);
    });
  }

  [document.documentElement, document.body].forEach(function (el) {
    new MutationObserver(recolor).observe(el, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind", "theme", "class"] });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);
  scan();
  return scan;
})();
