# Everything a person does with this checkout. `make play` and `make test` work on a fresh one, each alone.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.7
STAMPS := $(VENV)/stamps
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
OFFLINE := { echo "The packages could not be fetched: is the network there? What is needed stands in requirements.txt." >&2; exit 1; }
# Installs a package of Debian where that is allowed, else says why it is needed.
FETCH = { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing $(1). $(2)." && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	else \
		echo "$(2), which is missing: sudo apt-get install $(1)" >&2; exit 1; \
	fi; }

PAGE := python/plyground/server/static/index.html
WEB := web/index.html web/package-lock.json web/vite.config.ts web/svelte.config.js web/tsconfig.json $(shell find web/src web/public -type f 2>/dev/null)
PYTHONS := python tests benchmarks build_backend
RUST := Cargo.toml Cargo.lock .cargo/config.toml $(shell find crates -name '*.rs' -o -name Cargo.toml 2>/dev/null)

.PHONY: help play web test check format lint weblint bench build page api pins clean tests postgresql chromium

help:  ## Say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

play: build page  ## Install what is needed, then play on http://localhost:5050
	@$(BIN)/plyground serve

web: build page  ## The same with hot reload of the page's sources, on http://localhost:5173
	@trap 'kill 0' EXIT; $(BIN)/plyground serve --no-browser & cd web && npm run dev

test: $(STAMPS)/dev $(STAMPS)/syzygy build page postgresql chromium  ## Install what is needed, then run every test
	@$(MAKE) --no-print-directory tests

tests:
	cargo test --workspace --quiet
	cd web && npm run --silent test
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(STAMPS)/dev $(STAMPS)/syzygy build page postgresql chromium  ## What CI runs: formats, lints, types, tests
	@$(MAKE) --no-print-directory lint tests

format: $(STAMPS)/dev  ## Rewrite the sources in the one style
	rustfmt --edition 2024 $(shell find crates -name '*.rs')
	$(BIN)/ruff format $(PYTHONS)
	$(BIN)/ruff check --fix --quiet $(PYTHONS)

lint: $(STAMPS)/dev build weblint  ## Formats, lints and types, changing nothing
	rustfmt --edition 2024 --check $(shell find crates -name '*.rs')
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff format --check --quiet $(PYTHONS)
	$(BIN)/ruff check --quiet $(PYTHONS)
	$(BIN)/mypy
	cd python && ../$(BIN)/python -m mypy.stubtest plyground._engine

weblint: page build
	cd web && npm run --silent check && npm run --silent lint
	@$(BIN)/python -m plyground.server.schema $(VENV)/openapi.json && cmp -s $(VENV)/openapi.json web/src/api/openapi.json && \
		(cd web && npx openapi-typescript ../$(VENV)/openapi.json -o ../$(VENV)/schema.d.ts >/dev/null) && cmp -s $(VENV)/schema.d.ts web/src/api/schema.d.ts || \
		{ echo "The page's types are not those of the server: run make api." >&2; exit 1; }

api: build page  ## Make the page's types from the server's shapes
	$(BIN)/python -m plyground.server.schema web/src/api/openapi.json
	cd web && npm run --silent api

bench: $(STAMPS)/dev build  ## Measure speed beside the peers
	$(BIN)/plyground bench --against openspiel

page: $(PAGE)  ## Build the page into the package

build: $(STAMPS)/build  ## Build the engine and install the package into .venv

pins: $(STAMPS)/uv  ## Choose versions again and write them down
	$(BIN)/uv pip compile --quiet --no-header --no-emit-index-url pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --no-header --no-emit-index-url --constraint requirements.txt --extra dev pyproject.toml -o requirements-dev.txt

postgresql:  ## Install the PostgreSQL server that the tests start, where it is missing
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || $(call FETCH,postgresql,The tests of the store start a PostgreSQL server)

chromium:  ## Install the browser that the tests drive, where it is missing
	@command -v chromium >/dev/null || $(call FETCH,chromium,The tests of the page drive Chromium)

clean:  ## Remove everything that was built
	rm -rf $(VENV) target python/plyground/*.so $(dir $(PAGE)) web/node_modules

$(STAMPS)/uv:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (command $(PYTHON))." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Say which with PYTHON=..." >&2; exit 1; }
	@command -v cargo >/dev/null || { echo "A Rust toolchain is needed (command cargo)." >&2; exit 1; }
	@echo "Making the environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet uv==$(UV_VERSION) || $(OFFLINE)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements.txt $(STAMPS)/uv
	@echo "Installing what the package needs"
	@$(UV) -r requirements.txt maturin==$$(sed -n 's/^requires = \["maturin==\(.*\)"\]/\1/p' pyproject.toml) || $(OFFLINE)
	@touch $@

$(STAMPS)/dev: requirements-dev.txt $(STAMPS)/uv
	@echo "Installing what the tests need"
	@$(UV) -r requirements-dev.txt || $(OFFLINE)
	@touch $@ $(STAMPS)/run

$(PAGE): $(WEB) $(STAMPS)/uv
	@echo "Building the page"
	@command -v npm >/dev/null || $(UV) $$(sed -n 's/^NODE_PACKAGE = "\(.*\)"/\1/p' build_backend/web_page.py) || $(OFFLINE)
	@$(BIN)/python build_backend/web_page.py
	@touch $@

# The source of python-chess comes with real Syzygy files of up to four pieces, which the tests ask; its package does not.
$(STAMPS)/syzygy: requirements.txt $(STAMPS)/uv
	@echo "Fetching the Syzygy files that the tests ask"
	@rm -rf $(VENV)/syzygy && mkdir -p $(VENV)/syzygy
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary chess --dest $(VENV)/syzygy \
		$$(grep -E '^chess==' requirements.txt) || { \
		echo "The source of python-chess could not be fetched, whose Syzygy files the tests ask: is the network there?" >&2; exit 1; }
	@tar -xzf $(VENV)/syzygy/chess-*.tar.gz -C $(VENV)/syzygy --strip-components=4 --wildcards '*/data/syzygy/regular/*.rtb[wz]'
	@rm $(VENV)/syzygy/chess-*.tar.gz
	@touch $@

$(STAMPS)/build: $(RUST) pyproject.toml $(STAMPS)/run
	@echo "Building the engine (about a minute the first time)"
	@PATH="$(abspath $(BIN)):$$PATH" VIRTUAL_ENV=$(abspath $(VENV)) maturin develop --release --uv --quiet \
		>$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log >&2; exit 1; }
	@touch $@
