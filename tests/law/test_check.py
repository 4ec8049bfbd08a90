"""A rulebook is checked whole when it is loaded: a mistake is one line with its place."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from passline.game.law.book_files import BOOKS, BookError
from passline.game.law.load import make_book, read_book_text, rulebook
from passline.game.law.validate import find_mistakes

OWN: dict[str, Any] = {"custom": "made up for a test"}


def broken(book: str, path: str, value: Any) -> str:
    """What is said of a book with one value changed; paths with slashes, None leaves one out."""
    data: dict[str, Any] = tomllib.loads(read_book_text(book))
    node: Any = data
    *parents, last = path.split("/")
    for key in parents:
        node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
    if isinstance(node, list):
        node[int(last)] = value
    elif value is None:
        del node[last]
    else:
        node[last] = value
    with pytest.raises(BookError) as wrong:
        make_book(data)
    said = str(wrong.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize("book", BOOKS)
def test_the_shipped_books_have_no_mistake(book: str) -> None:
    assert list(find_mistakes(rulebook(book))) == []


TYPES: list[tuple[str, Any, str]] = [
    ("wager/field/made/is", "later", "wager.field.made.is: Invalid enum value 'later'"),
    ("wager/field/made", None, "wager.field: Object missing required field `made`"),
    ("wager/field/colour", "red", "wager.field: Object contains unknown field `colour`"),
    ("wager/hard-8/pays/0/is", 9, "wager.hard-8.pays[0].is: Expected `str`, got `int`"),
    ("wager/hard-8/come_out/is", "no", "wager.hard-8.come_out.is: Invalid enum value 'no'"),
    ("wager/pass/removes/cite", 9, "wager.pass.removes.cite: Expected `str | array`, got `int`"),
    ("vig/buy/when/is", "later", "vig.buy.when.is: Invalid enum value 'later'"),
    ("vig/place", {}, "vig: Invalid enum value 'place'"),
    ("throw/callers/mini-craps/is", "box", "throw.callers.mini-craps.is: Expected `array`"),
    ('elect/offers.fire/default', None, 'elect."offers.fire": Object missing required field'),
    ("crew/craps/bank/is", "porter", "crew.craps.bank.is: Invalid enum value 'porter'"),
    ("stakes/under_min", {"is": "refuse"}, "stakes.under_min: a value needs a clause id"),
    ("title", None, "Object missing required field `title`"),
    ("wager/pass-odds/shape", "behind", "wager.pass-odds.shape: Invalid enum value 'behind'"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), TYPES)
def test_a_value_of_the_wrong_type_is_named_with_its_wager(
    path: str, value: Any, words: str
) -> None:
    said = broken("new-jersey", path, value)
    assert said.startswith(f"rulebook new-jersey: {words}")


NEW_JERSEY: list[tuple[str, Any, str]] = [
    # The head
    ("id", "New Jersey", "id: 'New Jersey' is not an id"),
    ("title", " ", "title: ' ' is not a title"),
    ("games/is", [], "games: a rulebook has one game at least"),
    ("games/is", ["craps", "craps"], "games: craps is listed twice"),
    ("games/is", ["Craps"], "games: 'Craps' is not the name of a game"),
    ("points/is", [], "points: expected numbers"),
    ("points/is", [4, 5, 6, 7, 8, 9, 10], "points: 7 is no number that can be a point"),
    ("points/is", [4, 4, 5, 6, 8, 9, 10], "points: 4 is listed twice"),
    ("unlisted", "", "unlisted: expected a clause"),
    ("tender/chips", "", "tender.chips: expected a clause"),
    ("throw/listed_by", "", "throw.listed_by: expected a clause"),
    # Stakes
    ("stakes/min_default", {"is": 0, **OWN}, "stakes.min_default: 0 is no amount"),
    ("stakes/chip_default", {"is": 9000, **OWN}, "stakes.chip_default: 9000 is over the maximum"),
    ("stakes/breakage/is", "up", "stakes.breakage: 'up' is not among breakage_allowed"),
    ("stakes/true_odds_breakage/is", "down", "stakes.true_odds_breakage: 'down' is not among"),
    ("stakes/pays_fixed/is", ["buys"], "stakes.pays_fixed: there is no wager 'buys'"),
    # Odds
    ("odds/default", None, "odds.default: no multiple is given for odds taken on 4, 5"),
    ("odds/default/is", 0, "odds.default: 0 is no multiple"),
    ("odds/least/is", 0, "odds.least: 0 is no multiple"),
    ("odds/least/is", 101, "odds.least: 101 is over odds.most, 100"),
    ("odds/laid_least/is", 101, "odds.laid_least: 101 is over odds.laid_most, 100"),
    ("odds/laid_by", None, "odds.laid_by: what limits laid odds is not said"),
    ("odds/taken", {"four": {"is": 3, **OWN}}, "odds.taken.four: 'four' is no number"),
    ("odds/taken", {"": {"is": 3, **OWN}}, "odds.taken.: '' is no number"),
    ("odds/taken", {"4 7": {"is": 3, **OWN}}, 'odds.taken."4 7": \'7\' is no number'),
    ("odds/laid", {"4 4": {"is": 3, **OWN}}, 'odds.laid."4 4": 4 is listed twice'),
    ("odds/taken", {"4": {"is": 0, **OWN}}, "odds.taken.4: 0 is no multiple"),
    ("changes/dont_odds_basis", None, "changes.dont_odds_basis: it is not said"),
    # Vigorish
    ("vig/buy/rate/is", "5%", "vig.buy.rate: '5%' is no rate: expected a form like 0.05"),
    ("vig/lay/most/is", "five", "vig.lay.most: 'five' is no rate"),
    ("vig/buy/rate/is", "0.06", "vig.buy.rate: 0.06 is over the most, 0.05"),
    ("vig/buy/base/is", "win", "vig.buy.base: 'win' is not among the bases"),
    ("vig/buy/whens/is", ["won"], "vig.buy.when: 'made' is not among the whens"),
    ("vig/buy/won_on", {"is": [7], **OWN}, "vig.buy.won_on: no wager that pays it is on 7"),
    ("wager/lay/vig", "", "vig.lay: no wager pays it"),
    # Tender
    ("tender/match_play/is", ["field"], "tender.match_play: 'field' is no line wager"),
    ("tender/late/poker", {"is": ["dealer"], **OWN}, "tender.late.poker: poker is no game"),
    # By game
    ("seating/required/is", ["poker"], "seating.required.poker: poker is no game of the book"),
    ("dice/automated/is", ["poker"], "dice.automated.poker: poker is no game"),
    ("throw/callers/mini-craps", None, "throw.callers: nothing is said of mini-craps"),
    ("throw/rulings/craps", None, "throw.rulings: nothing is said of craps"),
    ("throw/designate/poker", {"is": True, **OWN}, "throw.designate.poker: poker is no game"),
    ("dice/first/mini-craps", None, "dice.first: nothing is said of mini-craps"),
    ("dice/turn/craps", None, "dice.turn: nothing is said of craps"),
    ("dice/order_by/poker", {"is": ["dealer"], **OWN}, "dice.order_by.poker: poker is no game"),
    ("crew/mini-craps", None, "crew: nothing is said of mini-craps"),
    ("crew/craps/bases", None, "crew.craps.bases: expected 1 or 2, or an election"),
    ("crew/craps/instead", {"is": "dealer", **OWN}, "crew.craps.instead: expected an election"),
    # Throws and dice
    ("throw/void/0/is", "not-together", "throw: not-together is listed twice"),
    ("throw/void/0/is", "Off the table", "throw.void[0]: 'Off the table' cannot be said"),
    ("throw/grounds/2/by", {"poker": ["dealer"]}, "throw.grounds[2].by.poker: poker is no game"),
    ("dice/special_ends/0/is", "tired", "dice.special_ends[0]: 'tired' is none: expected come-"),
    ("dice/set_of/is", 1, "dice.set_of: 1 dice are no set"),
    ("dice/line_wagers/is", [], "dice.line_wagers: a shooter needs some line wager"),
    ("dice/line_wagers/is", ["come"], "dice.line_wagers: 'come' is no line wager"),
    ("inspection/cancelled_on", {"is": 7, **OWN}, "inspection.cancelled_on: 7 is no face"),
    ("inspection/hours", {"is": 0, **OWN}, "inspection.hours: 0 hours are no time"),
    # Groups, elections, duties
    ("groups/upside", {"unit": {"is": {"4": 5}, **OWN}, "leaves_out_point": {"is": True, **OWN}},
     "groups.upside: no such group is said"),
    ("groups/across/unit", {"is": {"7": 5}, **OWN}, "groups.across.unit: 7 = 5 is no unit"),
    ("groups/across/unit", {"is": {"4": 0}, **OWN}, "groups.across.unit: 4 = 0 is no unit"),
    ("elect/offers.fire/default/is", "C", "elect.\"offers.fire\".default: 'C' is not among"),
    ("elect/offers.buy/default/is", 1, 'elect."offers.buy".default: 1 is not among'),
    ("duties", [{"post": " ", "clauses": ["x"]}], "duties[0].post: expected the name of a post"),
    ("duties", [{"post": "box", "clauses": []}], "duties[0].clauses: expected clauses"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), NEW_JERSEY)
def test_a_mistake_in_a_section_is_named(path: str, value: Any, words: str) -> None:
    said = broken("new-jersey", path, value)
    assert f": {words}" in said


WAGERS: list[tuple[str, Any, str]] = [
    ("field/title", " ", "field.title: expected words"),
    ("field/made/is", "number", "field.made: 'number' is not for this shape"),
    ("field/made/is", "new-shooter", "field.made: 'new-shooter' is not for this shape"),
    ("fire/made/is", "any", "fire.made: 'any' is not for this shape"),
    ("pass-odds/made/is", "any", "pass-odds.made: 'any' is not for this shape"),
    ("fire/games/is", ["poker"], "fire.games: poker is no game of the book"),
    ("buy/offer", "bought", 'buy.offer: there is no election "offers.bought"'),
    ("field/most", [{"is": 0, **OWN}], "field.most[0]: 0 is no amount"),
    ("field/most", [{"is": 5, "on": [7], **OWN}], "field.most[0].on: 7 is no number"),
    # Payouts
    ("field/pays/0/is", "2 for 1", "field.pays[0]: '2 for 1' are no odds"),
    ("field/pays/0/is", "2 to 0", "field.pays[0]: '2 to 0' are no odds"),
    ("field/pays/0/on", [3, 4, 9, 10], "field.pays: it wins on 5-6, 6-5 and has no payout"),
    ("field/pays/1/on", [2, 12, 13], "field.pays[1].on: 13 is no face"),
    ("hard-8/pays/0/on", ["4-7"], "hard-8.pays[0].on: '4-7' is no face"),
    ("pass/pays", [], "pass.pays: it wins on"),
    ("dont-pass/pays/0/on", [2, 3], "dont-pass.pays: it wins on 1-6, 2-5, 3-4, 4-3, 5-2, 6-1"),
    ("come/pays/0/on", [7, 11], "come.pays: it wins on"),
    ("place-win/pays/0/on", [5], "place-win.pays: no payout is given on 4"),
    ("come-odds/pays/5/on", [9], "come-odds.pays: no payout is given on 10"),
    ("fire/pays/0/elect", "fire=C", "fire.pays[0].elect: 'fire=C' is no choice"),
    ("fire/pays/0/elect", "flame=A", "fire.pays[0].elect: 'flame=A' is no choice"),
    ("fire/pays/0/elect", "fire", "fire.pays[0].elect: 'fire' is no choice"),
    ("fire/pays/0/on", [5], "fire.pays: no payout is given for 4 where fire="),
    ("fire/pays/0/on", [4, 9], "fire.pays: 9 of 6 cannot be gathered"),
    ("fire/pays/0/on", ["4-4"], "fire.pays: no payout is given for 4"),
    ("horn/pays", [{"is": "1 to 1", **OWN}], "horn.pays: a composite is paid as its legs"),
    # Lines and comes
    ("pass/loses/is", "number", "pass.loses: 'number' wins already"),
    ("pass/first_win/is", [7, 13], "pass.first_win: 13 is no total of two dice"),
    ("pass/first_win/is", [7, 11, 12], "pass.first_lose: 12 stands in first_win too"),
    ("pass/first_win/is", [7, 10, 11], "pass.first_win: 10 is among the points of the book too"),
    ("pass/first_win/is", [7], "pass.first_win: nothing is said of a first roll of 11"),
    ("come/travels/is", [4, 5, 6, 7, 8, 9, 10], "come.first_win: 7 is among the travels too"),
    ("come/put", {"is": [3], **OWN}, "come.put: 3 is no number that it travels to"),
    # Odds
    ("pass-odds/flat", "field", "pass-odds.flat: 'field' is no line or come wager"),
    ("pass-odds/flat", "passe", "pass-odds.flat: 'passe' is no line or come wager"),
    ("pass-odds/lost_by", "", "pass-odds.lost_by: expected a clause"),
    ("pass-odds/limited_by", "", "pass-odds.limited_by: expected a clause"),
    # Numbers
    ("place-win/numbers/is", [], "place-win.numbers: expected numbers"),
    ("place-win/numbers/is", [7], "place-win.numbers: 7 is no number that can be a point"),
    ("place-win/loses/is", "number", "place-win.loses: 'number' wins already"),
    # Faces
    ("hard-8/win/is", ["4-9"], "hard-8.win: '4-9' is no face: expected a total such as 8"),
    ("hard-8/win/is", [], "hard-8.win: it wins on no face"),
    ("hard-8/lose/is", ["4-4", 7], "hard-8.lose: some face of it wins already"),
    ("hard-8/lose_also", {"is": [1], **OWN}, "hard-8.lose_also: 1 is no face"),
    ("field/win/is", [1], "field.win: 1 is no face"),
    ("field/lose/is", [5, 6, 7], "field.lose: the next roll may decide nothing"),
    # Composites
    ("horn/legs/is", {"craps-2": 1, "yo": 1}, "horn.legs: 'yo' is no one-roll wager of the book"),
    ("horn/legs/is", {"craps-2": 1, "hard-4": 1}, "horn.legs: 'hard-4' is no one-roll wager"),
    ("c-and-e/legs/is", {"any-craps": 0, "eleven": 1}, "c-and-e.legs: any-craps = 0 is no unit"),
    ("c-and-e/legs/is", {"any-craps": 1}, "c-and-e.legs: expected two legs or more"),
    ("horn-high/high/is", [7], "horn-high.high: no leg wins on 7 alone"),
    ("horn-high/high_units", None, "horn-high.high_units: high and high_units go together"),
    ("horn/lost_by", [], "horn.lost_by: expected a clause"),
    ("horn/won_by", [], "horn.won_by: expected a clause"),
    ("horn-high/parts", None, "horn-high.parts: split and parts go together"),
    ("horn-high/parts/is", {"horn": 4, "yo": 1}, "horn-high.parts: yo = 1 is no part"),
    ("horn-high/parts/is", {"horn": 4, "high": 0}, "horn-high.parts: high = 0 is no part"),
    # Sets
    ("fire/needs/is", [2, 4, 5, 6, 8, 9], "fire.needs: 2 is no point of the book"),
    ("fire/least/is", 7, "fire.least: 7 of 6 cannot be"),
    ("fire/minimum/is", 0, "fire.minimum: 0 is no amount"),
    ("fire/maximum/is", 0, "fire.maximum: 0 is no amount"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), WAGERS)
def test_a_mistake_in_a_wager_is_named(path: str, value: Any, words: str) -> None:
    said = broken("new-jersey", f"wager/{path}", value)
    assert said.startswith(f"rulebook new-jersey: wager.{words}"), said


def test_a_wager_is_named_in_small_letters() -> None:
    data = tomllib.loads(read_book_text("new-jersey"))
    data["wager"]["Field"] = data["wager"].pop("field")
    with pytest.raises(BookError, match=r"wager\.Field\.shape: 'Field' is no name of a wager"):
        make_book(data)


def test_a_book_without_wagers_is_none() -> None:
    data = tomllib.loads(read_book_text("dealer-school"))
    with pytest.raises(BookError, match="wager: a rulebook has wagers"):
        make_book(data | {"wager": {}})


def test_vigorish_that_the_book_does_not_have() -> None:
    assert "wager.buy.vig: the book has no vig.buy" in broken("maryland-crapless", "vig/buy", None)


IOWA: list[tuple[str, Any, str]] = [
    ("inspection/least/is", 7600, "inspection.least: 7600 is over the most, 7575"),
    ("shootout/points/is", [4, 5, 6, 8, 9, 11], "shootout.points: 11 is no point of the book"),
    ("shootout/needs/is", ["passe"], "shootout.needs: there is no wager 'passe'"),
    ("shootout/at/is", "9 am", "shootout.at: '9 am' is no time: expected a form like 09:00"),
    ("shootout/at/is", "24:00", "shootout.at: '24:00' is no time"),
    ("shootout/start/is", 2000, "shootout.start: 2000 is not within the cap"),
    ("shootout/reset/is", 0, "shootout.reset: 0 is not within the cap"),
    ("shootout/share/some", {"is": 1, **OWN}, "shootout.share.some: expected dollars"),
    ("odds/taken/4 10", None, "odds.default: no multiple is given for odds taken on 4, 10"),
    ("odds/laid/5 9", None, "odds.default: no multiple is given for odds laid on 5, 9"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), IOWA)
def test_a_mistake_in_what_only_iowa_has(path: str, value: Any, words: str) -> None:
    assert f"rulebook iowa: {words}" in broken("iowa", path, value)


@pytest.mark.parametrize("seven", ["seven", "1-7", "0-1", "11", ""])
def test_no_word_is_taken_for_a_face(seven: str) -> None:
    said = broken("new-jersey", "wager/any-seven/win/is", [seven])
    assert said.startswith(f"rulebook new-jersey: wager.any-seven.win: {seven!r} is no face")
