// What the pages do beside being read: the switch between light and dark, the search, the
// cell that runs, and the values of charts under the pointer.
"use strict";

const top_ = new URL(".", document.currentScript.src).href; // the top of the site
const root = document.documentElement;
const byID = id => document.getElementById(id);

// Light, dark, or as the system.
{
  const button = byID("theme"), names = ["auto", "light", "dark"];
  const show = () => {
    const now = root.dataset.theme ?? "auto";
    button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[now];
    button.setAttribute("aria-label", "Colours: " + button.textContent.toLowerCase());
  };
  button.addEventListener("click", () => {
    const next = names[(names.indexOf(root.dataset.theme ?? "auto") + 1) % names.length];
    if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
    try {
      if (next === "auto") localStorage.removeItem("symmom-theme"); else localStorage.setItem("symmom-theme", next);
    } catch { /* no storage */ }
    show();
  });
  show();
  button.hidden = false;
}

// What scrolls sideways can be reached with the keyboard.
{
  const reach = () => {
    for (const e of document.querySelectorAll("pre, .scroll, .chart, .katex-display, .contents details")) {
      if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1 && e.matches("details")) {
        e.tabIndex = 0;
        if (!e.matches("details")) { e.setAttribute("role", "region"); e.setAttribute("aria-label", "Scrolls sideways"); }
      } else if (e.hasAttribute("tabindex")) {
        for (const name of ["tabindex", "role", "aria-label"]) e.removeAttribute(name);
      }
    }
  };
  reach();
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
}

// The search is loaded when it is asked for.
{
  const button = byID("open-search");
  let loading;
  const open = () => {
    loading ??= new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = top_ + "search.js";
      script.onload = done;
      script.onerror = () => { loading = undefined; fail(new Error("the search cannot be loaded")); };
      document.head.append(script);
    });
    loading.then(() => symmomSearch.open(top_, button.dataset.index), err => { button.textContent = err.message; });
  };
  button.hidden = false;
  button.addEventListener("click", open);
  addEventListener("keydown", e => {
    const writing = e.target.closest?.("input, textarea, select, [contenteditable]");
    if (e.key === "/" && !writing && !e.ctrlKey && !e.metaKey && !e.altKey || e.key === "k" && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      open();
    }
  });
}

// The cell of the first page runs in a console of JupyterLite.
{
  const button = byID("run");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = getComputedStyle(root).colorScheme === "dark" || root.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
      const frame = document.createElement("iframe");
      frame.title = "A session of symmom";
      frame.src = button.dataset.live + (dark ? "&theme=JupyterLab%20Dark" : "");
      byID("result").replaceChildren(frame);
      byID("run-hint").textContent = "A session of symmom in this page. It takes a few seconds to load the first time; then go on below, Shift-Enter runs a cell.";
      button.remove();
      frame.focus();
    }, { once: true });
  }
}

// Charts tell their values under the pointer, with the script that they have in notebooks.
// It wants the picture in the page itself: that is made so when the pointer first comes.
document.addEventListener("pointerover", async e => {
  const img = e.target;
  if (!(img instanceof HTMLImageElement) || !img.matches(".still:not([data-near])") || img.currentSrc !== img.src) return;
  img.dataset.near = "";
  try {
    const blob = await (await fetch(img.src)).blob();
    img.src = await new Promise((done, fail) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.onerror = () => fail(reader.error);
      reader.readAsDataURL(blob);
    });
    img.classList.add("symmom-still");
    const script = document.createElement("script");
    script.src = top_ + "lib/peek.js";
    document.head.append(script);
  } catch { /* the picture stays as it is */ }
});
