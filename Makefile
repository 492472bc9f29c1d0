# make demo   builds symmom, decomposes the embedded digits, writes report.html
# make test   sets up what the tests need, then runs all of them

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
FUZZTIME    = 20s
# Ten minutes for a package, go test's own limit, are not enough on a busy machine.
TIMED       = -timeout 30m
E2E         = SYMMOM_PYTHON=$(CURDIR)/.venv/bin/python

.PHONY: demo build gophernotes notebooks test setup lint race cover fuzz kernels random cross suite vuln bench bench-peers bench-kernel paper generate clean

demo: build
	bin/symmom demo --html report.html

# Without C: its threads reserve address space, too much for `ulimit -v` of 1 GB.
build:
	CGO_ENABLED=0 go build -trimpath -o bin/symmom ./cmd/symmom

# The Jupyter kernel gophernotes with symmom inside: about 80 s the first time.
gophernotes:
	notebooks/gophernotes/build.sh bin/gophernotes

# Runs the notebooks and stores what they show.
notebooks: build setup
	bin/symmom kernel install --prefix .venv
	cd notebooks && ../.venv/bin/python execute.py symmom . *.ipynb

# The whole suite comes last, so that a run ends with go test's own lines.
test: setup lint cross race cover fuzz kernels suite

setup:
	scripts/setup.sh

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt: $$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags e2e ./...
	go run $(STATICCHECK) -tags e2e ./...
	go mod tidy -diff
	cd notebooks/gophernotes && go vet ./... && go mod tidy -diff

# Other platforms must at least compile, tests included.
cross:
	GOARCH=arm64 go vet ./internal/... ./symmom/... ./charts/... ./cmd/...
	GOOS=darwin GOARCH=arm64 go build ./...

# Left out of the race detector, where they take most of the time: packages and
# tests that start no goroutine of their own, or run code together that others
# run here. The second it sleeps at each exit is no use to commands in scripts.
ONE_BY_ONE  = /(bench|conformance|gen|house|reference|solve|svg)$$
NO_RACE     = TestExamples|TestScripts/paper|TestQuickTable1|TestGolden|TestDarkColours|TestLegends|TestNPYLarge|TestFloat32EqualsFloat64|TestStreamIsLoad|TestWriteNPYRoundTrip
race:
	GORACE=atexit_sleep_ms=0 go test -race $(TIMED) -skip '$(NO_RACE)' $$(go list ./... | grep -vE '$(ONE_BY_ONE)')

# Apart from the race detector: counting statements atomically in the innermost
# loops would take ten times as long.
cover:
	go test $(TIMED) -coverpkg=./symmom/...,./internal/... -coverprofile=coverage.out ./symmom/... ./internal/...
	scripts/coverage.sh coverage.out 85

fuzz:
	go test -run '^$$' -fuzz '^FuzzCSV$$' -fuzztime $(FUZZTIME) ./internal/observations
	go test -run '^$$' -fuzz '^FuzzNPY$$' -fuzztime $(FUZZTIME) ./internal/observations
	go test -run '^$$' -fuzz '^FuzzTTSV$$' -fuzztime $(FUZZTIME) ./internal/linalg
	go test -run '^$$' -fuzz '^FuzzSlab$$' -fuzztime $(FUZZTIME) ./internal/linalg
	go test -run '^$$' -fuzz '^FuzzProducts$$' -fuzztime $(FUZZTIME) ./internal/linalg
	go test -run '^$$' -fuzz '^FuzzExplicitProducts$$' -fuzztime $(FUZZTIME) ./internal/moment
	go test -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME) ./kernel
	go test -run '^$$' -fuzz '^FuzzFrames$$' -fuzztime $(FUZZTIME) ./kernel

# Programs made at random, in sessions and with the toolchain: the suite runs a
# few, this as many as it is told to. A seed that is wrong is made smaller with
# -shrink SEED.
PROGRAMS    = 100000
FROM        = 1
random:
	nice -n 15 go test -timeout 0 -count=1 -v -run '^TestRandom$$' ./repl/conformance -programs $(PROGRAMS) -from $(FROM)

# What the suite does not run: it takes the best kernels of the processor. The
# generic ones are the code of purego.
NUMERICAL = ./internal/linalg ./internal/ktensor ./internal/moment ./internal/solve ./symmom
kernels:
	SYMMOM_CPU=generic go test $(TIMED) -count=1 ./internal/linalg ./internal/ktensor
	SYMMOM_CPU=avx2 go test $(TIMED) -count=1 $(NUMERICAL)
	go test $(TIMED) -count=1 -tags purego $(NUMERICAL)

suite:
	$(E2E) go test $(TIMED) -tags e2e -count=1 ./...

# Needs the Go vulnerability database.
vuln:
	go run $(GOVULNCHECK) ./...

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

# Against NumPy/SciPy, in turns, into bench/RESULTS.md: about 15 minutes on a
# machine that does nothing else.
bench-peers: setup
	$(E2E) go run ./bench

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

clean:
	rm -rf bin .venv coverage.out report.html paper-results
