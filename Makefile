# Each target sets up what it needs in .venv on a fresh machine with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# What is installed so far: each target below needs one of these, and sets up no more than that.
BASE := $(VENV)/.base
LIVE := $(VENV)/.live
READY := $(VENV)/.ready
BENCH := $(VENV)/.bench

# Compiled bytecode is kept even where the environment turns that off: many processes start here.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play serve test test-system verify long screens check mutate bench dice drills \
	simulate-faults clause-tests clause-tests-all cover clean

$(BASE): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "Creating $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Passline needs Python 3.11 or later: set PYTHON=python3.11"; exit 1; }
	@echo "Installing what playing needs (msgspec, click, rich) ..."
	@$(PIP) -e .
	@touch $@

$(LIVE): $(BASE)
	@echo "Installing what live tables need (a web server, SQLite and PostgreSQL) ..."
	@$(PIP) -e '.[live]'
	@touch $@

$(READY): $(BASE)
	@echo "Installing the lab, the live tables and the test tools (about a minute) ..."
	@$(PIP) -e '.[dev]'
	@touch $(LIVE) $@

$(BENCH): $(READY)
	@$(PIP) -e '.[bench]'
	@touch $@

# PLAY="iowa --plain" plays another rulebook, in sentences for a screen reader. Without a terminal,
# the table plays the lines from standard input and ends with them.
play: $(BASE)
	@$(BIN)/passline play $(PLAY)

# SERVE="--host 0.0.0.0 --port 8000" sets the address. The server prints its address and where the
# house key is.
serve: $(LIVE)
	@$(BIN)/passline serve $(SERVE)

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs

# Tests that start a browser, a database, several processes or many simulated servers.
test-system: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs -m 'system and not long'

# Everything that must hold before a change lands; .ci/run runs this.
verify: check test test-system

# Tests that take ten seconds or more each, and further variants.
long: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs -m long

# A picture of every page, in build/screens.
screens: $(READY)
	PASSLINE_SCREENS=1 $(BIN)/python -m pytest -n 2 -rs -m system tests/browser

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_structure.py

mutate: $(READY)
	$(BIN)/python tools/mutate.py

bench: $(BENCH)
	$(BIN)/python -m bench

# Throws the house's dice ten million times and checks the counts against 99 percent bounds.
dice: $(READY)
	$(BIN)/python -m tests.live.fairness

# Checks the school's questions at every level and rulebook against records that are dealt.
# DRILLS=20 takes 20 of each drill.
DRILLS ?= 1000
drills: $(READY)
	@$(BIN)/python -m tests.school.confirm --seeds $(DRILLS)

# Runs live tables under simulated faults, on every core. SEED=123 runs one seed and prints all of it.
SEEDS ?= 1000
simulate-faults: $(READY)
	@$(BIN)/python -m tests.simulated $(if $(SEED),--seed $(SEED),--seeds $(SEEDS))

# Finds which tests hold which clause, after tests were added, moved or removed.
clause-tests: $(READY)
	$(BIN)/python tools/clause_tests.py

# The same, judging every row of clause_tests.tsv anew: minutes.
clause-tests-all: $(READY)
	$(BIN)/python tools/clause_tests.py --all

cover: $(READY)
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term-missing

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
