# Two commands do everything: `make generate` and `make test`.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
SOURCES := generator tests bench

.PHONY: help setup generate docs check test lint format fuzz bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

setup: .venv/installed ## make .venv and install errspec in it, editable

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/tools: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.venv/bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

generate: setup ## write generated/ from spec/, and install the generated Python packages
	$(BIN)/errspec generate
	@for project in generated/python/*/pyproject.toml; do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$$(dirname "$$project")" || exit 1; \
	done

docs: setup ## write the site of the catalogues into errors-site/
	$(BIN)/errspec docs

check: setup ## does generated/ say what spec/ says?
	$(BIN)/errspec check

test: .venv/tools ## run all tests, with the real compilers
	$(BIN)/python -m pytest -n auto

fuzz: .venv/tools ## draw catalogues and break files: COUNT=1000, or SECONDS=600; SEED repeats a run
	$(BIN)/python tests/fuzz/run.py

lint: .venv/tools ## ruff, black, mypy --strict, pyright
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/black --check --quiet $(SOURCES)
	$(BIN)/mypy
	$(BIN)/pyright

format: .venv/tools ## put our Python into shape
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/black --quiet $(SOURCES)

bench: .venv/bench ## how fast: errspec, its peers, and what it generates; ARGS=--quick
	$(BIN)/python -m bench $(ARGS)

clean: ## remove .venv and what tools left behind
	rm -rf .venv errors-site tests/node/node_modules build dist .hypothesis .fuzz .mypy_cache .pytest_cache .ruff_cache
	find templates generated -name __pycache__ -o -name build -o -name '*.egg-info' | xargs rm -rf
