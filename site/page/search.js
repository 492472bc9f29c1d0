// The search: MiniSearch in the page, with the index that the build made.
"use strict";

const symmomSearch = (() => {
  // terms splits a text: a Go name is a term as a whole and in its parts, SuggestRank,
  // suggest, rank. The build splits the texts with the same lines.
  const terms = text => {
    // terms
    const words = text.match(/[A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff]+/g) ?? []; // goja has no \p{L}
    return words.flatMap(w => {
      const parts = w.replace(/([a-z0-9])(?=[A-Z])/g, "$1_").split("_").filter(p => p);
      return (parts.length > 1 ? [w, ...parts] : [w]).map(p => p.toLowerCase());
    });
    // end
  };

  let index, dialog, input, list, status, top;

  function build() {
    dialog = document.createElement("dialog");
    dialog.id = "search";
    dialog.setAttribute("aria-label", "Search");
    dialog.innerHTML = `<form method="dialog"><input type="search" aria-label="Search the site" placeholder="SuggestRank, CSV, Ctrl-C ..." autocomplete="off" spellcheck="false"><button>Close</button></form><ol></ol><p role="status"></p>`;
    document.body.append(dialog);
    input = dialog.querySelector("input");
    list = dialog.querySelector("ol");
    status = dialog.querySelector("p");
    input.addEventListener("input", show);
    dialog.addEventListener("click", e => { if (e.target === dialog || e.target.closest("ol a")) dialog.close(); });
    dialog.addEventListener("keydown", e => {
      const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
      if (e.key === "ArrowDown" && at + 1 < links.length) links[at + 1].focus();
      else if (e.key === "ArrowUp" && at >= 0) (links[at - 1] ?? input).focus();
      else if (e.key === "Enter" && document.activeElement === input) links[0]?.click();
      else return;
      e.preventDefault();
    });
  }

  function show() {
    if (!index) return;
    const query = input.value.trim();
    const found = query ? index.search(query, { prefix: true, fuzzy: t => t.length > 4 ? .2 : false, boost: { heading: 4, page: 2 }, combineWith: "AND" }).slice(0, 20) : [];
    list.replaceChildren(...found.map(f => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = top + f.path;
      const where = document.createElement("span"), excerpt = document.createElement("small");
      where.textContent = f.heading === f.page ? "" : " · " + f.page;
      excerpt.textContent = f.excerpt;
      link.append(f.heading, where, excerpt);
      item.append(link);
      return item;
    }));
    status.textContent = !query ? "" : found.length === 20 ? "The best 20 places" : found.length === 1 ? "1 place" : found.length ? found.length + " places" : "Nothing found";
  }

  async function load(address) {
    const script = document.createElement("script");
    script.src = top + "lib/minisearch.js";
    await new Promise((done, fail) => { script.onload = done; script.onerror = () => fail(new Error("its program cannot be loaded")); document.head.append(script); });
    const answer = await fetch(address);
    if (!answer.ok) throw new Error("its index cannot be loaded");
    index = MiniSearch.loadJSON(await answer.text(), { fields: ["heading", "page", "text"], storeFields: ["heading", "page", "path", "excerpt"], tokenize: terms });
    show();
  }

  return {
    open(where, address) {
      top = where;
      if (!dialog) {
        build();
        load(address).catch(err => { status.textContent = "No search: " + err.message; });
      }
      if (!dialog.open) dialog.showModal();
      input.select();
    },
  };
})();
