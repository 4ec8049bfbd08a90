"""Run the bench: rolls a second beside crapssim and plain loops, memory, and commands' times."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib.metadata import version
from typing import Any

from bench import machines, measure

MOST_HELP, MOST_RECORD, RECORD_ROLLS = 0.2, 1.0, 1000
#: Growth over a long game that still counts as flat: the allocator's own coming and going.
MOST_GROWTH = 1_000_000
MOST_BLOCKS = 1_000


def measured(rolls: int, repetitions: int, long_rolls: int) -> dict[str, Any]:
    """Measure everything. Return it as one JSON object, in which "failed" lists missed bounds."""
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "crapssim": version("crapssim"),
        "rolls": rolls,
        "repetitions": repetitions,
        "deals": [deal._asdict() for deal in measure.deals(rolls, repetitions)],
        "memory": measure.memory(long_rolls)._asdict() if long_rolls else None,
    }
    passline = measure.command()
    found["command"] = passline is not None
    found["help_seconds"] = measure.help_seconds(passline) if passline else None
    found["record_seconds"] = measure.record_seconds(passline, RECORD_ROLLS) if passline else None
    found["machines"] = machines.measured(rolls, repetitions, passline)
    found["failed"] = failures(found) + machines.failures(found["machines"])
    return found


def failures(found: dict[str, Any]) -> list[str]:
    """Return a sentence for each bound that is missed, except those of ``bench.machines``."""
    wrong = [
        f"{deal['name']}: {deal['ratio']:.2f} of crapssim's speed"
        for deal in found["deals"]
        if deal["ratio"] < 1
    ]
    memory = found["memory"]
    if memory and (memory["rss_growth"] > MOST_GROWTH or memory["block_growth"] > MOST_BLOCKS):
        wrong.append(f"memory grew by {memory['rss_growth']} bytes over {memory['rolls']} rolls")
    for key, most in (("help_seconds", MOST_HELP), ("record_seconds", MOST_RECORD)):
        if found[key] is not None and found[key] > most:
            wrong.append(f"{key} {found[key]:.2f}, at most {most}")
    if found["command"] and found["record_seconds"] is None:
        wrong.append("the record could not be dealt: passline deal failed")
    return wrong


def show(found: dict[str, Any]) -> None:
    """Print the figures, and the bounds that are missed."""
    print(
        f"{found['rolls']:,} rolls, {found['repetitions']} times in turn, "
        "medians of processor time; "
        f"Python {found['python']}, crapssim {found['crapssim']}"
    )
    print(f"{'rolls a second':<24}{'passline':>12}{'crapssim':>12}{'ratio':>8}{'net':>14}")
    for deal in found["deals"]:
        print(
            f"{deal['name']:<24}{deal['ours']:>12,.0f}{deal['theirs']:>12,.0f}"
            f"{deal['ratio']:>8.2f}{deal['net'] / 100:>14,.2f}"
        )
    print("(net: the same to the cent at both tables)")
    memory = found["memory"]
    if memory:
        print(
            f"memory over {memory['rolls']:,} rolls: {memory['rss_growth'] / 1024:+,.0f} KiB "
            f"resident, {memory['block_growth']:+,} blocks"
        )
    for key, what, most in (
        ("help_seconds", "passline --help", MOST_HELP),
        ("record_seconds", f"a record of {RECORD_ROLLS:,} rolls dealt", MOST_RECORD),
    ):
        figure = "not measured: the passline command does not run here"
        if found[key] is not None:
            figure = f"{found[key]:.3f} s (at most {most})"
        print(f"{what}: {figure}")
    machines.show(found["machines"])
    for wrong in found["failed"]:
        print(f"FAILED: {wrong}")


def main() -> int:
    """Measure and print. Return 1 if a bound is missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rolls", type=int, default=20_000, help="rolls in each repetition")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--long", type=int, default=1_000_000, help="rolls for the memory; 0: none")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measured(options.rolls, options.repetitions, options.long)
    if options.json:
        json.dump(found, sys.stdout, indent=1)
        print()
    else:
        show(found)
    return 1 if found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
