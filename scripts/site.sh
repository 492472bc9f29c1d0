#!/bin/sh
# Builds the web site into build/site: static files for any server. JupyterLite must be in
# build/lite (scripts/lite.sh). It needs Go, and Node.js for npm alone.
set -eu
cd "$(dirname "$0")/.."
work=.tools/site # Go looks for no packages in it
mkdir -p "$work"
if ! cmp -s site/package-lock.json "$work/node_modules/done"; then
	cp site/package.json site/package-lock.json "$work/"
	(cd "$work" && PATH=$OLDPWD/.venv/bin:$PATH npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	cp site/package-lock.json "$work/node_modules/done"
fi
go run ./site
