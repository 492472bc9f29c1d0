#!/bin/sh
# Builds JupyterLite with symmom and its tutorials into build/lite, which any static
# server serves. lite.sh wasm builds the program alone. What has not changed is not
# built again. It needs Go and what scripts/setup.sh installs.
#
# QUALITY is that of the compression by brotli, 1 to 11, by default 9: 11 takes minutes.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv/bin:$PATH # Node.js is there
work=.tools/lite          # Go looks for no packages in it
out=build/lite
mkdir -p "$work/wasm" build

sum() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

# The program, compressed once and served as it is.
GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags '-s -w' -o "$work/symmom.wasm" ./lite/wasm
quality=${QUALITY:-9}
now="$(sum "$work/symmom.wasm") $quality"
if [ "$(cat "$work/wasm/done" 2>/dev/null)" != "$now" ]; then
	node lite/compress.mjs "$work/symmom.wasm" "$work/wasm" "$quality"
	echo "$now" >"$work/wasm/done"
fi
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$work/wasm/"
[ "${1-}" != wasm ] || {
	wc -c "$work/symmom.wasm" "$work/wasm/symmom.wasm.gz" "$work/wasm/symmom.wasm.br" | head -3
	exit
}

now=$(sum scripts/lite.sh scripts/requirements.txt "$work/wasm/done" "$work/wasm/wasm_exec.js" lite/*.json lite/src/*.ts kernel/logo/*.png notebooks/*.ipynb)
if [ "$(cat build/lite.done 2>/dev/null)" = "$now" ]; then
	echo "$out is up to date"
	exit
fi
rm -rf build/lite.done "$out"

# The extension.
rm -rf "$work/src" "$work/lib" "$work/style" "$work/labextension" "$work/contents"
cp -R lite/package.json lite/package-lock.json lite/tsconfig.json lite/src "$work/"
mkdir "$work/style" "$work/contents"
cp kernel/logo/logo-32x32.png kernel/logo/logo-64x64.png "$work/style/"
lock=$(sum lite/package-lock.json)
if [ "$(cat "$work/node_modules/done" 2>/dev/null)" != "$lock" ]; then
	# Not npm ci, which wants the builder's programs for all platforms in the list.
	(cd "$work" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error)
	echo "$lock" >"$work/node_modules/done"
fi
# The page's side of the controls.
rm -rf "$work/controls"
cp -R .venv/share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager "$work/controls"
(cd "$work" && node node_modules/typescript/bin/tsc && jupyter-builder build .)

# The site.
# The drive of the page does not join the lines of stored outputs, as a server does.
python - "$work/contents" notebooks/*.ipynb <<'EOF'
import json, os, sys
def joined(x):
    return "".join(x) if isinstance(x, list) and all(isinstance(line, str) for line in x) else x
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "text" in output:
                output["text"] = joined(output["text"])
            for kind, data in output.get("data", {}).items():
                output["data"][kind] = joined(data)
    with open(os.path.join(sys.argv[1], os.path.basename(path)), "w", encoding="utf-8") as file:
        json.dump(notebook, file, ensure_ascii=False, indent=1)
EOF
cp lite/jupyter-lite.json lite/jupyter_lite_config.json "$work/"
rm -rf "$work/.jupyterlite.doit.db" "$work/.cache"
(cd "$work" && jupyter lite build --lite-dir . --output-dir "../../$out")
echo "$now" >build/lite.done
