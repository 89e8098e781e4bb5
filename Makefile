# What people run. Every target sets up what it needs first, and does nothing for what is set up already.
#   make serve     the classroom on http://HOST:PORT      make lock      pin new dependencies
#   make test      all tests                              make upgrade   pin the newest of every dependency
#   make check     format, lint, types, layers            make format    let ruff format and mend
#   make bench     the benchmark, as JSON                 make clean     remove all that set-up made
#   make browsers  smoke journeys in Firefox and WebKit
# EXTRAS=tensorflow,jax adds these runtimes to PyTorch; once installed, they stay.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
PYTEST ?=
EXTRAS ?=
export EXTRAS

bootstrap := $(PYTHON) -m bootstrap
python := .venv/bin/python

serve:
	@$(bootstrap) runtime assets
	@exec $(python) -m app.cli serve --host $(HOST) --port $(PORT)

test:
	@$(bootstrap) development assets chromium
	@$(bootstrap) npm test --silent
	$(python) -m pytest --numprocesses=auto --maxprocesses=4 $(PYTEST)

check:
	@$(bootstrap) development assets
	$(python) -m ruff format --check .
	$(python) -m ruff check .
	$(python) -m mypy
	.venv/bin/lint-imports
	$(bootstrap) npm run check --silent

format:
	@$(bootstrap) development
	$(python) -m ruff format .
	$(python) -m ruff check --fix .

bench:
	@$(bootstrap) development assets >&2
	@$(python) -m tests.bench

browsers:
	@$(bootstrap) development assets browsers
	@$(python) -m tests.other_browsers

lock:
	@$(bootstrap) lock

upgrade:
	@$(bootstrap) lock --upgrade

clean:
	rm -rf .venv node_modules static/build static/reference.json *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: serve test check format bench browsers lock upgrade clean
