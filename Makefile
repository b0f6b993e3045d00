# Everything a person needs; `make run` and `make test` do their own set-up.
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
MEMBERS := shared services/league services/combat services/economy services/mail deploy/local

.PHONY: setup lock test run

setup: .venv/.ready

.uv/bin/uv:
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet uv

.venv/.ready: requirements.lock $(MEMBERS:%=%/pyproject.toml) | $(filter .uv/bin/uv,$(UV))
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python .venv/bin/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python .venv/bin/python --no-deps $(MEMBERS:%=-e %)
	touch $@

lock: | $(filter .uv/bin/uv,$(UV))
	$(UV) pip compile --quiet --universal --generate-hashes --no-annotate --no-header \
	  $(patsubst %,--no-emit-package solaris-%,shared league combat economy mail local) \
	  --group dev pyproject.toml --output-file requirements.lock

test: setup
	.venv/bin/pytest
