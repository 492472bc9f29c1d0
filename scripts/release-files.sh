#!/bin/sh
# Makes the files that accompany the binary in archives, in build/release:
# completions, the manual page, the kernelspec of the Debian package, and the
# program that lists the parts of a binary; and the source that binaries hold.
# goreleaser calls it with the version and the time of the commit.
set -eu
cd "$(dirname "$0")/.."
out=build/release
rm -rf "$out"
mkdir -p "$out/completions"
export CGO_ENABLED=0
go run ./internal/build/release source
go build -trimpath -ldflags "-X main.release=$1" -o "$out/symmom" ./cmd/symmom
go build -trimpath -o "$out/parts" ./internal/build/release
for shell in bash zsh fish powershell; do
	"$out/symmom" completion $shell >"$out/completions/symmom.$shell"
done
"$out/symmom" manual >"$out/symmom.1"
gzip -9 -n -c "$out/symmom.1" >"$out/symmom.1.gz"
"$out/symmom" kernel install --prefix "$out/debian" >/dev/null
spec=$out/debian/share/jupyter/kernels/symmom/kernel.json
sed "s#\"[^\"]*$out/symmom\"#\"/usr/bin/symmom\"#" "$spec" >"$spec.new"
mv "$spec.new" "$spec"
grep -q '"/usr/bin/symmom"' "$spec"
{
	printf 'Upstream-Name: symmom\n\n'
	cat LICENSE
	printf '\n'
	cat NOTICE
} >"$out/copyright"
find "$out" -exec touch -d "@$2" {} + # a package has the times of its files
