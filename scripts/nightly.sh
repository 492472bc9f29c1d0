#!/bin/sh
# Tests that take too long for make check, in the order of their names below or as named:
#
#	conformance   programs of GOROOT/test and of the interpreter's tests, and random ones,
#	              in sessions; every expression in every place
#	breathe       the same, and the tests of sessions, with the code that sessions in a
#	              browser run (package repl/internal/breath), natively
#	wasm          the same programs in sessions of the program for browsers, in Node.js
#	endings       functions and values that panic, exit, end their goroutine or block, given
#	              to all functions, methods and fields that cells can import
#	random        PROGRAMS random programs (100000), from number FROM (1), in sessions and by
#	              the toolchain; -shrink SEED reduces the program of a failing seed
#	race          the race detector on the tests that take long
#	systems       macOS, Windows and Linux on arm64 and 386 are compiled and vetted
#	arm64         the numerical tests under qemu-user (Debian's qemu-user-static)
#	wine          the binary for Windows under Wine (scripts/wine.sh)
#	cluster       Spark with a table of 60,000 x 500
#	serve         symmom serve with 500,000 x 500 numbers in Chromium, stopped by its button
#	kernel        symmom kernel build as users run it, and its kernel in a notebook
#	visits        how long pages of JupyterLite take, also over a line of MBIT (10) megabits
#	              a second
set -eu
cd "$(dirname "$0")/.."
[ $# != 0 ] || set -- conformance breathe wasm endings random race systems arm64 wine cluster serve kernel visits

numerical="./internal/math/linalg ./internal/math/ktensor ./internal/moment ./internal/moment/norm ./internal/math/solve"
export SYMMOM_PYTHON="$PWD/.venv/bin/python" SYMMOM_S3="$PWD/.tools/versitygw" SYMMOM_GCS="$PWD/.tools/fake-gcs-server"

for part; do
	echo "== $part"
	case $part in
	conformance)
		go test -timeout 2h -count=1 ./repl/conformance
		;;
	breathe)
		go test -timeout 2h -tags breathe -count=1 ./repl ./repl/conformance
		go test -timeout 2h -tags breathe -count=1 -run '^TestRandom$' ./repl/conformance -programs 500
		;;
	wasm)
		scripts/setup.sh # Node.js
		GOOS=js GOARCH=wasm go test -c -o .tools/conformance.wasm ./repl/conformance
		PATH=$PWD/.venv/bin:$PATH go test -timeout 2h -count=1 -v -run '^(TestGo|TestYaegi)$' ./repl/conformance -wasm "$PWD/.tools/conformance.wasm"
		;;
	endings)
		nice -n 15 go test -timeout 0 -count=1 -v -run '^TestEndings$' ./repl/conformance -endings-share 1
		;;
	random)
		nice -n 15 go test -timeout 0 -count=1 -v -run '^TestRandom$' ./repl/conformance -programs "${PROGRAMS:-100000}" -from "${FROM:-1}"
		;;
	race)
		CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -timeout 4h -race ./cmd/... ./internal/... ./kernel ./lab ./repl ./symmom
		;;
	systems)
		for system in darwin/arm64 windows/amd64 windows/arm64 linux/arm64 linux/386; do
			GOOS=${system%/*} GOARCH=${system#*/} go vet ./...
		done
		;;
	arm64)
		GOARCH=arm64 CGO_ENABLED=0 go test -timeout 2h -count=1 -exec qemu-aarch64 $numerical ./symmom
		SYMMOM_CPU=generic GOARCH=arm64 CGO_ENABLED=0 go test -timeout 2h -count=1 -exec qemu-aarch64 ./internal/math/linalg
		;;
	wine)
		go test -tags wine -count=1 -v -run TestWine ./cmd/symmom
		;;
	cluster)
		scripts/setup.sh
		go test -timeout 1h -tags e2e -count=1 -v -run '^TestCluster$' ./spark -rows 7500 -variables 500
		;;
	serve)
		scripts/setup.sh
		go test -timeout 1h -tags e2e -count=1 -v -run '^TestServeInChromium$' ./cmd/symmom -per-component 125000 -variables 500
		;;
	kernel) # the suite compiles with the flags of go test, whose results are there
		scripts/setup.sh
		make build
		go test -timeout 1h -tags e2e -count=1 -v -run TestKernel ./internal/build/kernelbuild -binary "$PWD/bin/symmom"
		;;
	visits)
		make lite
		go test -tags e2e -count=3 -v -run '^TestVisits$' ./lite
		go test -tags e2e -count=2 -v -run '^TestVisits$' ./lite -mbit "${MBIT:-10}"
		;;
	*)
		echo "nightly: there is no part $part" >&2
		exit 2
		;;
	esac
done
