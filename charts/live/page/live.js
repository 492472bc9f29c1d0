// The page: it sends what a person chooses, and shows what the server tells.
(function () {
  "use strict";
  var $ = function (id) { return document.getElementById(id); };
  var state = null, at = 0, run = -1, shown = 0, lines = [], coming = null, over = false, events = null;
  var words = document.querySelector("main").dataset, search = $("search"); // null: there are no starts to show
  var form = $("controls"), fields = Array.from(form.querySelectorAll(".field"));

  // ---- controls

  function input(field) { return field.querySelector("[id^=control-]:not(small)"); }

  function value(field) {
    var el = input(field);
    switch (field.dataset.kind) {
      case "check": return el.checked;
      case "select": case "text": return el.value;
    }
    return el.value.trim() === "" ? null : Number(el.value);
  }

  function put(field, v) {
    var el = input(field);
    if (el === document.activeElement || field.dataset.touched) return; // a person is at it
    if (field.dataset.kind === "check") el.checked = v; else el.value = v;
    var range = field.querySelector("input[type=range]");
    if (range) range.value = v;
    tick(field);
  }

  function say(field, text) {
    var el = field.querySelector("small.error");
    if (el.textContent !== text) el.textContent = text;
    field.classList.toggle("wrong", text !== "");
    input(field).setAttribute("aria-invalid", text !== "" ? "true" : "false");
  }

  function tell(errors) {
    fields.forEach(function (f) { say(f, errors[f.dataset.name] || ""); });
  }

  var sending = false, waiting = null;

  // choose sends all controls; of several choices during a request the last one goes.
  // again begins a run even if none of them has changed; it may be the name of another task.
  function choose(again) {
    if (sending) { waiting = again || waiting || false; return; }
    sending = true;
    var values = {};
    fields.forEach(function (f) { values[f.dataset.name] = value(f); });
    post("/choose", { values: values, again: !!again, task: typeof again === "string" ? again : "" }).then(function (answer) {
      if (!answer.ok) return answer.text().then(function (t) { message(t, true); });
      return answer.json().then(function (a) {
        tell(a.errors);
        if (!Object.keys(a.errors).length && waiting === null) fields.forEach(function (f) { delete f.dataset.touched; });
      });
    }).catch(function () { message("symmom does not answer: the choice was not sent.", true); }).then(function () {
      sending = false;
      if (waiting !== null) { var w = waiting; waiting = null; choose(w); }
    });
  }

  function post(path, body) {
    return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  }

  function changed(field) {
    field.dataset.touched = "yes";
    suit();
    if ($("auto").checked && !("tasks" in field.dataset)) choose(false);
  }

  // suit hides the controls that do not count for the values of others.
  function suit() {
    fields.forEach(function (f) {
      if (!f.dataset.when) return;
      var other = fields.find(function (o) { return o.dataset.name === f.dataset.when; });
      f.hidden = String(value(other)) !== f.dataset.is;
    });
  }

  // ticked are the names of the boxes, as the text has them: "a,b".
  function tick(field) {
    var boxes = Array.from(field.querySelectorAll(".boxes input"));
    if (!boxes.length) return;
    var all = boxes.map(function (b) { return b.value; }), names = [];
    split(input(field).value).forEach(function (part) { // a name, a number or a range
      var range = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part);
      if (all.indexOf(part) >= 0 || !range) names.push(part);
      else names = names.concat(all.slice(range[1] - 1, range[2] || range[1]));
    });
    boxes.forEach(function (b) { b.checked = names.indexOf(b.value) >= 0; });
  }

  function split(text) {
    var out = [], pattern = /\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/y, m;
    while (pattern.lastIndex < text.length && (m = pattern.exec(text))) out.push(m[1] !== undefined ? m[1].replace(/""/g, '"') : m[2].trim());
    return out.filter(Boolean);
  }

  function quote(name) { return /[",\s]/.test(name) ? '"' + name.replace(/"/g, '""') + '"' : name; }

  fields.forEach(function (field) {
    var el = input(field), range = field.querySelector("input[type=range]");
    el.addEventListener("change", function () { tick(field); changed(field); });
    if (range) {
      el.addEventListener("input", function () { range.value = el.value; });
      range.addEventListener("input", function () { el.value = range.value; changed(field); });
    }
    var list = field.querySelector(".list");
    if (!list) return;
    tick(field);
    list.querySelector("input[type=search]").addEventListener("input", function (e) {
      var want = e.target.value.toLowerCase();
      list.querySelectorAll(".boxes label").forEach(function (l) { l.hidden = l.textContent.toLowerCase().indexOf(want) < 0; });
      e.stopPropagation();
    });
    list.querySelector(".boxes").addEventListener("change", function () {
      var on = Array.from(list.querySelectorAll(".boxes input:checked"));
      el.value = on.map(function (b) { return quote(b.value); }).join(",");
      changed(field);
    });
  });
  form.addEventListener("submit", function (e) { e.preventDefault(); choose(true); });
  document.querySelectorAll("[data-task]").forEach(function (b) {
    b.addEventListener("click", function () { choose(b.dataset.task); });
  });
  $("stop").addEventListener("click", function () {
    post("/stop", {}).catch(function () { message("symmom does not answer.", true); });
  });

  // ---- what the server tells

  function message(text, bad) {
    var el = $("message");
    if (el.textContent !== text) el.textContent = text;
    el.classList.toggle("error", !!bad);
  }

  function seconds(s) {
    if (s < 100) return s.toFixed(1) + " s";
    if (s < 7200) return Math.floor(s / 60) + " min " + Math.floor(s % 60) + " s";
    return (s / 3600).toFixed(1) + " h";
  }

  function clock() {
    if (!state || state.run === 0) return;
    var s = state.seconds;
    if (state.state !== "idle") s += (performance.now() - at) / 1000;
    $("time").textContent = seconds(s);
  }
  setInterval(clock, 200);

  function show(s) {
    state = s; at = performance.now();
    if (search) searched(s);
    var busy = s.state !== "idle";
    if (s.state === "stopping") message("Stopping: the best so far is kept.");
    else if (busy) message(words.doing + (s.name ? " " + s.name : "") + ".");
    else message(s.message || "Nothing was found yet.", s.bad);
    $("stop").disabled = s.state !== "running";
    var bar = $("bar");
    if (busy && s.doing !== "search") bar.removeAttribute("value");
    else bar.value = s.starts ? s.startsDone / s.starts : busy ? 0 : 1;
    $("doing").textContent = busy ? s.doing + (s.doing === "search" && s.remaining >= 0 ? ", about " + seconds(s.remaining) + " left" : "") : "";
    clock();
    fields.forEach(function (f) { put(f, s.values[f.dataset.name]); });
    if (!fields.some(function (f) { return f.dataset.touched; })) tell(s.errors);
    suit();
    result(s, busy);
  }

  // searched shows the starts of a search, and ranks that were compared.
  function searched(s) {
    if (s.run !== run) { run = s.run; lines = []; symmomCurve.clear(); }
    symmomCurve.know(s.norm);
    $("curve").setAttribute("aria-label", symmomCurve.what() + " of each start against its evaluations; the table of starts has the numbers");
    document.querySelectorAll(".what").forEach(function (el) { el.textContent = symmomCurve.what(); });
    search.hidden = $("table").hidden = s.task !== ""; // the curve is of one rank
    $("known").hidden = !s.norm; $("unknown").hidden = !!s.norm;
    s.lines.forEach(function (l) { lines[l.at] = l; }); // those that have changed
    $("starts").textContent = s.starts ? s.startsDone + " of " + s.starts : "–";
    $("evaluations").textContent = s.evaluations ? s.evaluations.toLocaleString("en") : "–";
    $("best").textContent = s.best === null ? "–" : symmomCurve.says(s.best);
    rows(s);
    compared(s.ranks);
  }

  function rows(s) {
    if (!$("table").open) return;
    var body = $("rows");
    while (body.rows.length > lines.length) body.deleteRow(-1);
    lines.forEach(function (l, i) {
      var row = body.rows[i] || body.insertRow();
      while (row.cells.length < 4) row.insertCell();
      var cells = [(l.polish ? "polish of " : "") + (l.start + 1), l.evaluations.toLocaleString("en"),
        l.f === null ? "–" : symmomCurve.says(l.f), l.done ? "ended" : s.state === "idle" ? l.polish ? "ended" : "stopped" : "running"];
      cells.forEach(function (text, k) { if (row.cells[k].textContent !== text) row.cells[k].textContent = text; });
    });
  }
  if (search) $("table").addEventListener("toggle", function () { if (state) rows(state); });

  function result(s, busy) {
    var r = s.result;
    $("result").hidden = !r;
    $("result").classList.toggle("old", busy);
    if (!r || busy || r.version === shown) return;
    shown = r.version;
    $("result-name").textContent = sentence(words.heading + r.name) + (r.interrupted ? ", interrupted" : "");
    $("result-line").textContent = sentence(r.line) + ".";
    list($("warnings"), r.warnings);
    frame(r);
  }

  function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

  var comparedShown = 0;

  // compared shows several ranks, of which one can be taken.
  function compared(c) {
    if (!c || c.version === comparedShown) return;
    comparedShown = c.version;
    $("ranks").hidden = false;
    $("ranks-name").textContent = c.title;
    $("ranks-command").textContent = c.command;
    $("ranks-command").hidden = !c.command;
    list($("ranks-notes"), c.notes || []);
    var body = $("ranks-rows");
    body.replaceChildren();
    c.rows.forEach(function (r) {
      var row = body.insertRow(), take = document.createElement("button");
      take.type = "button";
      take.textContent = r.rank;
      take.setAttribute("aria-label", "fit rank " + r.rank);
      row.insertCell().append(take, r.suggested ? " suggested" : "");
      [r.relative, r.atBest, r.time].forEach(function (text) { row.insertCell().textContent = text; });
      take.addEventListener("click", function () {
        var field = fields.find(function (f) { return f.dataset.name === "rank"; });
        input(field).value = r.rank;
        input(field).dispatchEvent(new Event("input"));
        choose(true);
      });
    });
  }

  function list(el, texts) {
    el.replaceChildren.apply(el, texts.map(function (text) {
      var li = document.createElement("li");
      li.textContent = text;
      return li;
    }));
  }

  // frame loads the report behind the one that stands there, and then takes its place.
  function frame(r) {
    if (coming) coming.remove();
    var f = coming = document.createElement("iframe");
    f.title = "the report: " + r.name;
    f.className = "coming";
    f.addEventListener("load", function () {
      if (coming !== f) return;
      coming = null;
      if (!f.contentDocument) { f.remove(); return; } // the browser's page of an error
      dress(f);
      Array.from($("frames").children).forEach(function (old) { if (old !== f) old.remove(); });
      f.className = "";
    });
    f.src = "/report?version=" + r.version;
    $("frames").append(f);
  }

  // dress makes a report part of this page: without margins, as high as it is.
  function dress(f) {
    var d = f.contentDocument;
    if (!d || !d.body) return;
    d.body.style.padding = "0";
    d.body.style.background = "transparent";
    var head = d.querySelector("header");
    if (head) head.hidden = true;
    var fit = function () { f.style.height = d.documentElement.offsetHeight + "px"; };
    fit();
    new ResizeObserver(fit).observe(d.documentElement);
    var top = f.getBoundingClientRect().top; // the charts in view are there before the old ones go
    d.querySelectorAll(".chart").forEach(function (el) {
      var box = el.getBoundingClientRect();
      if (top + box.bottom > 0 && top + box.top < window.innerHeight) f.contentWindow.symmomChart(el);
    });
  }

  // ---- the connection; hidden tabs let it go, since a browser has few

  function connect() {
    if (over || events || document.hidden) return;
    events = new EventSource("/events");
    events.onopen = function () { run = -1; }; // the server tells the whole curve again
    events.addEventListener("state", function (e) { show(JSON.parse(e.data)); });
    events.addEventListener("curve", function (e) {
      var c = JSON.parse(e.data);
      if (c.run === run) symmomCurve.add(lines, c.points);
    });
    events.addEventListener("ended", function () {
      over = true;
      drop();
      message("symmom has ended in its terminal. Start it again there; this page keeps what it shows.", true);
      document.querySelectorAll("#controls input, #controls select, button").forEach(function (el) { el.disabled = true; });
      document.querySelector(".export").hidden = true;
    });
    events.onerror = function () {
      message("No connection to symmom: it may have ended. Trying again.", true);
      if (events && events.readyState === EventSource.CLOSED) { drop(); setTimeout(connect, 2000); }
    };
  }

  function drop() {
    if (events) events.close();
    events = null;
  }

  document.addEventListener("visibilitychange", function () { if (document.hidden) drop(); else connect(); });
  if (search) symmomCurve.begin($("curve"), $("undrawn"));
  connect();
})();
