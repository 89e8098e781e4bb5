# What people run. Every target sets up what it needs first, and does nothing for what is already set up.
#   make serve     the classroom on http://HOST:PORT      make lock      pin new dependencies
#   make author    the same for authors of lessons        make upgrade   pin the newest of every dependency
#   make course    run the whole course, and axe          make format    let ruff and Biome format and fix
#   make test      all tests                              make clean     remove everything set-up made
#   make check     format, lint, types, layers            make browsers  smoke journeys in Firefox and WebKit
#   make bench     the benchmark, as JSON                  make nightly  what takes too long for every change
# COURSE=folder is the course that `make author` serves and `make course` checks, instead of lessons/.
# EXTRAS=tensorflow,jax adds these runtimes to PyTorch; once installed, they stay.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
PYTEST ?=
EXTRAS ?=
COURSE ?=
export EXTRAS

bootstrap := $(PYTHON) -m bootstrap
python := .venv/bin/python

serve:
	@$(bootstrap) runtime assets
	@exec $(python) -m app.cli serve --migrate --host $(HOST) --port $(PORT)

author:
	@$(bootstrap) runtime assets
	@exec $(python) -m app.cli author $(COURSE) --host $(HOST) --port $(PORT)

course: export GRADROOM_LESSONS_FOLDER := $(or $(COURSE),$(GRADROOM_LESSONS_FOLDER),lessons)
# else a second zygote warms up beside the first runs
course: export GRADROOM_ZYGOTE_EARLY := false
course:
	@$(bootstrap) development assets chromium
	@$(python) -m app.cli lessons check
	$(python) -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadgroup $(PYTEST) tests/browser/every_lesson.py tests/grading/every_memory_limit.py

test:
	@$(bootstrap) development assets chromium
	@$(bootstrap) npm test --silent
	$(python) -m pytest --numprocesses=auto --maxprocesses=4 $(PYTEST)

check:
	@$(bootstrap) development assets types
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target check-scripts check-types check-layers check-format check-lint

check-format:
	$(python) -m ruff format --check .

check-lint:
	$(python) -m ruff check .

check-types:
	$(python) -m mypy

check-layers:
	.venv/bin/lint-imports

check-scripts:
	$(bootstrap) npm run check --silent

format:
	@$(bootstrap) development packages
	$(bootstrap) npm run format --silent
	$(python) -m ruff format .
	$(python) -m ruff check --fix .

bench:
	@$(bootstrap) development assets >&2
	@$(python) -m tests.bench

nightly:
	@$(bootstrap) development assets chromium
	@$(python) -m tests.nightly

browsers:
	@$(bootstrap) development assets browsers
	@$(python) -m tests.other_browsers

lock:
	@$(bootstrap) lock

upgrade:
	@$(bootstrap) lock --upgrade

clean:
	rm -rf .venv node_modules static/build static/formulas.json static/reference.json static/titles.json static/js/api.d.ts *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: serve author course test check check-format check-lint check-types check-layers check-scripts format bench nightly browsers lock upgrade clean
