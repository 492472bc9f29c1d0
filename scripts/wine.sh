#!/bin/sh
# Runs a Windows program under Wine: go test -exec scripts/wine.sh. Wine before 9
# lacks a function that Go calls at startup; a library of ten lines provides it.
set -eu
export WINEPREFIX="${WINEPREFIX:-$HOME/.cache/symmom-wine}" WINEDEBUG="${WINEDEBUG:--all}" WINEARCH=win64
command -v wine >/dev/null || { echo "wine is missing; on Debian: apt-get install wine64 wine" >&2; exit 1; }
system=$WINEPREFIX/drive_c/windows/system32
if [ ! -e "$system/kernel32.dll" ]; then
	wineboot -i >/dev/null 2>&1
	wineserver -w
fi
if [ ! -e "$system/bcryptprimitives.dll" ]; then
	command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "this Wine lacks bcryptprimitives.dll, which mingw-w64 makes; on Debian: apt-get install gcc-mingw-w64-x86-64" >&2; exit 1; }
	made=$(mktemp -d)
	trap 'rm -rf "$made"' EXIT
	cat >"$made/prng.c" <<'C'
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int __stdcall ProcessPrng(void *data, unsigned long long size)
{
	return SystemFunction036(data, (unsigned long)size);
}
C
	x86_64-w64-mingw32-gcc -shared -nostdlib -Wl,-e,0 -o "$made/bcryptprimitives.dll" "$made/prng.c" -ladvapi32
	mv "$made/bcryptprimitives.dll" "$system/"
fi
wine "$@"
