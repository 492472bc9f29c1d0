# make demo   builds symmom, decomposes the embedded digits, writes report.html
# make test   sets up what the tests need, then runs all of them

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
FUZZTIME    = 30s
E2E         = SYMMOM_PYTHON=$(CURDIR)/.venv/bin/python

.PHONY: demo build test setup lint race cover fuzz cross suite vuln bench bench-peers generate clean

demo: build
	bin/symmom demo --html report.html

build:
	go build -trimpath -o bin/symmom ./cmd/symmom

# The whole suite comes last, so that a run ends with go test's own lines.
test: setup lint cross race cover fuzz suite

setup:
	scripts/setup.sh

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt: $$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags e2e ./...
	go run $(STATICCHECK) -tags e2e ./...
	go mod tidy -diff

# Other platforms must at least compile, tests included.
cross:
	GOARCH=arm64 go vet ./internal/... ./symmom/... ./charts/... ./cmd/...
	GOOS=darwin GOARCH=arm64 go build ./...

race:
	go test -race ./...

# Apart from the race detector: counting statements atomically in the innermost
# loops would take ten times as long.
cover:
	go test -coverpkg=./symmom/...,./internal/... -coverprofile=coverage.out ./symmom/... ./internal/...
	scripts/coverage.sh coverage.out 85

fuzz:
	go test -run '^$$' -fuzz '^FuzzCSV$$' -fuzztime $(FUZZTIME) ./internal/observations
	go test -run '^$$' -fuzz '^FuzzNPY$$' -fuzztime $(FUZZTIME) ./internal/observations

suite:
	$(E2E) go test -tags e2e -count=1 ./...

# Needs the Go vulnerability database.
vuln:
	go run $(GOVULNCHECK) ./...

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

# Against NumPy/SciPy, in turns, into bench/RESULTS.md: about 15 minutes on a
# machine that does nothing else.
bench-peers: setup
	$(E2E) go run ./bench

generate:
	go generate ./...

clean:
	rm -rf bin .venv coverage.out report.html
