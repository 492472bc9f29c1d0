# make help lists what there is; scripts has the rest.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  = github.com/goreleaser/goreleaser/v2@v2.16.0
# Go test's own limit, ten minutes per package, is not enough on a busy machine.
TIMED       = -timeout 30m
E2E         = SYMMOM_PYTHON=$(CURDIR)/.venv/bin/python SYMMOM_S3=$(CURDIR)/.tools/versitygw SYMMOM_GCS=$(CURDIR)/.tools/fake-gcs-server

# The same for all, so that packages are compiled once; and without C, whose threads reserve
# too much address space for a `ulimit -v` of 1 GB.
export CGO_ENABLED = 0

.PHONY: help demo build test check setup lint race kernels suite nightly fuzz torture notebooks lite site bench paper release clean

help: # this list
	@sed -n 's/^\([a-z]*\):[^#]*# \(.*\)/make \1\t\2/p' Makefile | expand -t 18

# Slim leaves out what takes long to compile and a demo does not need: Parquet, SQLite,
# stores, Spark, and the interpreter of charts.
demo: # decomposes handwriting, into report.html
	go run -tags slim ./cmd/symmom demo --html report.html

# The tag takes in the source that symmom kernel build unpacks.
build: # bin/symmom
	go run ./internal/build/release source
	go build -tags source -o bin/symmom ./cmd/symmom

# Without vet and without symbols for debuggers, which would take a quarter of the time; make
# lint vets.
test: # the tests that need nothing but Go, without the longest: minutes
	go test -short -vet=off -ldflags=-s ./...

# The suite comes last, so that a run ends with go test's own lines.
check: setup lint race kernels suite # the long tests too, with Python, Chromium, Spark and others, which it installs: 40 minutes

setup: # installs what make check needs
	scripts/setup.sh

# That other systems compile, including tests, is a test of the suite (package house);
# scripts/nightly.sh vets them.
lint: # gofmt, vet, staticcheck, tidy
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt: $$unformatted"; exit 1; fi
	go vet -tags e2e,wine ./...
	go vet -tags slim ./...
	go run $(STATICCHECK) -tags e2e ./...
	go mod tidy -diff
	cd notebooks/gophernotes && go vet ./... && go mod tidy -diff
	GOARCH=arm64 go vet ./internal/math/linalg
	GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -o .tools/cross.wasm ./lite/wasm

# Left out are packages that start no goroutine of their own (paper starts one, which
# draws; of charts the one test that draws in several is run), or run code together that
# others run here, as the commands do, and what takes long; the night runs both. The second
# the detector sleeps at each exit is no use to commands in scripts.
ONE_BY_ONE  = /(advice|bench|charts|cmd/symmom|conformance|export|fits|gen|house|matfile|modelfile|paper|reference|release|solve|svg)$$
race: # the race detector, on what runs side by side
	CGO_ENABLED=1 go test -race $(TIMED) -run '^TestSVGIsStable$$' ./charts
	CGO_ENABLED=1 GOGC=1 GORACE=atexit_sleep_ms=0 go test -race $(TIMED) -count=1 -run '^(TestCells|TestTypes)$$' ./repl ./repl/conformance
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -short $(TIMED) $$(go list ./... | grep -vE '$(ONE_BY_ONE)')

# What the suite does not run: it takes the best kernels of the processor. The
# generic ones are the code of purego.
NUMERICAL = ./internal/math/linalg ./internal/math/ktensor ./internal/moment ./internal/moment/norm ./internal/math/solve
kernels: # the numerical tests on the kernels of other processors, and in pure Go
	SYMMOM_CPU=generic go test -short $(TIMED) -count=1 ./internal/math/linalg ./internal/math/ktensor
	SYMMOM_CPU=avx2 go test -short $(TIMED) -count=1 $(NUMERICAL)
	go test -short $(TIMED) -count=1 -tags purego $(NUMERICAL)
	go test -short $(TIMED) -count=1 -tags purego -run 'Equals|Example' ./symmom

# The statements of symmom and internal are counted, separately from the race detector:
# counting them atomically in the innermost loops would take ten times as long. The whole
# conformance of cells is a part of scripts/nightly.sh.
suite: setup # the tests of make check without the race detector, and coverage
	$(E2E) go test $(TIMED) -tags e2e -count=1 -coverpkg=./symmom/...,./internal/... -coverprofile=coverage.out ./symmom/... ./internal/...
	scripts/coverage.sh coverage.out 85
	go test $(TIMED) -tags slim -count=1 -run '^TestSlim$$' ./cmd/symmom
	scripts/lite.sh
	scripts/site.sh
	$(E2E) go test $(TIMED) -tags e2e -count=1 $$(go list ./... | grep -vE '^symmom/(symmom|internal)(/|$$)|/conformance$$')

nightly: # what takes hours: conformance of cells, Spark, arm64 and Windows emulated
	scripts/nightly.sh

# Not in the suite, which runs earlier finds: new ones need a person to look at them.
fuzz: # every fuzz target for 30 s
	scripts/fuzz.sh 30s

torture: # an hour of attacks; torture.txt says what was tried
	scripts/torture.sh 1h torture.txt

notebooks: build # runs the notebooks and stores what they show
	for n in notebooks/*.ipynb; do bin/symmom run $$n --save $$n.new && mv $$n.new $$n || exit 1; done

# What people download is compressed as well as brotli can, which takes two and a half
# minutes; the suite takes less trouble.
lite: setup # JupyterLite with the session in the page, into build/lite
	QUALITY=11 scripts/lite.sh

site: lite # the web site, with JupyterLite in it, into build/site
	scripts/site.sh

bench: # benchmarks, for benchstat; scripts/bench.sh writes the pages in bench
	go test -run '^$$' -bench . -benchmem ./internal/...

# It goes on where it was stopped; remove paper-results to begin anew.
paper: build # every table and figure of the paper, and paper/RESULTS.md: 11 minutes
	bin/symmom paper all --out paper-results
	cp paper-results/RESULTS.md paper/RESULTS.md

# A snapshot unless the commit has the tag of a version.
release: setup # archives, Debian package, wheels, lists of parts, checksums, into dist
	go run $(GORELEASER) release --clean $$(git describe --exact-match --tags --match 'v*' >/dev/null 2>&1 || echo --snapshot)
	scripts/wheels.sh dist

clean: # removes what was built
	rm -rf bin build dist published .venv coverage.out report.html paper-results torture.txt
