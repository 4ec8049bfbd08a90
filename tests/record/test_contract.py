"""The contract's own example, whole."""

from __future__ import annotations

from passline.record.deal import deal_text

RECORD = """rulebook: new-jersey
player: ann 500

ann: pass for 10
roll 3 3
ann: pass-odds for 10; place-win-8 for 12; pass down
roll 5 3
roll 4 3
"""


def lost(wager: str, stake: str, cite: str) -> dict[str, object]:
    return {
        "player": "ann",
        "wager": wager,
        "stake": stake,
        "result": "lose",
        "odds": None,
        "paid": "0.00",
        "vig": "0.00",
        "cite": cite,
    }


def test_the_contract_example() -> None:
    dealt = deal_text(RECORD).to_json()
    for roll in dealt["rolls"]:
        assert roll.pop("call")
    for refusal in dealt["refusals"]:
        assert refusal.pop("reason")
    assert dealt == {
        "rulebook": "new-jersey",
        "game": "craps",
        "puck": None,
        "shooter": None,
        "house": {
            "win": "18.00",
            "vig": "0.00",
            "drop": "500.00",
            "promo": "0.00",
            "tokes": "0.00",
        },
        "players": {
            "ann": {"bought_in": "500.00", "rail": "482.00", "layout": "0.00", "wagers": {}}
        },
        "rolls": [
            {"line": 5, "dice": [3, 3], "puck": 6, "settlements": []},
            {
                "line": 7,
                "dice": [5, 3],
                "puck": 6,
                "settlements": [
                    {
                        "player": "ann",
                        "wager": "place-win-8",
                        "stake": "12.00",
                        "result": "win",
                        "odds": "7 to 6",
                        "paid": "14.00",
                        "vig": "0.00",
                        "cite": "19:47-1.4(b)/place-win-8",
                    }
                ],
            },
            {
                "line": 8,
                "dice": [4, 3],
                "puck": None,
                "settlements": [
                    lost("pass", "10.00", "19:47-1.2(a)1.ii(2)"),
                    lost("pass-odds", "10.00", "19:47-1.6(a)#1"),
                    lost("place-win-8", "12.00", "19:47-1.2(a)5#3"),
                ],
            },
        ],
        "refusals": [
            {"line": 6, "player": "ann", "said": "pass down", "cite": "19:47-1.3(c)1"},
        ],
    }


def test_a_travel_names_where_it_went() -> None:
    text = RECORD.split("ann: pass-odds")[0] + "ann: come for 10\nroll 5 4\n"
    dealt = deal_text(text).to_json()
    travel = dealt["rolls"][1]["settlements"][0]
    assert (travel["wager"], travel["result"], travel["to"]) == ("come", "travel", "come-9")
    assert dealt["players"]["ann"]["wagers"] == {"pass": "10.00", "come-9": "10.00"}
    assert dealt["shooter"] == "ann"
