// Takes ECharts out of its compressed copy in the page, then draws.
(function () {
  "use strict";
  var text = atob(document.getElementById("echarts-packed").textContent);
  var bytes = Uint8Array.from(text, function (c) { return c.charCodeAt(0); });
  var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Response(stream).text().then(function (source) {
    var script = document.createElement("script");
    script.textContent = source;
    document.head.appendChild(script);
    window.symmomDraw();
  });
})();
