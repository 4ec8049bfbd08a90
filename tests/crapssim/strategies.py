"""Every strategy of crapssim's module, with what it is made with and the house that has its wagers.

``SAME`` are the same to the cent. ``FIRST`` are the first throws at which a rule that both have
differently shows, with what is in either rail then; ``REFUSED`` what no house of ours deals.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import passline
from passline.game.house.house import House
from passline.game.house.load import house_for

SAMPLE = Path(passline.__file__).parent / "samples" / "crapssim.toml"
_CENTS = [("limits.smallest_chip", "0.01"), ("limits.min", "1")]
HOUSES = {
    "sample": (str(SAMPLE), []),
    "iowa": ("iowa", _CENTS),
    "new-jersey": ("new-jersey", [("offers.fire", "A"), ("lay.base", "win")]),
    "crapless": ("maryland-crapless", [("offers.bonus", "B")]),
}


@cache
def house(name: str) -> House:
    source, options = HOUSES[name]
    return house_for(source, None, tuple(options))


#: Expression → house. A strategy of odds alone has nothing to stand behind, so it has a line.
SAME = {
    # tools
    "AggregateStrategy(BetPassLine(10), BetField(5))": "sample",
    "NullStrategy": "sample",
    "AddIfNotBet(Place(6, 12))": "sample",
    "AddIfPointOff(PassLine(5))": "sample",
    "AddIfPointOn(Field(5))": "sample",
    "AddIfNewShooter(PassLine(5))": "sample",
    "BetPassLine(5) + CountStrategy(Come, 2, Come(5))": "sample",
    "AddIfNotBet(Place(6, 12)) + RemoveIfPointOff(Place(6, 12))": "sample",
    "AddIfNotBet(Place(6, 12)) + RemoveByType(Place)": "sample",
    "WinProgression(Place(6, 6), [1, 2, 3])": "sample",
    "PlaceHitProgression([{6: 12, 8: 12}, {6: 18, 8: 18}])": "sample",
    # odds
    "BetPassLine(10) + OddsAmount(PassLine, {4: 10, 6: 20})": "sample",
    "BetPassLine(10) + PassLineOddsAmount(10)": "sample",
    "BetPassLine(10) + BetCome(10) + ComeOddsAmount(10)": "sample",
    "BetPassLine(10) + OddsMultiplier(PassLine, 2)": "sample",
    "BetPassLine(10) + PassLineOddsMultiplier()": "sample",
    "BetDontPass(10) + DontPassOddsMultiplier()": "sample",
    "BetPassLine(10) + BetCome(10) + ComeOddsMultiplier(2, always_working=True)": "sample",
    "BetDontPass(10) + BetDontCome(10) + DontComeOddsMultiplier(6, always_working=True)": "sample",
    "BetPassLine(6) + WinMultiplier(PassLine, 2)": "sample",
    "BetPassLine(10) + PassLineWinMultiplier()": "sample",
    "BetDontPass(10) + DontPassWinMultiplier()": "sample",
    "BetPassLine(10) + BetCome(10) + ComeWinMultiplier(3)": "sample",
    "BetDontCome(10) + DontComeWinMultiplier(always_working=True)": "sample",
    # single bets
    "BetPlace({4: 5, 6: 6}, mode=StrategyMode.ADD_IF_NOT_BET, always_working=True)": "sample",
    "BetPlace({6: 6, 9: 5}, mode=StrategyMode.REPLACE, skip_come=True)": "sample",
    "BetPassLine": "sample",
    "BetDontPass": "sample",
    "BetCome": "sample",
    "BetDontCome": "sample",
    "BetHardWay(6, 5) + BetHardWay(4, 5)": "iowa",
    "BetHop((1, 1), 5) + BetHop((3, 4), 5)": "sample",
    "BetField": "sample",
    "BetAny7": "sample",
    "BetHorn(4)": "sample",
    "BetWorld(5)": "sample",
    "BetTwo(5)": "sample",
    "BetThree(5)": "sample",
    "BetYo(5)": "sample",
    "BetBoxcars(5)": "sample",
    "BetBuy(5, 20)": "new-jersey",
    "BetLay(9, 30, always_working=True)": "new-jersey",
    "BetFire(5) + BetPassLine(5)": "new-jersey",
    "BetAll(5, mode=StrategyMode.ADD_IF_NEW_SHOOTER) + BetPassLine(5)": "crapless",
    "BetTall(5, mode=StrategyMode.ADD_IF_NEW_SHOOTER)": "crapless",
    "BetSmall(5, mode=StrategyMode.ADD_IF_NEW_SHOOTER)": "crapless",
    # examples
    "Pass2Come": "sample",
    "PassLinePlace68": "sample",
    "PlaceInside": "sample",
    "BetPassLine(5) + Place68Move59()": "sample",
    "PassLinePlace68Move59": "sample",
    "Place682Come": "sample",
    "IronCross": "sample",
    "HammerLock": "sample",
    "Risk12": "sample",
    "Knockout": "sample",
    "DiceDoctor": "sample",
    "Place68PR": "sample",
    "BuySampler": "new-jersey",
    "ThreePointMolly": "sample",
    "ThreePointDolly(10, None)": "sample",
    "SqueezePlay": "sample",
    "DoubleTap": "sample",
    # the float that a sixth of it makes is no sum of cents, and is taken for the cents it means
    "IronCross(6)": "sample",
}

#: Why a rule differs: (expression, house, throws, our rail, their rail before the last throw after
#: these), in cents.
FIRST = {
    "a lay rests on a come-out roll there, and always works here": [
        ("BetLay(5, 30)", "sample", "2-5", -1200, -3100),
        ("LaySampler", "sample", "2-5", -2400, -6200),
    ],
    "hardways always work there; the book rests them on a come-out roll, Iowa's does not": [
        ("BetHardWay(6, 5)", "sample", "2-5", -500, -1000),
        ("BetHardWay(6, 5)", "sample", "3-3", -500, 4000),
    ],
    "big 6 and 8 always work there, and rest on a come-out roll in Iowa": [
        ("BetBig6(5)", "iowa", "2-4", -500, 0),
        ("BetBig8(5)", "iowa", "3-4", -500, -1000),
    ],
    "odds on a don't come rest on a come-out roll there unless told to work; here they work": [
        ("BetDontCome(10) + DontComeOddsMultiplier(6)", "sample", "4-4 2-3 4-4 3-4", 11000, 2000),
        ("BetDontCome(10) + DontComeOddsAmount(12, [5])", "sample", "4-4 2-3 4-4 3-4", 2800, 2000),
        ("Place68DontCome2Odds", "sample", "4-4 2-3 4-4 3-4", 1866, 1200),
        ("ThreePointDolly", "sample", "4-4 2-3 4-4 3-4", -200, -2200),
    ],
    "the school takes a bought 4's vigorish when it wins, they take all before": [
        ("BuySampler", "sample", "", -5000, -5250),
    ],
}

#: Expression → words of the refusal, wherever it is played.
REFUSED = {
    "BetPut(6, 5)": "none of our rulebooks deals that wager",
    "BetPut(6, 5) + PutOddsAmount(10)": "none of our rulebooks deals that wager",
    "BetPut(6, 5) + PutOddsMultiplier()": "none of our rulebooks deals that wager",
    "BetPut(6, 5) + PutWinMultiplier()": "none of our rulebooks deals that wager",
    "PutWithOdds": "none of our rulebooks deals that wager",
    "QuickProps": "is not a wager of",
    # odds of theirs against every number may stand behind one don't wager
    "BetDontPass(10) + DontPassOddsAmount(12)": "no odds are that",
    # a third of a cent
    "BetPassLine(10) + WinMultiplier(PassLine, 2)": "not whole cents",
    # what must be made for a new shooter may be made there after any seven
    "BetAll(5)": "is not a wager of",
}

#: Classes that are there to be made others of, or that take a function: tests/crapssim/own.py.
NOT_BY_NAME = {
    "Strategy",
    "BetSingle",
    "BetSingleNumber",
    "AddIfTrue",
    "RemoveIfTrue",
    "ReplaceIfTrue",
}
