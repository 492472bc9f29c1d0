# make demo   builds symmom, decomposes the embedded digits, writes report.html
# make test   sets up what the tests need, then runs all of them

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
# By default go test takes up to a minute to minimize each new input.
FUZZTIME    = 30s -fuzzminimizetime 5s
TORTURE     = 1h
# Go test's own limit, ten minutes per package, is not enough on a busy machine.
TIMED       = -timeout 30m
E2E         = SYMMOM_PYTHON=$(CURDIR)/.venv/bin/python SYMMOM_S3=$(CURDIR)/.tools/versitygw SYMMOM_GCS=$(CURDIR)/.tools/fake-gcs-server

.PHONY: breathe endings demo build source kernel-build gophernotes notebooks test setup lint race cover fuzz fuzz-cells torture kernels conformance cross combinations nightly arm64 wine suite vuln bench bench-peers bench-kernel bench-estimates bench-fits bench-advice bench-pace bench-mixtures bench-ranks bench-tables bench-zoo paper generate publish-as release clean random lite lite-wasm lite-visits conformance-wasm cluster serve-massive site

demo: build
	bin/symmom demo --html report.html

# Without C, whose threads reserve too much address space for a `ulimit -v` of 1
# GB.
build: source
	CGO_ENABLED=0 go build -trimpath -tags source -o bin/symmom ./cmd/symmom

# The source that binaries have in them for symmom kernel build.
source:
	go run ./internal/sourcecode/pack

# The Jupyter kernel gophernotes with symmom inside: about 80 s the first time.
gophernotes:
	notebooks/gophernotes/build.sh bin/gophernotes

# JupyterLite with the session in the page, into build/lite, for any static server;
# lite-wasm builds the program alone and tells its sizes. What people download is
# compressed as well as brotli can, which takes two and a half minutes; the suite takes
# less trouble.
lite: setup
	QUALITY=11 scripts/lite.sh

lite-wasm: setup
	QUALITY=11 scripts/lite.sh wasm

# How long visits of pages take, locally and over Chromium's slow line of MBIT megabits a
# second, on a quiet machine.
MBIT = 10
lite-visits: lite
	$(E2E) go test -tags e2e -count=3 -v -run '^TestVisits$$' ./lite
	$(E2E) go test -tags e2e -count=2 -v -run '^TestVisits$$' ./lite -mbit $(MBIT)

# symmom kernel build as users run it, with samber/lo and gonum/plot, and the new kernel
# in a notebook; the suite compiles with the flags of go test, whose results are there.
kernel-build: build setup
	$(E2E) go test $(TIMED) -tags e2e -count=1 -v -run TestKernel ./internal/kernelbuild -binary $(CURDIR)/bin/symmom

# symmom serve with 500,000 x 500 numbers, whose search is stopped by the button.
serve-massive: build setup
	$(E2E) go test $(TIMED) -tags e2e -count=1 -v -run '^TestServeInChromium$$' ./cmd/symmom -per-component 125000 -variables 500

# The web site with JupyterLite in it, into build/site, for any static server.
site: lite
	scripts/site.sh

# Runs the notebooks and stores what they show.
notebooks: build setup
	bin/symmom kernel install --prefix .venv
	cd notebooks && ../.venv/bin/python execute.py symmom . *.ipynb

# The whole suite comes last, so that a run ends with go test's own lines.
test: setup lint cross race kernels suite

setup:
	scripts/setup.sh

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt: $$unformatted"; exit 1; fi
	go vet -tags e2e,wine ./...
	go vet -tags nocloud ./cloud ./cmd/symmom
	go run $(STATICCHECK) -tags e2e ./...
	go mod tidy -diff
	cd notebooks/gophernotes && go vet ./... && go mod tidy -diff

