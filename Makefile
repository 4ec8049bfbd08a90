# Each target sets up what it needs in .venv on a fresh machine with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH := $(VENV)/.bench

# What is compiled is kept, whatever this machine is set to: hundreds of processes are started here,
# and each would compile the whole again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play serve test long screens check mutate bench dice drills simulate-faults held bites cover clean

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "passline needs Python 3.11 or later; set PYTHON=python3.11"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		-c constraints.txt -e '.[dev]'
	@$(BIN)/python -m compileall -qq -j 0 -x 'site-packages/.*/tests?/' $(VENV)/lib src || true
	@touch $@

$(BENCH): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

# PLAY="iowa --plain": another table, or sentences for a screen reader. Without a terminal it plays
# the lines that come through the pipe, and ends with them.
play: $(READY)
	@$(BIN)/passline play $(PLAY)

# SERVE="--host 0.0.0.0 --port 8000": where. It says its address and where the house key is.
serve: $(READY)
	@$(BIN)/passline serve $(SERVE)

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs

# What is left out there: what takes ten seconds or more by itself, and further variants.
long: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs -m long

# A picture of every page, in build/screens.
screens: $(READY)
	PASSLINE_SCREENS=1 $(BIN)/python -m pytest -n 2 -rs tests/browser

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_structure.py

mutate: $(READY)
	$(BIN)/python tools/mutate.py

bench: $(BENCH)
	$(BIN)/python -m bench

# Ten million throws of the house's dice, from the secure source, held to 99 percent bounds.
dice: $(READY)
	$(BIN)/python -m tests.live.fairness

# The dealer school's questions, over every level and rulebook, each answer borne out by a record that
# is dealt. DRILLS=20: so many of each drill.
DRILLS ?= 1000
drills: $(READY)
	@$(BIN)/python -m tests.school.confirm --seeds $(DRILLS)

# Worlds of the live table under simulated faults, on every core. SEED=123: one of them, with all
# that happens in it.
SEEDS ?= 1000
simulate-faults: $(READY)
	@$(BIN)/python -m tests.simulated $(if $(SEED),--seed $(SEED),--seeds $(SEEDS))

held: $(READY)
	$(BIN)/python tools/held.py

# Judges every row of clause_tests.tsv anew: minutes.
bites: $(READY)
	$(BIN)/python tools/held.py --all

cover: $(READY)
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term-missing

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
