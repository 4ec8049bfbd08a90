"""The pays of `las-vegas`, typed in: no rulebook prints them, every one is a custom."""

_ODDS = {4: ("2 to 1", "1 to 2"), 5: ("3 to 2", "2 to 3"), 6: ("6 to 5", "5 to 6")}
_FIELDS = {
    "twelve": ("2 to 1", "3 to 1"),
    "two": ("3 to 1", "2 to 1"),
    "double": ("2 to 1", "2 to 1"),
}
_FIRE = {
    "A": {4: 24, 5: 249, 6: 999},
    "B": {4: 39, 5: 199, 6: 499},
    "C": {4: 10, 5: 200, 6: 2000},
    "D": {3: 6, 4: 29, 5: 149, 6: 299},
}
_PAIRS = {4: 10, 5: 9, 6: 8}


def _numbers() -> list[str]:
    rows = []
    place = {4: ("9 to 5", "5 to 11"), 5: ("7 to 5", "5 to 8"), 6: ("7 to 6", "4 to 5")}
    for low, high in _PAIRS.items():
        taken, laid = _ODDS[low]
        for number in (low, high):
            rows += [
                f"place-win-{number} | {place[low][0]}",
                f"place-lose-{number} | {place[low][1]}",
            ]
            rows += [f"{family}-{number} | {taken}" for family in ("buy", "pass-odds", "come-odds")]
            laying = ("lay", "dont-pass-odds", "dont-come-odds")
            rows += [f"{family}-{number} | {laid}" for family in laying]
            rows.append(f"come-{number} | 1 to 1")
    return rows


def _center() -> list[str]:
    legs = "1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12"
    rows = [f"hop-{n}-{n} | 30 to 1" for n in (2, 3, 4, 5)]
    for first in (1, 2, 3, 4):
        rows += [f"hop-{first}-{n} | 15 to 1" for n in (3, 4, 5, 6) if n > first]
    rows += [f"horn | {legs}", f"whirl | {legs} + 1 any-seven"]
    for high in ("craps-2", "craps-3", "eleven", "craps-12"):
        number = {"eleven": "11"}.get(high, high.removeprefix("craps-"))
        rows.append(f"horn-high-{number} | {legs.replace(f'1 {high}', f'2 {high}', 1)}")
    return rows


def _options() -> list[str]:
    rows = []
    for choice, (two, twelve) in _FIELDS.items():
        rows.append(f"field on 3,4,9,10,11 if offers.field={choice} | 1 to 1")
        rows.append(f"field on 2 if offers.field={choice} | {two}")
        rows.append(f"field on 12 if offers.field={choice} | {twelve}")
    for table, ladder in _FIRE.items():
        rows += [f"fire on {n} if offers.fire={table} | {paid} to 1" for n, paid in ladder.items()]
    for table, part, whole in (("A", 34, 175), ("B", 30, 150)):
        rows += [f"{w} if offers.bonus={table} | {part} to 1" for w in ("all-small", "all-tall")]
        rows.append(f"make-them-all if offers.bonus={table} | {whole} to 1")
    return rows


_SINGLE = """
pass | 1 to 1
dont-pass | 1 to 1
come | 1 to 1
dont-come | 1 to 1
big-6 | 1 to 1
big-8 | 1 to 1
hard-4 | 7 to 1
hard-6 | 9 to 1
hard-8 | 9 to 1
hard-10 | 7 to 1
any-seven on 7 | 4 to 1
any-craps on 2,3,12 | 7 to 1
craps-2 on 2 | 30 to 1
craps-3 on 3 | 15 to 1
craps-12 on 12 | 30 to 1
eleven on 11 | 15 to 1
c-and-e | 1 any-craps + 1 eleven
hi-lo | 1 craps-2 + 1 craps-12
three-way-craps | 1 craps-2 + 1 craps-3 + 1 craps-12
vig buy | 1/20 of stake, won
vig lay | 1/20 of win, made
"""
_ROWS = [*_SINGLE.strip().splitlines(), *_numbers(), *_center(), *_options()]
#: Wager and when, what it pays; no clause gives any of it.
PAYS = "\n".join(f"{row} | custom" for row in _ROWS)
