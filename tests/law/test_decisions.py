"""Every decision is shown beside clauses that exist, and beside each clause it settles."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.book_parts import read_customs
from passline.game.law.clauses import Decision, clauses_by_id, find_decisions, list_decisions

PRINCIPLES = 4
QUESTIONS = 41 + 13


def test_none_is_lost() -> None:
    decisions = [d for book_id in BOOKS for d in list_decisions(book_id)]
    assert len({(d.question, d.decision, d.at) for d in decisions}) == PRINCIPLES + QUESTIONS
    assert len({d.question for d in decisions}) == PRINCIPLES + QUESTIONS
    assert {d.question for d in decisions} >= {
        entry["question"] for entry in read_customs("decisions").values()
    }


@pytest.mark.parametrize(
    ("book_id", "decision"),
    [(book_id, decision) for book_id in BOOKS for decision in list_decisions(book_id)],
    ids=lambda part: part if isinstance(part, str) else part.question,
)
def test_it_stands_beside_clauses_that_exist(book_id: str, decision: Decision) -> None:
    assert decision.decision
    assert decision.beside
    assert set(decision.beside) - set(clauses_by_id(book_id)) == set()
    assert len(set(decision.beside)) == len(decision.beside)


@pytest.mark.parametrize(
    ("book_id", "clause", "question"),
    [
        ("section-2", "2(k)(1)(i)", '"Loser 7"'),
        ("section-2", "2(e)(2)#2", "Vigorish base"),
        ("new-jersey", "19:47-1.4(b)/hard-8", "A misprint"),
        ("new-jersey", "19:47-1.2(b)", "Hops"),
        ("maryland-crapless", "5.A(12)", "Crapless place 2, 3, 11, 12"),
        ("maryland-crapless", "11.B(3)", "Fire in crapless"),
        ("iowa", "max.6", "Big 6 and big 8 (Iowa)"),
        ("iowa", "wagers.5.c#3", "Come odds on a come-out roll"),
        ("iowa", "general.4", "Shooter without a line bet"),
        ("new-jersey", "19:47-1.3(b)#2", "A match play coupon's face"),
        ("maryland-crapless", "6.C", "3-4-5 odds in crapless"),
        ("iowa", "stick.14#2", "Order of the stick's work (Iowa stick.14)"),
        ("iowa", "lay/vig", "Lay vigorish under exact rounding"),
        ("dealer-school", "odds-limit/cap", "Table maximum and odds"),
        ("dealer-school", "dont-come/12", "Don't come on 12 (dealer school)"),
        ("dealer-school", "come/travel", "A come bet whose number is the point"),
    ],
)
def test_the_clause_it_settles_shows_it(book_id: str, clause: str, question: str) -> None:
    assert question in [d.question for d in find_decisions(book_id, clause)]


def test_a_plain_clause_shows_none() -> None:
    assert find_decisions("new-jersey", "19:47-1.2(a)12#2") == ()
