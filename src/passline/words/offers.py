"""What would be allowed where something is refused, as says that do it."""

from __future__ import annotations

from passline.layout import Refusal
from passline.money import dollars
from passline.words.talk import TALK

#: What a buy-in that is offered is rounded up to: a black chip.
_ROUND = 100_00


def offered_says(refusal: Refusal, wager: str = "", up: bool = False) -> list[str]:
    """The says that would be taken instead; ``up``: the wager lies there already.

    >>> from passline.layout import refuse
    >>> offered_says(refuse("under-minimum", "2(a)", [500], wager="pass", least=500))
    ['pass for 5.00']
    >>> offered_says(refuse("press-which", "", ["press place-win-6"]))
    ['press place-win-6']
    >>> offered_says(refuse("short-of-chips", "", player="ann", needed=1200, rail=500))
    ['buy in 100.00']
    """
    about = str(refusal.figures.get("wager", wager))
    if refusal.code == "short-of-chips":
        needed, rail = refusal.figures["needed"], refusal.figures["rail"]
        assert isinstance(needed, int)
        assert isinstance(rail, int)
        short = needed - rail
        return [f"buy in {dollars(-(-short // _ROUND) * _ROUND)}"]
    if refusal.code in TALK:
        return [str(say) for say in refusal.allowed]
    if not about:
        return []
    verb = "to" if up else "for"
    says = [f"{about} {verb} {dollars(a)}" for a in refusal.allowed if isinstance(a, int) and a]
    return says + [f"{about} down" for a in refusal.allowed if a == "down"]


def needed_first(refusal: Refusal) -> str:
    """The wager that comes first: the flat of odds, the come of a come on a number; or empty.

    >>> from passline.layout import refuse
    >>> needed_first(refuse("needs-flat", "6(a)", wager="pass-odds", flat="pass"))
    'pass'
    """
    return str(refusal.figures.get("flat") or refusal.figures.get("first") or "")
