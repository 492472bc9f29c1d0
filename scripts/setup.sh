#!/bin/sh
# Sets up what the tests need besides Go: a Python environment with NumPy and SciPy
# (files are exchanged with them, results compared), Octave (250 MB; it reads and
# writes MATLAB's files), Chromium (pages are opened in it), tmux (the terminal is
# driven with it), versitygw and fake-gcs-server (stores of objects), Java (300 MB) for
# the Spark that is in the Python environment (490 MB). It does nothing if everything is
# installed.
set -eu
cd "$(dirname "$0")/.."

# install NAME...: installs Debian packages, asking for root where needed.
install() {
	if ! command -v apt-get >/dev/null; then
		echo "setup: please install $* and run this again" >&2
		exit 1
	fi
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo apt-get update -qq
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
	command -v google-chrome >/dev/null || install chromium fonts-dejavu-core
command -v tmux >/dev/null || install tmux
command -v octave-cli >/dev/null || install octave
# Spark needs Java 17 or later.
command -v java >/dev/null || install default-jre-headless
# The race detector is built with cgo.
command -v gcc >/dev/null || command -v clang >/dev/null || install gcc libc6-dev

# The stores of objects are compiled while Python's packages are unpacked.
compiling=
trap '[ -z "$compiling" ] || kill $compiling 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
stores="github.com/versity/versitygw/cmd/versitygw@v1.8.0 github.com/fsouza/fake-gcs-server@v1.56.1"
installed() {
	name=${1%@*}
	name=${name##*/}
	[ "$(cat ".tools/$name.version" 2>/dev/null)" = "$1" ]
}
for store in $stores; do
	if ! installed "$store"; then
		GOBIN="$PWD/.tools" go install "$store" &
		compiling="$compiling $!"
	fi
done

stamp=.venv/requirements.done
if ! cmp -s scripts/requirements.txt "$stamp"; then
	rm -rf .venv
	python3 -m venv .venv 2>/dev/null || {
		rm -rf .venv
		install python3-venv
		python3 -m venv .venv
	}
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r scripts/requirements.txt
	cp scripts/requirements.txt "$stamp"
fi

for process in $compiling; do
	wait "$process"
done
compiling=
for store in $stores; do
	installed "$store" || echo "$store" >".tools/$name.version"
done