# Other systems and the other architecture must at least compile, including tests; the night
# compiles and vets them all.
cross:
	go run ./internal/house/compiles darwin/arm64 windows/amd64 linux/386
	GOARCH=arm64 go vet ./internal/linalg
	GOOS=js GOARCH=wasm go build -o .tools/cross.wasm ./lite/wasm

combinations:
	GOOS=darwin GOARCH=arm64 go vet ./...
	GOOS=windows go vet ./...
	GOARCH=arm64 go vet ./...
	GOOS=windows GOARCH=arm64 go vet ./...
	GOARCH=386 go vet ./...

# Each night: the numerical tests on arm64, under qemu-user (a quarter of an
# hour), the binary for Windows, under Wine (two minutes), sessions with the
# code of those in a browser, and the combinations.
nightly: arm64 wine breathe combinations

arm64:
	GOARCH=arm64 CGO_ENABLED=0 go test -timeout 2h -count=1 -exec qemu-aarch64 $(NUMERICAL) ./symmom
	SYMMOM_CPU=generic GOARCH=arm64 CGO_ENABLED=0 go test -timeout 2h -count=1 -exec qemu-aarch64 ./internal/linalg

wine:
	go test -tags wine -count=1 -v -run TestWine ./cmd/symmom

# Left out of the race detector, where they take most of the time: packages and
# tests that start no goroutine of their own (paper starts one, which draws; of charts the
# one test that draws in several is run), or run code together that others run here. The
# second it sleeps at each exit is no use to commands in scripts.
ONE_BY_ONE  = /(advice|bench|charts|compiles|conformance|export|fits|gen|house|matfile|modelfile|paper|reference|release|solve|svg)$$
NO_RACE     = TestInterruptScripts|TestNormal$$|TestNormalRangeOfContrasts|TestBrokenOff|TestBombs|TestFilesTake|TestLongLines|TestManyNames$$|TestExamples|TestScripts/(kinds|mixture|overwrite|paper|rank)$$|TestQuickTable1|TestNPYLarge|TestFloat32EqualsFloat64|TestStreamIsLoad|TestWriteNPYRoundTrip|TestSamplesAreFair|TestPassesEqualMemory|TestSelect$$|TestConvergedMeansOptimal|TestEnoughStarts|TestEstimateNormSquared|TestSingleEqualsMemory|TestMixtureEqualsMemory|TestFitEqualsMemory|TestStreamEqualsMemory|TestSampledWarnsWhereSamplesTellTooLittle|TestSuggestRank$$|TestSuggestRankOfNoise|TestSuggestRankOfCorrelatedNoise|ExampleRank|TestCompressedAfterOthers|TestForget$$|TestForgetBoundsMemory|TestSampledStream|TestSparseSession|TestMixtureBootstrap$$|TestMixtureDiagonal|TestMixtureMoments|TestMixtureRefuses|TestStreamNormSeed|TestSuggestRankTooLow|TestShardFormats|TestAppendEqualsAllAtOnce|TestAddPeaksTwice|TestPeakMissed|TestAround|TestForgetTwoOrders|TestEstimateMisses|TestVanishingFit|TestCompressedScales|TestMixtureMemory|TestNothingThere|TestSuggestRankOfUnevenWeights|TestMixtureOfVariablesInAnotherOrder|TestSignsOfDebiased|TestSuggestRankOfWeightedNoise|TestInterruptedSearchKeepsItsBest$$|TestFewStarts$$|TestWeightedMixture$$|TestWhitenEverywhere$$|TestReplicabilityLeavesOut$$|TestSuggestRankOfFactors$$|TestSuggestRankOfStandardized$$|TestAnyData$$|TestMixtureUse$$|TestDimensionIsNoRank$$|TestBesides$$|TestSweepOfEstimatedNoise$$|TestSweepOfWideData$$|TestFitKnowsDataAboutTheirMean$$|TestSignsOfCumulant$$|TestBarOfABootstrap$$|TestThousandsOfCells$$|TestSilentSubscribers$$|TestEndlessOnOneProcessor$$|TestStacksOfEarlierCells$$
race:
	go test -race $(TIMED) -run '^TestSVGIsStable$$' ./charts
	GOGC=1 GORACE=atexit_sleep_ms=0 go test -race $(TIMED) -count=1 -run '^(TestCells|TestTypes)$$' ./repl ./repl/conformance
	GORACE=atexit_sleep_ms=0 go test -race $(TIMED) -skip '$(NO_RACE)' $$(go list ./... | grep -vE '$(ONE_BY_ONE)')

