# One command each: set-up and work. Everything is installed into .venv and client-vscode/node_modules.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo lint test test-server test-client-unit test-editor test-long bench vsix generate

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements/runtime.txt
	$(PIP) install --no-deps --editable .
	touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	$(PIP) install --require-hashes -r requirements/dev.txt
	touch $@

demo: $(VENV)/.runtime ## Show the main job on repositories made for it
	$(BIN)/python scripts/demo.py

client-vscode/node_modules/.installed: client-vscode/package.json client-vscode/package-lock.json
	cd client-vscode && npm ci --no-audit --no-fund --loglevel=error
	touch $@

lint: $(VENV)/.dev ## Style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

test: test-server test-client-unit ## Everything that must hold, but for a real VS Code (make test-editor)

test-server: lint ## What must hold of the server
	$(BIN)/python -m pytest -q -n $(WORKERS)

test-client-unit: client-vscode/node_modules/.installed $(VENV)/.dev ## The client's types, style and pure parts
	$(BIN)/python scripts/generate_client.py --check
	cd client-vscode && npm run --silent check && npm run --silent test:unit

test-editor: client-vscode/node_modules/.installed $(VENV)/.runtime ## A real VS Code, driven in headless Chromium
	scripts/editor_testbed.sh
	cd client-vscode && npm run --silent test:editor

test-long: lint ## The server's tests with their full counts
	GIT_SIDECAR_LONG=1 $(BIN)/python -m pytest -q -n $(WORKERS) --timeout 3600

bench: $(VENV)/.dev ## Measure, as ratios within one run
	$(BIN)/python -m tests.benchmarks.run

vsix: client-vscode/node_modules/.installed $(VENV)/.dev ## The extension for this machine, into dist/
	$(BIN)/python scripts/build_vsix.py

generate: $(VENV)/.dev ## Everything that is generated: docs, the client's manifest and types, golden files
	$(BIN)/python scripts/generate_docs.py
	$(BIN)/python scripts/generate_settings.py
	$(BIN)/python scripts/generate_client.py
	GIT_SIDECAR_UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q tests/golden tests/tools
