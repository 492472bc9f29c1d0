"""Has every page of JupyterLite start the worker at once, not when JupyterLab asks its extensions."""

import pathlib
import sys

site = pathlib.Path(sys.argv[1])
static = site / "extensions/symmom-lite/static"


def one(pattern, having=""):
    found = [file for file in static.glob(pattern) if not having or having in file.read_text(encoding="utf-8")]
    if len(found) != 1:
        sys.exit(f"{static}: {len(found)} files {pattern} {having}, want one")
    return found[0].name


worker = one("*.js", "the program could not be loaded")  # of src/worker.ts
script = f"""\
// Written by early.py. src/kernel.ts takes the worker from here.
const url = name => new URL(name, document.currentScript.src).href;
globalThis.symmomWorker = new Worker(url("{worker}"), {{ type: "module" }});
globalThis.symmomWorker.postMessage({{ type: "load", program: url("{one("*.br")}") }});
"""
(static / "early.js").write_text(script, encoding="utf-8")

for app in "lab", "notebooks", "repl":
    page = site / app / "index.html"
    text = page.read_text(encoding="utf-8")
    if text.count("<head>") != 1:
        sys.exit(f"{page}: want one <head>")
    page.write_text(text.replace("<head>", '<head><script src="../extensions/symmom-lite/static/early.js"></script>'), encoding="utf-8")
