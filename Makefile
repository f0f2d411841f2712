# One command each: set-up and work. Everything is installed into .venv and client-vscode/node_modules.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test test-long lint bench vsix docs client test-theia clean

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

lint: $(VENV)/.dev ## Style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

test: lint ## Everything that must hold
	$(BIN)/python -m pytest -q -n $(WORKERS)

test-long: lint ## The same with the full counts
	GIT_SIDECAR_LONG=1 $(BIN)/python -m pytest -q -n $(WORKERS) --timeout 3600

bench: $(VENV)/.dev ## Measure, as ratios within one run
	$(BIN)/python -m tests.benchmarks.run
