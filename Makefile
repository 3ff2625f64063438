# `make run` and `make test` do their own set-up, from a clean clone with Go and
# Node alone. CONTRIBUTING.md says what each target is for.
SHELL := /bin/sh
.DEFAULT_GOAL := run
.DELETE_ON_ERROR:

TAGS    := desktop,production,webkit2_41
BIN     := build/bin/drover
# Pinned, each in a module of its own: their own dependencies do not agree.
LINT    := go tool -modfile=tools/lint.mod golangci-lint
DEAD    := go tool -modfile=tools/deadcode.mod deadcode
WAILS   := go tool -modfile=tools/wails.mod wails
GO_SRC  := $(shell find . -name '*.go' -not -path './node_modules/*') go.mod go.sum
TS_SRC  := $(shell find frontend/src frontend/public frontend/index.html -type f) package.json package-lock.json vite.config.ts tsconfig.json
GENERATED := frontend/wailsjs backend/width/table.go frontend/src/features/terminal/widths-table.ts
# Everything but the window itself builds for every system without C.
OTHERS  := windows/amd64 darwin/arm64

.PHONY: run serve build test test-go test-page test-e2e test-window check fmt lint generate widths icon bench chaos judge recordings setup-build setup-test setup-bench clean

run: build
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname -s)" != Linux ]; then \
		exec $(BIN) $(ARGS); \
	else \
		echo "There is no display here, so Drover is served to a browser instead."; \
		exec $(BIN) serve $(ARGS); \
	fi

serve: build
	exec $(BIN) serve $(ARGS)

build: $(BIN)

$(BIN): $(GO_SRC) frontend/dist/index.html | setup-build
	go build -trimpath -tags $(TAGS) -ldflags "-s -w" -o $@ .

setup-build:
	@scripts/system.sh build

setup-test:
	@scripts/system.sh test

setup-bench:
	@scripts/system.sh bench

# npm leaves this file behind, newer than the lock file it was made from.
node_modules/.package-lock.json: package-lock.json package.json
	npm ci --no-audit --no-fund
	@touch $@

frontend/dist/index.html: $(TS_SRC) node_modules/.package-lock.json
	npm run --silent build

test: setup-test test-go test-page test-e2e test-window

test-go: judge
	go test -race -timeout 8m ./backend/...
	go test -race -timeout 5m -tags webkit2_41 .

test-page: node_modules/.package-lock.json
	npm run --silent test

test-e2e: $(BIN) | setup-test
	npm run --silent e2e

test-window: $(BIN) | setup-test
	npm run --silent window

check: lint check-page check-generated check-others check-dead

lint: frontend/dist/.gitkeep
	$(LINT) run ./...

check-page: node_modules/.package-lock.json
	npm run --silent check

# Generating anew must change nothing, committed or not.
check-generated: | setup-build
	@before=$$(mktemp -d) && trap 'rm -rf "$$before"' EXIT && tar cf - $(GENERATED) | tar xf - -C "$$before" && \
		$(MAKE) --no-print-directory generate && \
		for f in $(GENERATED); do diff -ru "$$before/$$f" "$$f" || { echo "$$f was not current; it is now: commit it with what it was made from" >&2; exit 1; }; done

check-others:
	@for t in $(OTHERS); do echo "vet for $$t"; GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 go vet ./backend/... || exit 1; done

# Functions that nothing reaches. (Methods count as reached: pages call them by name.)
# What only tests use of their own helpers is no fault.
check-dead:
	@out=$$($(DEAD) -tags $(TAGS) . ./backend/internal/bench) || exit 1; \
	out=$$(echo "$$out" | grep -v '^backend/internal/'); [ -z "$$out" ] || { echo "$$out"; exit 1; }

# Wails says much; what it says matters when it fails.
generate: widths | setup-build
	@said=$$($(WAILS) generate module -tags webkit2_41 2>&1) || { echo "$$said" >&2; exit 1; }

# The character widths, for Go and for the page. The Unicode data is an install of its own.
widths: backend/internal/widthgen/node_modules/.package-lock.json
	go run ./backend/internal/widthgen

backend/internal/widthgen/node_modules/.package-lock.json: backend/internal/widthgen/package-lock.json
	npm ci --no-audit --no-fund --prefix backend/internal/widthgen
	@touch $@

icon: node_modules/.package-lock.json | setup-test
	node scripts/icon.mjs

fmt: node_modules/.package-lock.json
	$(LINT) fmt
	npm run --silent format

bench: $(BIN) bench/headless/node_modules/.package-lock.json
	go run ./backend/internal/bench -bin $(BIN)

bench/headless/node_modules/.package-lock.json: bench/headless/package-lock.json | setup-bench
	npm ci --no-audit --no-fund --prefix bench/headless
	@touch $@

chaos: $(BIN) | setup-test
	go test -v -count=1 -timeout 30m -tags chaos -run Chaos ./backend/internal/chaos -rounds $(or $(ROUNDS),50)

# Our screen against xterm.js: cases, recordings, a thousand generated cases.
judge: node_modules/.package-lock.json
	go run ./backend/internal/screenjudge -from 0 -seeds 1000

# What real programs write, for the judge of the screen. Linux, with those programs.
recordings:
	go run ./backend/internal/screenrec

clean:
	rm -rf build/bin frontend/dist/assets frontend/dist/index.html
