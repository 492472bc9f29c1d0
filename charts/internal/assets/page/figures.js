// Gives each figure of the page buttons that save it as it is seen: its title, charts and
// caption, at its size and in its colours; and the numbers of its charts.
(function () {
  "use strict";
  var pen = document.createElement("canvas").getContext("2d");

  function escaped(text) {
    return text.replace(/[&<>"]/g, function (c) { return { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]; });
  }

  // lines are those in which the browser has laid out an element's text: [text, its box].
  function lines(el) {
    var all = [], range = document.createRange(), walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT), node;
    while ((node = walk.nextNode())) {
      var line = null, at = 0;
      Array.from(node.data).forEach(function (c) {
        range.setStart(node, at);
        range.setEnd(node, at += c.length);
        var box = range.getBoundingClientRect();
        if (!box.height) return;
        if (!line || Math.abs(box.top - line.top) > box.height / 2) all.push(line = { text: "", el: node.parentElement, top: box.top, left: box.left, right: box.right });
        line.text += c;
        line.left = Math.min(line.left, box.left);
        line.right = Math.max(line.right, box.right);
      });
    }
    return all;
  }

  // written is a line as SVG.
  function written(line, origin) {
    var css = getComputedStyle(line.el), text = line.text.trim();
    if (!text) return "";
    pen.font = css.fontStyle + " " + css.fontWeight + " " + css.fontSize + " " + css.fontFamily;
    return '<text xml:space="preserve" x="' + (line.left - origin.left).toFixed(1) + '" y="' + (line.top - origin.top + pen.measureText(text).fontBoundingBoxAscent).toFixed(1) +
      '" font-family="' + escaped(css.fontFamily) + '" font-size="' + css.fontSize + '" font-weight="' + css.fontWeight + '" fill="' + css.color + '">' + escaped(text) + "</text>";
  }

  // chart is a chart of ECharts as SVG, as it is seen.
  function chart(el) {
    var copy = window.symmomCopy(el, { renderer: "svg", ssr: true });
    try {
      return copy.renderToSVGString();
    } finally {
      copy.dispose();
    }
  }

  // image is a picture of pixels with the colours of its style sheet.
  function image(el) {
    var copy = el.cloneNode(true), css = getComputedStyle(el);
    copy.querySelectorAll(".n").forEach(function (n) { n.setAttribute("fill", getComputedStyle(el.querySelector(".n")).fill); });
    copy.setAttribute("color", css.color);
    copy.setAttribute("preserveAspectRatio", "none");
    return new XMLSerializer().serializeToString(copy);
  }

  function draw(figure, bar) {
    var origin = figure.getBoundingClientRect(), css = getComputedStyle(figure), color = css.getPropertyValue("--faint");
    var width = Math.ceil(origin.width), height = Math.ceil(bar.getBoundingClientRect().top - origin.top + parseFloat(css.paddingBottom) / 2);
    var svg = '<svg xmlns="http://www.w3.org/2000/svg" width="' + width + '" height="' + height + '" viewBox="0 0 ' + width + " " + height + '">' +
      '<rect width="100%" height="100%" fill="' + css.backgroundColor + '"/>';
    function placed(el, inner) {
      var box = el.getBoundingClientRect();
      svg += inner.replace("<svg ", '<svg x="' + (box.left - origin.left).toFixed(1) + '" y="' + (box.top - origin.top).toFixed(1) + '" ' +
        (/^<svg [^>]*\bwidth="/.test(inner) ? "" : 'width="' + box.width + '" height="' + box.height + '" '));
    }
    figure.querySelectorAll(".chart").forEach(function (el) { placed(el, chart(el)); });
    figure.querySelectorAll(".picture").forEach(function (el) {
      var box = el.getBoundingClientRect();
      svg += '<rect x="' + (box.left - origin.left) + '" y="' + (box.top - origin.top) + '" width="' + box.width + '" height="' + box.height + '" fill="' + getComputedStyle(el).backgroundColor + '" stroke="' + color + '"/>';
      placed(el, image(el));
    });
    figure.querySelectorAll("h3, figcaption, .image span, .note").forEach(function (el) {
      lines(el).forEach(function (l) { svg += written(l, origin); });
    });
    svg = svg.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd"); // of names; XML has none of them
    return { svg: svg + "</svg>", width: width, height: height };
  }

  // numbers are the marks of a figure's charts as CSV: a column for each axis.
  function numbers(figure) {
    var head = ["chart", "series", "id", "item"], rows = [];
    function column(name) {
      if (head.indexOf(name, 4) < 0) head.push(name);
      return head.indexOf(name, 4);
    }
    figure.querySelectorAll(".chart").forEach(function (el, i) {
      var o = window.symmomChart(el).getOption(), title = (o.title && o.title[0] && o.title[0].text) || i + 1;
      o.series.forEach(function (s) {
        var axes = [(o.xAxis || [])[s.xAxisIndex || 0], (o.yAxis || [])[s.yAxisIndex || 0]];
        (s.data || []).forEach(function (d, k) {
          var v = d && typeof d === "object" && !Array.isArray(d) ? d.value : d, name = (d && d.name) || "";
          if (!Array.isArray(v)) { // one number, at a place of the axis of names
            var across = axes[0] && axes[0].type === "category";
            v = across ? [k, v] : [v, k];
          }
          var row = [title, /^series\0/.test(s.name) ? "" : s.name, s.id, name];
          var alike = ((axes[0] || {}).name || "") === ((axes[1] || {}).name || "");
          v.slice(0, 2).forEach(function (x, j) {
            var a = axes[j] || {}, label = a.axisLabel || {}, numeric = a.type !== "category" && axes[1 - j] && axes[1 - j].type !== "category";
            if (a.type === "category" && a.data) {
              x = a.data[x] !== undefined ? a.data[x] : x;
              if (!a.name) { row[3] = row[3] || x; return; }
            } else if (typeof x === "number" && label.formatter && label.formatter.value) {
              x = label.formatter.value(x);
            }
            row[column((a.name || "value") + (alike && numeric ? [" (x)", " (y)"][j] : ""))] = x;
          });
          if (s.type === "heatmap") row[column(s.name)] = v[2];
          rows.push(row);
        });
      });
    });
    return [head].concat(rows).map(function (row) {
      return head.map(function (_, j) {
        var x = row[j] === undefined || row[j] === null ? "" : String(row[j]);
        if (/^[=+\-@\t\r]/.test(x) && isNaN(x)) x = "'" + x; // a name is no formula
        return /[",\r\n]/.test(x) ? '"' + x.replace(/"/g, '""') + '"' : x;
      }).join(",");
    }).join("\r\n") + "\r\n";
  }

  document.querySelectorAll("main > figure").forEach(function (figure) {
    var heading = figure.querySelector("h3");
    if (!heading || figure.querySelector(".error")) return;
    var title = heading.textContent, bar = document.createElement("p");
    bar.className = "keep";
    symmomKeep.buttons(bar, title, function () { return draw(figure, bar); });
    if (figure.querySelector(".chart")) {
      symmomKeep.button(bar, "CSV", "Save the numbers as CSV", title, function () { symmomKeep.save("\ufeff" + numbers(figure), title, ".csv"); });
    }
    figure.appendChild(bar);
  });
})();
