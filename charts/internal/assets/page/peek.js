// Tells the values of pictures of charts, those of the mark nearest to the
// pointer, and has buttons that save a picture and copy it.
(function () {
  "use strict";
  var reach = 24; // pixels of the screen

  var style = ":host { all: initial; color-scheme: inherit }" +
    ".tip, .bar button { font: 12.5px/1.4 system-ui, sans-serif; background: Canvas; color: CanvasText; border: 1px solid GrayText; border-radius: 4px }" +
    ".tip { position: absolute; z-index: 10; width: max-content; max-width: 320px; padding: .35rem .55rem; white-space: pre-line; overflow-wrap: anywhere; pointer-events: none }" +
    ".ring { position: absolute; width: 12px; height: 12px; margin: -6px 0 0 -6px; box-sizing: border-box; border: 1.5px solid CanvasText; border-radius: 50%; pointer-events: none }" +
    ".bar { position: absolute; right: 8px; top: 6px; opacity: .8 } .bar:hover, .bar:focus-within { opacity: 1 }" +
    ".bar button { margin-left: 4px; padding: 1px 8px; cursor: pointer } [hidden] { display: none } @media print { .bar { display: none } }";

  function add(parent, name, className, text) {
    var e = document.createElement(name);
    e.className = className;
    e.textContent = text || "";
    return parent.appendChild(e);
  }

  function bytes(base64) {
    return Uint8Array.from(atob(base64), function (c) { return c.charCodeAt(0); });
  }

  function unpack(base64) {
    return new Response(new Blob([bytes(base64)]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  // shown is the SVG with the colours in which it is seen.
  function shown(img) {
    var scheme = getComputedStyle(img).colorScheme;
    var dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia("(prefers-color-scheme: dark)").matches);
    return new TextDecoder().decode(bytes(img.src.split(",")[1])).replace("(prefers-color-scheme:dark)", dark ? "all" : "not all");
  }

  function equip(img) {
    var host = document.createElement("div");
    host.style.cssText = "position:absolute;left:0;right:0;height:0;top:" + img.offsetTop + "px";
    img.parentNode.insertBefore(host, img);
    var root = host.attachShadow({ mode: "open" });
    add(root, "style", "", style);
    var bar = add(root, "div", "bar"), ring = add(root, "div", "ring"), tip = add(root, "div", "tip");
    tip.setAttribute("role", "status");
    tip.hidden = ring.hidden = true;

    symmomKeep.buttons(bar, img.dataset.title, function () {
      return { svg: shown(img), width: img.getAttribute("width"), height: img.getAttribute("height") };
    });

    function hide() { tip.hidden = ring.hidden = true; }

    function show(all, event) {
      var box = img.getBoundingClientRect(), at = host.getBoundingClientRect();
      var zoom = box.width / img.getAttribute("width"), x = (event.clientX - box.left) / zoom, y = (event.clientY - box.top) / zoom;
      var best = null, least = reach / zoom;
      all.forEach(function (m) {
        var d = Math.hypot(Math.max(m[0] - x, 0, x - m[0] - m[2]), Math.max(m[1] - y, 0, y - m[1] - m[3]));
        // of marks on top of each other the last is seen
        if (d <= least) { best = m; least = d; }
      });
      if (!best || best[4] === "") return hide();
      var left = box.left - at.left + (best[0] + best[2] / 2) * zoom, top = box.top - at.top + (best[1] + best[3] / 2) * zoom;
      tip.textContent = best[4];
      tip.hidden = ring.hidden = false;
      ring.style.left = left + "px";
      ring.style.top = top + "px";
      tip.style.left = Math.max(0, Math.min(left + 14, box.width - tip.offsetWidth - 8)) + "px";
      var above = top - tip.offsetHeight - 12;
      tip.style.top = (above < 0 ? top + 16 : above) + "px";
    }

    unpack(img.dataset.marks).then(function (parts) {
      var all = [];
      (parts || []).forEach(function (p) {
        p.Told.marks.forEach(function (m) { all.push([m[0] + p.X, m[1] + p.Y, m[2], m[3], m[4]]); });
      });
      ["pointermove", "pointerdown"].forEach(function (name) {
        img.addEventListener(name, function (event) { show(all, event); });
      });
      img.addEventListener("pointerleave", hide);
      img.dataset.told = all.length;
    });
  }

  document.querySelectorAll("img.symmom-still:not([data-equipped])").forEach(function (img) {
    img.dataset.equipped = "";
    equip(img);
  });
})();
