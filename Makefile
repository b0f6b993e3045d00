# Everything a person needs. `make run` and `make test` do their own set-up; `make help` lists the rest.
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
MEMBERS := shared services/league services/combat services/economy services/mail console deploy/local
IMAGE_MEMBERS := $(filter-out deploy/local,$(MEMBERS))
LOCK = $(UV) pip compile --quiet --universal --generate-hashes --no-annotate --no-header
SEED ?= 1
export UV_PYTHON_DOWNLOADS = never

.PHONY: help run test setup setup-pip lock lint contracts chaos soak

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: setup ## bring everything up, play the first round, stay up until Ctrl-C
	@.venv/bin/solaris demo

test: setup ## the whole suite on the embedded PostgreSQL and NATS
	@.venv/bin/pytest

setup: .venv/.ready ## make .venv from the hashed lock

.uv/bin/uv: toolchain.lock
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement toolchain.lock
	touch $@

.venv/.ready: requirements.lock $(MEMBERS:%=%/pyproject.toml) | $(filter .uv/bin/uv,$(UV))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python .venv/bin/python --require-hashes --compile-bytecode requirements.lock
	$(UV) pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --offline $(MEMBERS:%=-e %)
	touch $@

setup-pip: ## the same with venv and pip alone (slower; where uv cannot run)
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index $(MEMBERS:%=-e %)
	touch .venv/.ready

lock: | $(filter .uv/bin/uv,$(UV)) ## pin every dependency with hashes, for all platforms, without addresses
	$(LOCK) $(patsubst %,--no-emit-package solaris-%,shared league combat economy mail console local) \
	  --group dev pyproject.toml --output-file requirements.lock
	$(LOCK) --no-emit-package solaris-shared --constraint requirements.lock \
	  $(IMAGE_MEMBERS:%=%/pyproject.toml) --output-file deploy/requirements.lock
	echo uv | $(LOCK) - --output-file toolchain.lock

lint: setup ## style and imports of everything, types of the kernel and the engines
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports
	.venv/bin/mypy

contracts: setup ## regenerate contracts/ and the rules coverage page from the code
	.venv/bin/solaris contracts

chaos: setup ## faults under load for one seed: make chaos SEED=7
	SOLARIS_CHAOS_SEEDS=$(SEED) .venv/bin/pytest -m chaos tests/chaos

soak: setup ## the long counts of every suite
	SOLARIS_SOAK=1 .venv/bin/pytest -m "soak or chaos or bench"
