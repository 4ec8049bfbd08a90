"""Store an object's state as one plain value, and rebuild the object from it.

Two objects with the same value behave the same. Functions and classes are stored as themselves. A
machine knows only changes of money, no bankroll. So a crapssim strategy sees an
``UnknownBankroll``, which exceeds any number of dollars.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from passline.lab.machines.bettor import StrategyError


class UnknownBankroll:
    """A bankroll that is unknown and large, plus or minus a known number of dollars.

    >>> UnknownBankroll(5) > 10**9, UnknownBankroll(5) - UnknownBankroll(2), (UnknownBankroll(5) - 3) == UnknownBankroll(2)
    (True, 3.0, True)
    """  # noqa: E501

    __slots__ = ("dollars",)

    def __init__(self, dollars: float = 0.0) -> None:
        self.dollars = float(dollars)

    def __add__(self, other: Any) -> UnknownBankroll:
        if isinstance(other, UnknownBankroll):
            return NotImplemented
        return UnknownBankroll(self.dollars + float(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, UnknownBankroll):
            return self.dollars - other.dollars
        return UnknownBankroll(self.dollars - float(other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnknownBankroll) and self.dollars == other.dollars

    def __hash__(self) -> int:
        return hash(self.dollars)

    def __lt__(self, other: Any) -> bool:
        return isinstance(other, UnknownBankroll) and self.dollars < other.dollars

    def __le__(self, other: Any) -> bool:
        return isinstance(other, UnknownBankroll) and self.dollars <= other.dollars

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return True

    def _whole(self, *_: object) -> Any:
        """Raise StrategyError, because the bankroll has no known value to convert to a number."""
        raise StrategyError(
            "it computes with its whole bankroll, which a machine does not know: it may only check "
            "whether there is enough, and how much it has changed"
        )

    __float__ = __int__ = __index__ = __round__ = _whole
    __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = __rsub__ = _whole

    def __repr__(self) -> str:
        return f"a deep bankroll {self.dollars:+g}"


#: A stored value as nested tuples: the kind of value first, then its parts.
FrozenTree = tuple[Any, ...]

_ATOMIC_TYPES = (type, FunctionType, BuiltinFunctionType, ModuleType, Enum)
_PLAIN_TYPES = (int, str, bytes, complex, type(None))
#: Decimals of a dollar amount that are stored, so that float rounding does not make new states.
_ROUNDING_DIGITS = 6


@cache
def _is_simple(kind: Any) -> bool:
    """Return whether the objects of a class have no state but their attributes.

    So no slots, and no methods of its own for copying.
    """
    made = ("__reduce_ex__", "__reduce__", "__getstate__", "__new__")
    own = any(getattr(kind, how, None) is not getattr(object, how) for how in made)
    slots = any(vars(base).get("__slots__") for base in kind.__mro__)
    named = hasattr(kind, "__getnewargs_ex__") or hasattr(kind, "__getnewargs__")
    return kind.__dictoffset__ != 0 and not (own or slots or named)


class Freezer:
    """Converts objects to plain values that compare equal if the objects behave the same.

    Equal parts are stored once. An UnknownBankroll is stored as its difference from ``bankroll``
    dollars.

    >>> freezer = Freezer()
    >>> tree = freezer.freeze({"wins": [1, 2]})
    >>> tree == freezer.freeze({"wins": [1, 2]}), thaw(tree)
    (True, {'wins': [1, 2]})
    """

    def __init__(self) -> None:
        self._same: dict[FrozenTree, FrozenTree] = {}
        self.bankroll = 0.0
        #: Whether the object that was stored last contained an UnknownBankroll.
        self.chips = False

    def freeze(self, thing: Any, bankroll: float = 0.0) -> FrozenTree:
        """Return an object's state as a plain value. Raise StrategyError if it cannot be stored.

        Bankrolls inside it are stored as their difference from ``bankroll`` dollars. Afterwards
        ``chips`` says whether there were any.
        """
        self.bankroll, self.chips = bankroll, False
        self._seen_ids: dict[int, int] = {}
        self._objects: list[Any] = []  # Keeps objects alive, so that no id() is reused.
        return self._frozen(thing)

    def _frozen(self, thing: Any) -> FrozenTree:
        tree = self._node(thing)
        return self._same.setdefault(tree, tree)

    def _node(self, thing: Any) -> FrozenTree:
        kind: Any = type(thing)
        if kind is float:
            return "float", thing.hex()  # Exact, for -0.0 and NaN too.
        if kind is bool or kind in _PLAIN_TYPES or isinstance(thing, _ATOMIC_TYPES):
            return "itself", kind, thing
        if kind is UnknownBankroll:
            self.chips = True
            return "chips", round(thing.dollars - self.bankroll, _ROUNDING_DIGITS)
        if kind is tuple:
            return "tuple", *self._all(thing)
        if kind is MethodType:
            return "method", thing.__func__, self._frozen(thing.__self__)
        number = self._seen_ids.get(id(thing))
        if number is not None:
            return "again", number
        number = self._seen_ids[id(thing)] = len(self._seen_ids)
        self._objects.append(thing)
        if kind is list:
            return "list", number, *self._all(thing)
        if kind is dict:
            pairs = [part for pair in thing.items() for part in pair]
            return "dict", number, *self._all(pairs)
        if kind is set or kind is frozenset:
            return kind.__name__, number, *sorted(self._all(thing), key=repr)
        if _is_simple(kind):
            names = vars(thing)
            return "simple", number, kind, tuple(names), *self._all(names.values())
        return self._object(thing, number)

    def _all(self, things: Iterable[Any]) -> list[FrozenTree]:
        return [self._frozen(thing) for thing in things]

    def _object(self, thing: Any, number: int) -> FrozenTree:
        try:
            made: Any = thing.__reduce_ex__(4)
            if isinstance(made, str):
                raise TypeError(f"{made} is a global")
            how, what, state, items, pairs = [*made, None, None, None][:5]
        except Exception as error:  # For example a file, a lock or a generator.
            raise StrategyError(
                f"it stores a {type(thing).__name__}, which passline cannot save ({error})"
            ) from None
        parts = [list(items or ()), list(pairs or ())]
        return "object", number, how, *self._all([what, state, *parts])


def thaw(tree: FrozenTree, again: dict[int, Any] | None = None) -> Any:
    """Rebuild an object from its stored state, a tree of plain values.

    ``again`` holds, by number, the objects rebuilt so far, for those that occur several times.
    """
    known: dict[int, Any] = {} if again is None else again
    kind = tree[0]
    if kind == "float":
        return float.fromhex(tree[1])
    if kind == "itself":
        return tree[2]
    if kind == "chips":
        return UnknownBankroll(tree[1])
    if kind == "tuple":
        return tuple([thaw(part, known) for part in tree[1:]])
    if kind == "method":
        return MethodType(tree[1], thaw(tree[2], known))
    if kind == "again":
        return known[tree[1]]
    return _thaw_contents(kind, tree[1], tree[2:], known)


def _thaw_contents(kind: str, number: int, parts: FrozenTree, known: dict[int, Any]) -> Any:
    if kind == "list":
        made: Any = known.setdefault(number, [])
        made.extend(thaw(part, known) for part in parts)
    elif kind == "dict":
        made = known.setdefault(number, {})
        flat = iter([thaw(part, known) for part in parts])
        made.update(zip(flat, flat, strict=True))
    elif kind in ("set", "frozenset"):
        made = {"set": set, "frozenset": frozenset}[kind]([thaw(part, known) for part in parts])
        known[number] = made
    elif kind == "simple":
        made = known[number] = object.__new__(parts[0])
        values = [thaw(part, known) for part in parts[2:]]
        made.__dict__.update(zip(parts[1], values, strict=True))
    else:
        made = _thaw_object(number, parts, known)
    return made


def _thaw_object(number: int, parts: FrozenTree, known: dict[int, Any]) -> Any:
    """Rebuild an object from the parts that ``__reduce_ex__`` gave, as ``copy`` does.

    ``number`` is the object's number, and ``known`` holds the objects rebuilt so far.
    """
    how, what, state, items, pairs = parts
    made = known[number] = how(*thaw(what, known))
    attributes = thaw(state, known)
    if hasattr(made, "__setstate__") and attributes is not None:
        made.__setstate__(attributes)
    elif attributes is not None:
        plain, slots = (
            attributes
            if isinstance(attributes, tuple) and len(attributes) == 2
            else (attributes, None)
        )
        for name, value in {**(plain or {}), **(slots or {})}.items():
            object.__setattr__(made, name, value)
    for item in thaw(items, known):
        made.append(item)
    for key, value in thaw(pairs, known):
        made[key] = value
    return made
