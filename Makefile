# Every target creates what it needs. The virtual environment is filled once for each
# group of dependencies and again only when pyproject.toml changes.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PYTEST_ARGS ?=

# One BLAS thread: the matrices are small, and results must not depend on the machine's cores.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: demo test test-all test-fast test-pythons check format fuzz machines bench schema bundle wheel fmu-front validation papers pages docs clean help
.NOTPARALLEL:

demo: $(VENV)/.core ## run the two-stage gearbox of the demonstration: table, pictures and page of the viewer in out/
	$(BIN)/python -m pitchline.gallery.demo

# The engine compiles on one processor while packages are installed and types are checked on the other.
test: $(VENV)/.core ## formatting, lint, type check and tests (PYTEST_ARGS="-k name" to choose)
	@$(BIN)/python -m pitchline warm --alone > /dev/null 2>&1 & compiling=$$!; \
		trap "kill $$compiling 2> /dev/null || true" EXIT; \
		$(MAKE) --no-print-directory check $(VENV)/.test
	$(BIN)/python -m pitchline warm
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-all: ## the tests with those that take long: pages, long runs, comparisons that repeat others in more detail
	@$(MAKE) --no-print-directory test PYTEST_ARGS='--all $(PYTEST_ARGS)'

test-fast: $(VENV)/.test ## the fast tests, in less than 90 s after the first run
	$(BIN)/python -m pitchline warm
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder --fast $(PYTEST_ARGS)

test-pythons: ## the fast tests with every installed Python from 3.11 to 3.13 (VERSIONS="3.13" to choose)
	$(PYTHON) scripts/test_pythons.py $(VERSIONS)

check: $(VENV)/.check ## formatting, lint and type check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.check ## format the code
	$(BIN)/ruff format .

fuzz: $(VENV)/.test ## 10,000 damaged files for each reader, 500 sessions with each FMU (ARGS="rexs --count 500" to choose)
	$(BIN)/python scripts/fuzz.py $(ARGS)

machines: $(VENV)/.test ## 300 random machines and their invariances (ARGS="--seeds 0:20000 --kinds gears --minutes 60" to choose)
	PYTHONPATH=tests $(BIN)/python -m machines $(ARGS)

bench: $(VENV)/.bench ## speed and scaling, side by side with Exudyn
	$(BIN)/python bench/run.py

schema: $(VENV)/.test ## write the JSON Schema of model files, after a change of the API
	$(BIN)/python -c "from pitchline.files.schema import schema_text as s; print(s(), end='')" > schema.new
	mv schema.new src/pitchline/files/schema.json

bundle: ## script and style sheet of the viewer from viewer/src (needs Node)
	cd viewer && npm ci --ignore-scripts --no-audit --no-fund && npm run check && npm run build

wheel: $(VENV)/.wheel ## a wheel for machines like this one, with machine code inside, in dist/
	$(BIN)/python scripts/build_wheel.py dist

fmu-front: $(VENV)/.wheel ## the libraries of FMUs that run in Python, for all platforms, after a change of their C sources
	$(BIN)/python -m pip install --quiet ziglang
	$(BIN)/python scripts/build_fmu_front.py

validation: $(VENV)/.test ## run all reference cases and write the table docs/validation/table.md
	PYTHONPATH=tests $(BIN)/python -m references.cases

papers: $(VENV)/.test ## run the models of the five papers and write their pages docs/papers/*.md (ARGS="cardona" to choose)
	PYTHONPATH=tests $(BIN)/python -m references.papers $(ARGS)

pages: $(VENV)/.test ## write what the code of the pages prints into the pages (ARGS="README.md" to choose)
	PYTHONPATH=tests $(BIN)/python -m references.printed_pages $(ARGS)

docs: $(VENV)/.docs ## the documentation, as HTML in docs/_build/html
	$(BIN)/sphinx-build --fail-on-warning --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean: ## remove the virtual environment and everything built
	rm -rf $(VENV) .venv-3.* dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pitchline needs Python 3.11 or newer; choose one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The stamp file of a group, e.g. .venv/.test, is newer than pyproject.toml when that group is installed.
$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.test $(VENV)/.check $(VENV)/.docs $(VENV)/.bench $(VENV)/.wheel: $(VENV)/.%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	@touch $@
