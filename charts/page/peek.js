// Tells the values of a chart that is drawn already: the text of the mark
// nearest to the pointer.
(function () {
  "use strict";
  var reach = 24; // pixels

  var tip = document.createElement("div"), ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.appendChild(tip);
  ring.setAttribute("class", "ring");
  ring.setAttribute("r", 6);

  function hide() {
    tip.hidden = true;
    ring.remove();
  }

  // distance from a point to a mark's box.
  function distance(m, x, y) {
    return Math.hypot(Math.max(m[0] - x, 0, x - m[0] - m[2]), Math.max(m[1] - y, 0, y - m[1] - m[3]));
  }

  function show(svg, marks, event) {
    var toScreen = svg.getScreenCTM(), p = new DOMPoint(event.clientX, event.clientY).matrixTransform(toScreen.inverse());
    var best = null, least = reach / toScreen.a;
    marks.forEach(function (m) {
      var d = distance(m, p.x, p.y);
      // of marks on top of each other the last is seen
      if (d <= least) { best = m; least = d; }
    });
    if (!best) return hide();
    var middle = new DOMPoint(best[0] + best[2] / 2, best[1] + best[3] / 2), at = middle.matrixTransform(toScreen);
    tip.textContent = best[4];
    tip.hidden = best[4] === "";
    var room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(at.x + 14, room)) + window.scrollX + "px";
    var above = at.y - tip.offsetHeight - 12;
    tip.style.top = (above < 0 ? at.y + 16 : above) + window.scrollY + "px";
    ring.setAttribute("cx", middle.x);
    ring.setAttribute("cy", middle.y);
    svg.appendChild(ring);
  }

  function unpack(text) {
    var bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  document.querySelectorAll("svg.still").forEach(function (svg) {
    unpack(document.getElementById(svg.parentNode.id + "-marks").textContent).then(function (all) {
      svg.addEventListener("pointermove", function (event) { show(svg, all.marks, event); });
      svg.addEventListener("pointerdown", function (event) { show(svg, all.marks, event); });
      svg.addEventListener("pointerleave", hide);
    });
  });
})();
