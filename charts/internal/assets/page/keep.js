// Saves and copies pictures; the figures of pages and those of notebooks share it.
var symmomKeep = (function () {
  "use strict";
  var scale = 2; // pixels of a PNG for each of the SVG

  // toPNG draws an SVG of this width and height.
  function toPNG(svg, width, height) {
    return new Promise(function (done, fail) {
      var copy = new Image();
      copy.onerror = function () { fail(new Error("the picture cannot be drawn")); };
      copy.onload = function () {
        var canvas = document.createElement("canvas");
        canvas.width = scale * width;
        canvas.height = scale * height;
        canvas.getContext("2d").drawImage(copy, 0, 0, canvas.width, canvas.height);
        canvas.toBlob(function (blob) { blob ? done(blob) : fail(new Error("the picture cannot be drawn")); }, "image/png");
      };
      copy.src = "data:image/svg+xml," + encodeURIComponent(svg);
    });
  }

  // save offers a file that is named after a title.
  function save(data, title, ending) {
    var kind = { ".png": "image/png", ".svg": "image/svg+xml", ".csv": "text/csv;charset=utf-8" }[ending];
    var a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([data], { type: kind }));
    a.download = (title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "figure") + ending;
    a.click();
    setTimeout(function () { URL.revokeObjectURL(a.href); }, 60000);
  }

  // buttons adds those that save the picture that draw returns, as {svg, width, height}, and
  // copy it. Each says what it does to those who cannot see where it is.
  function buttons(bar, title, draw) {
    function png() {
      var p = draw();
      return toPNG(p.svg, p.width, p.height);
    }
    button(bar, "PNG", "Save as PNG", title, function () { return png().then(function (blob) { save(blob, title, ".png"); }); });
    button(bar, "SVG", "Save as SVG", title, function () { save(draw().svg, title, ".svg"); });
    if (navigator.clipboard && window.ClipboardItem) {
      var copy = button(bar, "Copy", "Copy as PNG", title, function () {
        return navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]).then(function () {
          copy.textContent = "Copied";
          setTimeout(function () { copy.textContent = "Copy"; }, 1500);
        });
      });
    }
  }

  function button(bar, text, does, title, act) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.title = does;
    b.setAttribute("aria-label", text + ": " + does + ", " + title);
    b.addEventListener("click", function () {
      Promise.resolve().then(act).catch(function (err) { b.textContent = "failed"; b.title = err.message; });
    });
    return bar.appendChild(b);
  }

  return { button: button, buttons: buttons, save: save };
})();