# The suite of symmom and internal, whose statements are counted. Separate from the
# race detector: counting them atomically in the innermost loops would take ten times
# as long.
cover: setup
	$(E2E) go test $(TIMED) -tags e2e -count=1 -coverpkg=./symmom/...,./internal/... -coverprofile=coverage.out ./symmom/... ./internal/...
	scripts/coverage.sh coverage.out 85

# Separate from make test, which runs earlier finds: new finds differ each time,
# and need a person to look at them.
fuzz: fuzz-cells
	scripts/fuzz.sh FuzzScan ./internal/numerals -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzText ./internal/fold -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzCSV ./internal/observations -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzNPY ./internal/observations -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzTTSV ./internal/linalg -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzSlab ./internal/linalg -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzProducts ./internal/linalg -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzExplicitProducts ./internal/moment -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzParse ./kernel -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzFrames ./kernel -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzModel ./symmom -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzAppend ./symmom -fuzztime $(FUZZTIME)

fuzz-cells:
	scripts/fuzz.sh FuzzComplete ./repl -fuzztime $(FUZZTIME)
	scripts/fuzz.sh FuzzCell ./repl -fuzztime $(FUZZTIME)

# All attacks for a chosen time, TORTURE=8h; torture.txt says what was tried and
# what survived.
torture:
	scripts/torture.sh $(TORTURE) torture.txt

# Random programs, in sessions and with the toolchain: the suite runs a few, this
# as many as requested. -shrink SEED reduces the program of a failing seed.
PROGRAMS    = 100000
FROM        = 1
random:
	nice -n 15 go test -timeout 0 -count=1 -v -run '^TestRandom$$' ./repl/conformance -programs $(PROGRAMS) -from $(FROM)

# What ends a session: hostile functions and values for everything that cells can import.
# The conformance of cells tries every 40th.
endings:
	nice -n 15 go test -timeout 0 -count=1 -v -run '^TestEndings$$' ./repl/conformance -endings-share 1

# What the suite does not run: it takes the best kernels of the processor. The
# generic ones are the code of purego.
NUMERICAL = ./internal/linalg ./internal/ktensor ./internal/moment ./internal/norm ./internal/solve
kernels:
	SYMMOM_CPU=generic go test $(TIMED) -count=1 ./internal/linalg ./internal/ktensor
	SYMMOM_CPU=avx2 go test $(TIMED) -count=1 $(NUMERICAL)
	go test $(TIMED) -count=1 -tags purego $(NUMERICAL)
	go test $(TIMED) -count=1 -tags purego -run 'Equals|Example' ./symmom

# Without the conformance of cells, which has a target of its own.
suite: cover
	scripts/lite.sh
	scripts/site.sh
	$(E2E) go test $(TIMED) -tags e2e -count=1 $$(go list ./... | grep -vE '^symmom/(symmom|internal)(/|$$)|/conformance$$')

# The test on a cluster of Spark with a table of 60,000 x 500, which takes minutes; the
# suite takes a small one.
cluster: setup
	$(E2E) go test $(TIMED) -tags e2e -count=1 -v -run '^TestCluster$$' ./spark -rows 7500 -variables 500

# Programs of GOROOT/test and of the interpreter's own tests through sessions.
conformance:
	go test $(TIMED) -count=1 ./repl/conformance

