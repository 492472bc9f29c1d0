// Takes the library of living charts out of its compressed copy in the page, once.
(function () {
  "use strict";
  var packed = document.querySelector("script.symmom-library:not([data-read])");
  if (!packed || window.symmomLive) return window.symmomLive && window.symmomLive();
  packed.dataset.read = "";
  var bytes = Uint8Array.from(atob(packed.textContent), function (c) { return c.charCodeAt(0); });
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text().then(function (source) {
    if (!window.symmomLive) new Function(source)();
  }).catch(function (err) { console.warn("symmom: charts stay pictures:", err); });
})();
