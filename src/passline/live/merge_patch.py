"""JSON merge patches (RFC 7396): the difference of two JSON objects, and its application. Pure.

A merge patch cannot set a member to null, because null removes it. So the objects that are compared
here hold no nulls: `drop_nulls` removes them.
"""

from __future__ import annotations

from passline.live.log_entries import JsonObject


def drop_nulls(value: JsonObject) -> JsonObject:
    """Return a copy of an object without its null members, at every depth.

    Arrays stay as they are, because a patch replaces them whole.

    >>> drop_nulls({"puck": None, "seat": {"rail": "5.00", "end": None}, "ready": [{"bar": None}]})
    {'seat': {'rail': '5.00'}, 'ready': [{'bar': None}]}
    """
    return {
        key: drop_nulls(item) if isinstance(item, dict) else item
        for key, item in value.items()
        if item is not None
    }


def make_patch(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the merge patch that turns one object without nulls into another.

    >>> make_patch({"puck": 6, "seat": {"rail": "5.00", "up": "0.00"}}, {"seat": {"rail": "5.00"}})
    {'puck': None, 'seat': {'up': None}}
    """
    patch: JsonObject = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if old is value or old == value:
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            patch[key] = make_patch(old, value)
        else:
            patch[key] = value
    return patch


def apply_patch(target: JsonObject, patch: JsonObject) -> JsonObject:
    """Return a copy of ``target`` with a merge patch applied.

    >>> apply_patch({"puck": 6, "seat": {"rail": "5.00"}}, {"puck": None, "seat": {"up": "1.00"}})
    {'seat': {'rail': '5.00', 'up': '1.00'}}
    """
    merged = dict(target)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            old = merged.get(key)
            merged[key] = apply_patch(old if isinstance(old, dict) else {}, value)
        else:
            merged[key] = value
    return merged
