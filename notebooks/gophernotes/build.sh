#!/bin/sh
# Builds gophernotes with symmom inside: build.sh OUT. gophernotes is a command
# that offers no hook, so its source is copied from the module cache, one file
# that links our package is added, and the copy is built in its place. Its
# interpreter, gomacro, cannot convert the literal in Options{Solver: "lbfgs"} to a
# string type of its own; one line of a copy of it is mended. gomacro is pinned by
# the commit in gophernotes' go.mod. That commit is not in the checksum database, so
# its lines in go.sum are those of gophernotes' own go.sum, whose zip is in it.
set -eu
out=$(realpath -m "$1")
cd "$(dirname "$0")"
go mod download
rm -rf .build
mkdir .build
trap 'rm -rf .build' EXIT
cp -r "$(go list -m -f '{{.Dir}}' github.com/gopherdata/gophernotes)" .build/gophernotes
chmod -R u+w .build
cat >.build/gophernotes/symmom.go <<GO
package main

import _ "symmom/notebooks/gophernotes/register"
GO
cp -r "$(go list -m -f '{{.Dir}}' github.com/cosmos72/gomacro)" .build/gomacro
chmod -R u+w .build
literals=.build/gomacro/base/untyped/lit.go
wrong='ret = v.Convert(t.ReflectType())'
grep -qF "$wrong" "$literals" || { echo "build.sh: gomacro has changed: look whether it still needs mending" >&2; exit 1; }
sed -i "s/ret = v\.Convert(t\.ReflectType())\$/&.Interface()/" "$literals"
cp go.mod go.sum .build
go mod edit -replace github.com/gopherdata/gophernotes=./.build/gophernotes -replace github.com/cosmos72/gomacro=./.build/gomacro .build/go.mod
go build -modfile .build/go.mod -o "$out" github.com/gopherdata/gophernotes
