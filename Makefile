# Everything one does with a clone. `make run` and `make test` are all a newcomer needs.
#
#   PORT=8001 make run      another port
#   DATA_DIR=/srv/x make run    another place for database, queue, uploads, exports and logs
#   DEMO=0 make run         start empty
#   TORCH_INDEX=URL make setup  take torch from another index, e.g. its CPU-only builds (see README)

.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The first Python that is new enough and can make a virtual environment.
SUITS := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do $$p -c '$(SUITS)' 2>/dev/null && echo $$p && break; done)
TORCH_INDEX ?=
DATA_DIR ?= var
PYTEST_ARGS ?=
export DATA_DIR

.PHONY: help setup run stop test check bench interop sbom audit clean

help:
	@echo "make run     start Proofmark on http://127.0.0.1:8000/ (PORT, DATA_DIR, DEMO=0); Ctrl+C stops it"
	@echo "make stop    stop it from another terminal"
	@echo "make test    run the whole test suite"
	@echo "make check   linters, types, import contracts"
	@echo "make bench   speed and quality figures"
	@echo "make interop have the real libraries read our exports (see interop/README.md)"
	@echo "make sbom    write dist/sbom.json, a CycloneDX bill of materials of the pinned dependencies"
	@echo "make audit   ask PyPI for known vulnerabilities of them (needs the network)"
	@echo "make setup   only make .venv with everything in it"
	@echo "make clean   remove .venv and caches (never $(DATA_DIR))"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(or $(PYTHON),false) -c '$(SUITS)' || { echo "Python 3.11 or newer with its venv module is needed. Name one: make setup PYTHON=/path/to/python3"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV); the first time this takes a few minutes …"
	$(if $(TORCH_INDEX),$(BIN)/pip install --quiet --constraint constraints.txt --index-url $(TORCH_INDEX) torch)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@$(BIN)/python -m proofing.encoder || echo "The sentence encoder will be exported when it is first used."
	@touch $@

run: setup
	@$(BIN)/python manage.py serve

stop:
	@test -x $(BIN)/python || { echo "Nothing runs: there is no $(VENV)."; exit 0; }; $(BIN)/python manage.py stop

test: setup
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 $(PYTEST_ARGS)

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/djlint --lint templates
	$(BIN)/lint-imports
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run

# Figures need labelled files, which a clone does not bring: make bench DATA=FOLDER [MODEL=fitted on folds 2-4]
bench: setup
	@test -n "$(DATA)" || { echo "make bench DATA=FOLDER reads the labelled answers/1 files of that folder; $(BIN)/python bench/quality.py --help says more."; exit 2; }
	$(BIN)/python bench/healing.py $(DATA)/ragtruth_train.jsonl.gz
	$(if $(MODEL),$(BIN)/python bench/quality.py --data $(DATA) --model $(MODEL))

INTEROP_CACHE ?= $(HOME)/.cache/proofmark/interop
interop: setup
	@INTEROP_CACHE="$(INTEROP_CACHE)" PYTHON="$(PYTHON)" sh interop/run.sh

# Tools of their own, never beside what they look at.
AUDIT := .audit
$(AUDIT)/bin/pip-audit:
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/pip install --quiet pip-audit==2.10.1 cyclonedx-bom==7.5.0

sbom: $(AUDIT)/bin/pip-audit
	@mkdir -p dist
	$(AUDIT)/bin/cyclonedx-py requirements constraints.txt --output-reproducible --output-file dist/sbom.json

audit: $(AUDIT)/bin/pip-audit
	$(AUDIT)/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip --strict

clean: stop
	rm -rf $(VENV) $(AUDIT) dist build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov test-results
	find . -path ./$(DATA_DIR) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
	@test ! -d $(DATA_DIR) || echo "$(DATA_DIR) still holds the answers and what people decided on them; remove it yourself if you mean to."