# The same in sessions of the program for browsers, in Node.js; EVERY=20 runs every
# 20th program.
EVERY = 1
conformance-wasm: setup
	GOOS=js GOARCH=wasm go test -c -o .tools/conformance.wasm ./repl/conformance
	PATH=$(CURDIR)/.venv/bin:$$PATH go test $(TIMED) -count=1 -v -run '^(TestGo|TestYaegi)$$' ./repl/conformance -wasm $(CURDIR)/.tools/conformance.wasm -every $(EVERY)

# Sessions that run the code of those in a browser, but natively: the build tag
# breathe (package repl/internal/breath).
breathe:
	go test $(TIMED) -tags breathe -count=1 ./repl ./repl/conformance
	go test $(TIMED) -tags breathe -count=1 -run '^TestRandom$$' ./repl/conformance -programs 500

# Needs the Go vulnerability database.
vuln:
	go run $(GOVULNCHECK) ./...

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

# Against NumPy/SciPy, in turns, into the page of this processor in bench/results,
# and all pages' targets into bench/RESULTS.md: about 20 minutes on a machine that
# does nothing else.
bench-peers: setup
	$(E2E) go run ./bench

# How often the standard errors of estimated ||X||^2 hold, into
# bench/ESTIMATES.md: 20 minutes on two cores.
bench-estimates:
	go run ./bench/estimates

# Random tables in random files, their fits checked from file to number, into bench/FITS.md, and
# searches of small tables beside many starts, into bench/SMALL.md: up to an hour on one core.
bench-fits:
	go run ./bench/fits
	go run ./bench/fits -small

# How tables of text are read, as programs of people write them, into bench/TABLES.md, and by
# pandas with the options of each dialect: a minute.
bench-tables:
	go run ./bench/tables
	rm -rf build/tables && mkdir -p build/tables && go run ./bench/tables -files build/tables
	.venv/bin/python bench/tables/peer.py build/tables

# What warnings and errors advise, followed, into bench/ADVICE.md: three minutes.
bench-advice:
	go run ./bench/advice

# How long the automatic choice takes for random tables, beside every form and
# solver, into bench/PACE.md: five minutes on a quiet machine.
bench-pace:
	go run ./bench/fits -pace -last 120

# How often suggested ranks are right: ten minutes for each of ten seeds, and an hour
# for those of small tables.
bench-ranks:
	go run ./bench/ranks -only '^[^s]'
	go run ./bench/ranks -seeds 40 -only '^small'

# Gaussian mixtures compared with scikit-learn, into bench/MIXTURES.md: about an
# hour, nearly all of it scikit-learn's; and with more starts, into bench/LADDER.md.
bench-mixtures: setup
	$(E2E) go run ./bench gmm
	go run ./bench ladder

# The automatic choice of form and solver against all others, into the page of
# this processor in bench/zoo.
bench-zoo:
	go run ./bench zoo

# The kernel against ipykernel, in turns, into bench/KERNEL.md: two minutes.
bench-kernel: setup build
	.venv/bin/python bench/kernel.py bin/symmom --write

# Every table and figure of the paper into paper-results, and from it
# paper/RESULTS.md: 11 minutes of processor time, on a quiet machine. It goes
# on where it was stopped; remove paper-results to begin anew.
paper: build
	bin/symmom paper all --out paper-results
	cp paper-results/RESULTS.md paper/RESULTS.md

generate:
	go generate ./...

# A copy of the module, in published, under a path that go get can fetch:
# make publish-as MODULE=example.org/owner/symmom
publish-as:
	go run ./internal/release/publish -module '$(MODULE)'

# Into dist: archives for six platforms, a Debian package, lists of parts and
# checksums. A snapshot unless the commit has the tag of a version.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.16.0
release: setup
	$(GORELEASER) release --clean $$(git describe --exact-match --tags --match 'v*' >/dev/null 2>&1 || echo --snapshot)
	scripts/wheels.sh dist

clean:
	rm -rf bin build dist published .venv coverage.out report.html paper-results torture.txt
