"""The one bridge to the engine: a game goes over as text, JSON comes back."""

from __future__ import annotations

from typing import Any

from passline.record.deal import deal_text

_ROW = ("player", "wager", "stake", "result", "paid", "vig", "to")


def dealt(text: str) -> dict[str, Any]:
    """The game as the engine deals it, whole."""
    return deal_text(text).to_json()


def comparable(found: dict[str, Any]) -> dict[str, Any]:
    """What both sides can say: no words, no citations, settlements in an order of their own."""
    return {
        "puck": found["puck"],
        "shooter": found["shooter"],
        "house": {key: found["house"][key] for key in ("win", "vig", "drop")},
        "players": found["players"],
        "rolls": [_roll(roll) for roll in found["rolls"]],
        "refusals": [_refusal(refused) for refused in found["refusals"]],
    }


def _roll(roll: dict[str, Any]) -> dict[str, Any]:
    rows = [{key: row[key] for key in _ROW if key in row} for row in roll["settlements"]]
    rows.sort(key=lambda row: (row["player"], row["wager"], row["result"]))
    return {"line": roll["line"], "dice": roll["dice"], "puck": roll["puck"], "settlements": rows}


def _refusal(refused: Any) -> tuple[int, str | None, str]:
    if isinstance(refused, dict):
        return refused["line"], refused["player"], refused["said"]
    line, player, said = refused
    return line, player, said
