#!/bin/sh
# Makes a wheel for each binary that goreleaser left in a folder: scripts/wheels.sh dist.
# The same binaries give the same bytes. Python and hatchling are those of make setup.
set -eu
cd "$(dirname "$0")/.."
dist=$(cd "${1:?usage: scripts/wheels.sh DIST}" && pwd)
python=$PWD/.venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A version of PEP 440: 0.0.1-dev.abc is 0.0.1.dev0+abc.
version=${VERSION:-$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$dist/metadata.json" | head -1)}
case $version in
*-dev.*) SYMMOM_WHEEL_VERSION="${version%%-dev.*}.dev0+${version##*-dev.}" ;;
*) SYMMOM_WHEEL_VERSION=$version ;;
esac
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
SYMMOM_WHEEL_KERNEL=$work/kernels/symmom
export SYMMOM_WHEEL_VERSION SOURCE_DATE_EPOCH SYMMOM_WHEEL_KERNEL
mkdir -p "$SYMMOM_WHEEL_KERNEL"
cp -r python "$work/python"
cp LICENSE NOTICE "$work/python"

# wheel FOLDER PLATFORM: the wheel of the binary in that folder of dist.
wheel() {
	SYMMOM_WHEEL_PROGRAM=$(find "$dist/$1" -name 'symmom*' -type f)
	SYMMOM_WHEEL_PLATFORM=$2
	export SYMMOM_WHEEL_PROGRAM SYMMOM_WHEEL_PLATFORM
	(cd "$work/python" && "$python" -m hatchling build -t wheel -d "$work/wheels" >/dev/null)
}

# The kernel's files, but for the path of the program, are the same everywhere.
host=$(find "$dist" -path '*linux_*' -name symmom -type f | while read -r f; do "$f" version >/dev/null 2>&1 && echo "$f" && break; done)
"$host" kernel install --prefix "$work/prefix" >/dev/null
cp "$work/prefix/share/jupyter/kernels/symmom/"* "$SYMMOM_WHEEL_KERNEL"

# Binaries without C run with glibc and with musl.
for folder in "$dist"/symmom_*; do
	name=$(basename "$folder")
	case $name in
	symmom_linux_amd64*) wheel "$name" manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64 ;;
	symmom_linux_arm64*) wheel "$name" manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64 ;;
	symmom_darwin_amd64*) wheel "$name" macosx_12_0_x86_64 ;;
	symmom_darwin_arm64*) wheel "$name" macosx_12_0_arm64 ;;
	symmom_windows_amd64*) wheel "$name" win_amd64 ;;
	symmom_windows_arm64*) wheel "$name" win_arm64 ;;
	esac
done
mv "$work"/wheels/*.whl "$dist"
