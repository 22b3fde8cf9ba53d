# All development commands. `make play` and `make test` each work on a fresh checkout.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.7
STAMPS := $(VENV)/stamps
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
OFFLINE := { echo "Cannot download packages. Check the network connection; requirements.txt lists the packages." >&2; exit 1; }
# Installs a Debian package as root; otherwise prints the command to run.
FETCH = { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing $(1) ($(2))" && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	else \
		echo "$(1) is missing ($(2)). Install it with: sudo apt-get install $(1)" >&2; exit 1; \
	fi; }

PAGE := python/plyground/server/static/index.html
WEB := web/index.html web/package-lock.json web/vite.config.ts web/svelte.config.js web/tsconfig.json $(shell find web/src web/public -type f 2>/dev/null)
PYTHONS := python tests benchmarks build_backend tools
STUB := python/plyground/_engine.pyi
RUST := $(STUB) Cargo.toml Cargo.lock .cargo/config.toml $(shell find crates -name '*.rs' -o -name Cargo.toml 2>/dev/null)

.PHONY: help play path web test check format lint weblint learn bench measure strings build page api pins clean tests postgresql chromium stockfish

help:  ## List the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

play: build page path  ## Install everything needed and serve the web UI on http://localhost:5050
	@$(BIN)/plyground serve

path:
	@command -v plyground >/dev/null || \
		echo 'To use the command line in another terminal, run: export PATH="$(abspath $(BIN)):$$PATH"'

web: build page  ## Serve the web UI with hot reload on http://localhost:5173
	@trap 'kill 0' EXIT; $(BIN)/plyground serve --no-browser & cd web && npm run dev

test: $(STAMPS)/dev $(STAMPS)/syzygy build page postgresql chromium stockfish  ## Install everything needed and run all tests
	@$(MAKE) --no-print-directory tests

tests:
	cargo test --workspace --quiet
	cd web && npm run --silent test
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(STAMPS)/dev $(STAMPS)/syzygy build page postgresql chromium stockfish  ## Run what CI runs: formatting, linting, type checks, tests
	@$(MAKE) --no-print-directory lint tests

format: $(STAMPS)/dev page  ## Format all sources
	@rustfmt --edition 2024 $(shell find crates -name '*.rs')
	$(BIN)/ruff format $(PYTHONS)
	$(BIN)/ruff check --fix --quiet $(PYTHONS)
	cd web && npm run --silent format

lint: $(STAMPS)/dev build weblint  ## Check formatting, lints and types without changing files
	@rustfmt --edition 2024 --check $(shell find crates -name '*.rs')
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff format --check --quiet $(PYTHONS)
	$(BIN)/ruff check --quiet $(PYTHONS)
	$(BIN)/mypy
	cd python && ../$(BIN)/python -m mypy.stubtest plyground._engine

weblint: page build
	cd web && npm run --silent check && npm run --silent lint
	@$(BIN)/python -m plyground.server.schema $(VENV)/openapi.json && cmp -s $(VENV)/openapi.json web/src/api/openapi.json && \
		(cd web && npx openapi-typescript ../$(VENV)/openapi.json -o ../$(VENV)/schema.d.ts >/dev/null) && cmp -s $(VENV)/schema.d.ts web/src/api/schema.d.ts || \
		{ echo "The generated web client is out of date. Run: make api" >&2; exit 1; }

api: build page  ## Regenerate the web client from the server's schema
	$(BIN)/python -m plyground.server.schema web/src/api/openapi.json
	cd web && npm run --silent api

learn: build  ## Install PyTorch, which training networks requires (about 5 GB)
	@$(UV) $$(sed -n 's/^learn = \["\(.*\)"\]/\1/p' pyproject.toml) || $(OFFLINE)

bench: $(STAMPS)/dev build  ## Compare speed with OpenSpiel
	$(BIN)/plyground bench --against openspiel

measure: $(STAMPS)/dev build page chromium  ## Check the benchmarks against benchmarks/thresholds.toml
	@$(BIN)/python benchmarks/measure.py

strings:  ## Write all user-visible strings to strings.txt for review
	@$(PYTHON) tools/strings.py

page: $(PAGE)  ## Build the web UI into the package

build: $(STAMPS)/build  ## Build the engine and install the package into .venv

pins: $(STAMPS)/uv  ## Update the pinned dependency versions
	$(BIN)/uv pip compile --quiet --no-header --no-emit-index-url pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --no-header --no-emit-index-url --constraint requirements.txt --extra dev pyproject.toml -o requirements-dev.txt

postgresql:  ## Install PostgreSQL for the tests, if missing
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || $(call FETCH,postgresql,the store tests start a PostgreSQL server)

chromium:  ## Install Chromium for the browser tests, if missing
	@command -v chromium >/dev/null || $(call FETCH,chromium,the browser tests use it)

stockfish:  ## Install Stockfish for the tests of teachers, if missing
	@command -v stockfish >/dev/null || [ -x /usr/games/stockfish ] || $(call FETCH,stockfish,the learning tests use it as a teacher)

clean:  ## Remove all build products
	rm -rf $(VENV) target python/plyground/*.so $(dir $(PAGE)) web/node_modules

$(STAMPS)/uv:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is required, but $(PYTHON) was not found." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is required, but $(PYTHON) is older. Choose another with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@command -v cargo >/dev/null || { echo "A Rust toolchain is required, but cargo was not found." >&2; exit 1; }
	@echo "Creating the virtual environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet uv==$(UV_VERSION) || $(OFFLINE)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements.txt $(STAMPS)/uv
	@echo "Installing the dependencies"
	@$(UV) --compile-bytecode -r requirements.txt maturin==$$(sed -n 's/^requires = \["maturin==\(.*\)"\]/\1/p' pyproject.toml) || $(OFFLINE)
	@touch $@

$(STAMPS)/dev: requirements-dev.txt $(STAMPS)/uv
	@echo "Installing the development dependencies"
	@$(UV) -r requirements-dev.txt || $(OFFLINE)
	@touch $@ $(STAMPS)/run

$(PAGE): $(WEB) $(STAMPS)/uv
	@echo "Building the web UI"
	@command -v npm >/dev/null || $(UV) $$(sed -n 's/^NODE_PACKAGE = "\(.*\)"/\1/p' build_backend/build_web_ui.py) || $(OFFLINE)
	@$(BIN)/python build_backend/build_web_ui.py
	@touch $@

# The source distribution of python-chess contains real Syzygy files with up to four pieces for the tests; the wheel does not.
$(STAMPS)/syzygy: requirements.txt $(STAMPS)/uv
	@echo "Downloading the Syzygy files for the tests"
	@rm -rf $(VENV)/syzygy && mkdir -p $(VENV)/syzygy
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary chess --dest $(VENV)/syzygy \
		$$(grep -E '^chess==' requirements.txt) || { \
		echo "Cannot download the source distribution of python-chess, which contains the Syzygy test files. Check the network connection." >&2; exit 1; }
	@tar -xzf $(VENV)/syzygy/chess-*.tar.gz -C $(VENV)/syzygy --strip-components=4 --wildcards '*/data/syzygy/regular/*.rtb[wz]'
	@rm $(VENV)/syzygy/chess-*.tar.gz
	@touch $@

$(STAMPS)/build: $(RUST) pyproject.toml $(STAMPS)/run
	@echo "Building the engine (about a minute the first time)"
	@PATH="$(abspath $(BIN)):$$PATH" VIRTUAL_ENV=$(abspath $(VENV)) maturin develop --release --uv --quiet \
		>$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log >&2; exit 1; }
	@$(BIN)/python -m compileall -q python/plyground
	@touch $@
