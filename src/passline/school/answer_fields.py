"""Forms for answers: describe the inputs of a form, and read, parse and check what was entered.

``read_*`` functions read one value of a JSON answer, ``parse_*`` a line typed at the prompt, and
``find_*_error`` check one value. All raise UnreadableAnswerError if a value can't be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chip, Chips, ChipsError, Rack
from passline.game.words.school import ANSWER_NOUNS, FIELD_LABELS, say_school
from passline.school.question_types import DrillSetup, Grade, Question, SchoolError
from passline.talk.normalize import NUMBER_WORDS, convert_number_words
from passline.text import escape_unprintable, join_words

#: The values of an answer by the names of its fields.
AnswerFields = Mapping[str, Any]
#: The kinds of input that the browser can show (``web/static/school_question.js``).
FieldKind = Literal["choice", "amount", "words", "chips", "wagers", "steps", "wrong", "ticks"]


class UnreadableAnswerError(SchoolError):
    """Raised if an answer can't be read. The message says in one line what was expected."""


class AnswerField(msgspec.Struct, frozen=True, kw_only=True):
    """One input of an answer form: its kind, and the key of the answer that it fills.

    ``choices`` are the (value, name) pairs of a ``wagers`` or ``ticks`` input. The page shows
    ``hint`` beside the input, and ``title`` as the label instead of the usual one, unless they are
    empty.
    """

    name: str
    kind: FieldKind
    optional: bool = False
    choices: tuple[tuple[str, str], ...] | None = None
    hint: str = ""
    title: str = ""

    @property
    def label(self) -> str:
        """Return the label of the input."""
        return self.title or FIELD_LABELS[self.name][0]

    @property
    def noun(self) -> str:
        """Return the noun that names the value in a sentence."""
        return FIELD_LABELS[self.name][1]

    def to_json(self) -> dict[str, Any]:
        """Return the field as the JSON object that the browser reads; empty values are left out."""
        found: dict[str, Any] = {
            name: getattr(self, name) for name in ("name", "kind", "label", "optional")
        }
        if self.choices is not None:
            found["choices"] = [list(choice) for choice in self.choices]
        return found | ({"hint": self.hint} if self.hint else {})


CHOICE_FIELD = AnswerField(name="choice", kind="choice")
PAID_FIELD = AnswerField(name="paid", kind="amount")

_AMOUNT_PATTERN = re.compile(r"\$?\s*([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.([0-9]{1,2}))?")
_COUNT_PATTERN = re.compile(r"[0-9]{1,5}")
#: The largest amount and the most chips that an answer may hold.
_MAX_CENTS = 10**14
_MAX_CHIPS = 100_000
_MAX_ANSWER_LENGTH = 2_000


def quote_value(value: object) -> str:
    """Return a value as short, printable text for a message: a text in quotes, a number as it is.

    A list or dict is only named: "a list", "an object".
    """
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = escape_unprintable(repr(value) if not isinstance(value, str) else f"'{value[:40]}'")
    return text if len(text) <= 44 else f"{text[:40]}..."


def read_cents(value: object, what: str) -> int:
    """Return an amount (``"12.50"``, ``12.5``, ``12``) in cents; ``what`` names it in errors.

    Raise UnreadableAnswerError if it is no amount, negative or too large.

    >>> read_cents("$1,250.50", "paid"), read_cents("forty five dollars", "paid")
    (125050, 4500)
    """
    if isinstance(value, str):
        found = _AMOUNT_PATTERN.fullmatch(_write_amount(value))
        if found is not None:
            return int(found[1].replace(",", "")) * 100 + int((found[2] or "").ljust(2, "0"))
        if value.strip().startswith("-"):
            raise UnreadableAnswerError("answer.negative", what=what, value=quote_value(value))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # Compare before converting to a float, because an int may be larger than any float.
        if not -_MAX_CENTS <= value * 100 <= _MAX_CENTS:
            raise UnreadableAnswerError("answer.too-large", what=what, value=quote_value(value))
        if value < 0:
            raise UnreadableAnswerError("answer.negative", what=what, value=quote_value(value))
        cents = round(value * 100)
        if abs(cents - value * 100) < 1e-6:
            return cents
    raise UnreadableAnswerError("answer.amount", what=what, value=quote_value(value))


def _write_amount(text: str) -> str:
    """Return number words as figures, without "dollars": "45" for "forty five dollars"."""
    plain = re.sub(r"(?<=\w)\s*(?:dollars?|bucks?)$", "", text.strip(), flags=re.IGNORECASE)
    words = plain.lower().replace("-", " ").split()
    return " ".join(convert_number_words(words)) if {*words} <= NUMBER_WORDS else plain


def read_stack(value: object, rack: Rack, what: str = "chips") -> Chips:
    """Return chips from ``{"red": 3}`` or ``"1 green, 3 red"``; ``what`` names them in errors."""
    about = {"what": what, "value": quote_value(value), "colors": [c.color for c in rack.chips]}
    if isinstance(value, str) and len(value) <= _MAX_ANSWER_LENGTH:
        try:
            return rack.read(_write_chips(value))
        except ChipsError:
            raise UnreadableAnswerError("answer.chips", **about) from None
    if not isinstance(value, dict):
        raise UnreadableAnswerError("answer.no-chips", **about)
    counts: dict[Chip, int] = {}
    for color, count in value.items():
        chip = rack.chip(_write_chips(color))
        if chip is None:
            raise UnreadableAnswerError("answer.color", **about | {"value": quote_value(color)})
        counts[chip] = _read_count(count, f"{ANSWER_NOUNS.get(what, what)}, {color}")
    return Chips.of(counts)


def _write_chips(text: str) -> str:
    """Return chips in the words that a rack reads: `2 red 1 green` for `2 reds and one green`."""
    plain = re.sub(r"\band\b|\bchips?\b|(?<=[a-z])s\b|(?<=[a-z])-(?=[a-z])", " ", text.lower())
    return " ".join(convert_number_words(plain.split()))


def _read_whole(value: object) -> int | None:
    """Return a whole number from an int, a float or digits; None for anything else."""
    if isinstance(value, str):
        return int(value) if _COUNT_PATTERN.fullmatch(value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _read_count(value: object, what: str) -> int:
    count = _read_whole(value)
    if count is None:
        raise UnreadableAnswerError("answer.whole-number", what=what, value=quote_value(value))
    if not 0 <= count <= _MAX_CHIPS:
        raise UnreadableAnswerError("answer.chip-count", what=what, most=_MAX_CHIPS)
    return count


def read_choice(value: object, count: int) -> int:
    """Return the index of the chosen answer, from 0 up to ``count`` - 1.

    ``value`` may be a number or a string of digits. Raise UnreadableAnswerError for any other
    value.
    """
    number = _read_whole(value.strip() if isinstance(value, str) else value)
    if number is None or not 0 <= number < count:
        raise _make_choice_error(value if number is None else number, count)
    return number


def _make_choice_error(value: object, count: int) -> UnreadableAnswerError:
    return UnreadableAnswerError("answer.choice", value=quote_value(value), last=count - 1)


def read_words(value: object, what: str) -> str:
    """Return a text with its white space normalized; ``what`` names it in errors.

    Raise UnreadableAnswerError if it is empty, too long or no text.
    """
    if not isinstance(value, str) or not value.strip():
        raise UnreadableAnswerError("answer.words", what=what, value=quote_value(value))
    if len(value) > _MAX_ANSWER_LENGTH:
        raise UnreadableAnswerError("answer.words-length", what=what, most=_MAX_ANSWER_LENGTH)
    return " ".join(value.split())


def read_list(value: object, what: str, most: int = 500) -> list[Any]:
    """Return ``value`` if it is a list of at most ``most`` items; ``what`` names it in errors."""
    if not isinstance(value, list):
        raise UnreadableAnswerError("answer.list", what=what, value=quote_value(value))
    if len(value) > most:
        raise UnreadableAnswerError("answer.list-length", what=what, count=len(value), most=most)
    return value


def count_by_color(chips: Chips) -> dict[str, int]:
    """Return {color: count}, the form in which questions and answers store chips."""
    return dict(chips.counts)


def format_counts(chips: Mapping[str, int]) -> str:
    """Return counts of chips by color as text: ``2 red, 4 white``."""
    return ", ".join(f"{count} {color}" for color, count in chips.items())


def format_amounts(wagers: Mapping[str, int]) -> dict[str, str]:
    """Return dollars as decimal strings by wager, from cents by wager."""
    return {slug: to_dollars(cents) for slug, cents in wagers.items()}


def find_amount_error(value: object, right: str, what: str) -> str:
    """Return a sentence that compares ``value`` with the amount ``right``, or "" if they are equal.

    ``what`` names the amount in the sentence.
    """
    cents = read_cents(value, what)
    due = read_cents(right, what)
    if cents == due:
        return ""
    figures = {"given": cents, "difference": abs(cents - due), "over": cents > due}
    return say_school("grade.amount", what=what, due=due, **figures)


def find_chips_error(setup: DrillSetup, value: object, stacks: Sequence[Chips]) -> str:
    """Return what is wrong with the chips in the answer ``value``, or "" if nothing is.

    ``stacks`` holds the stacks that the manual would pay, the usual one first. Up to level 2, any
    colors that make the amount are right.
    """
    chips, due = read_stack(value, setup.rack), stacks[0].amount
    if chips.amount != due:
        return say_school("grade.chips", given=chips.amount, due=due)
    if setup.any_colors or chips in stacks:
        return ""
    return say_school("grade.colors", chips=stacks[0], missed=stacks[0] - chips)


def grade_choice(_: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    """Grade the field ``choice`` of an answer: the index of one of the question's choices."""
    choices = question.given["choices"]
    chosen = read_choice(fields.get("choice"), len(choices))
    right, why = question.answer["choice"], question.explain[0]
    if chosen == right:
        return Grade(True, why)
    # Don't repeat the right choice if the explanation states it.
    stated = why if choices[right] in why else f"{choices[right]}; {why}"
    return Grade(False, say_school("grade.choice", stated=stated), question.cite)


AMOUNT_TEXT = r"\$?\s?\d+(?:,\d{3})*(?:\.\d{1,2})?"
_ALL_AMOUNTS_PATTERN = re.compile(AMOUNT_TEXT)
_AMOUNT_FIRST_PATTERN = re.compile(
    rf"({AMOUNT_TEXT})(?:\s*(?:dollars?|bucks?))?(?:\s*[,.:=;]|\s+in\b|\s+as\b|\s|$)\s*(.*)",
    re.DOTALL,
)
_CHIP_WORDS_PATTERN = re.compile(r"(\d+)\s*([a-z-]+)|([a-z-]+)|(\d+)")


def split_amount(text: str) -> tuple[str, str] | None:
    """Return (amount, rest) of a line, or None if it does not begin with an amount.

    >>> split_amount("$75, 15 times the bet")
    ('75', '15 times the bet')
    """
    found = _AMOUNT_FIRST_PATTERN.fullmatch(text)
    return (normalize_dollars(found[1]), found[2]) if found is not None else None


def normalize_dollars(text: str) -> str:
    """Return an amount without its dollar sign. Raise UnreadableAnswerError if it is no amount."""
    found = text.replace("$", "").strip()
    read_cents(found, "amount")
    return found


def parse_chips(setup: DrillSetup, text: str) -> dict[str, int]:
    """Return counts by color from words or letters: ``1 green 4 red``, ``g r r r r``, ``g 4r``.

    Raise UnreadableAnswerError for any other text.
    """
    try:
        return count_by_color(read_stack(text, setup.rack))
    except UnreadableAnswerError as error:
        counts: dict[str, int] = {}
        plain = re.sub(r"\band\b|,|\+", " ", text.lower())
        if _CHIP_WORDS_PATTERN.sub("", plain).strip():
            raise
        for found in _CHIP_WORDS_PATTERN.finditer(plain):
            color = None if found[4] else _match_color(setup, found[2] or found[3])
            if color is None:
                raise error from None
            counts[color] = counts.get(color, 0) + int(found[1] or 1)
        return count_by_color(read_stack(counts, setup.rack))


def _match_color(setup: DrillSetup, word: str) -> str | None:
    """Return the only color that begins with ``word``, or None. A plural s is ignored."""
    colors = [chip.color for chip in setup.rack.chips]
    for name in (word, word.removesuffix("s")):
        fits = [name] if name in colors else [color for color in colors if color.startswith(name)]
        if len(fits) == 1:
            return fits[0]
    return None


def parse_choice(_: DrillSetup, question: Question, text: str) -> Any:
    """Return {"choice": index} from the number of a choice, or from words that only it contains.

    Raise UnreadableAnswerError for other words.
    """
    choices: Sequence[str] = question.given["choices"]
    words = text.strip("[]. ")
    if re.fullmatch(r"-?\d+(\.\d+)?", words):
        return {"choice": read_choice(words, len(choices))}
    fits = [n for n, each in enumerate(choices) if words.lower() == each.lower().strip(" .")]
    fits = fits or [n for n, each in enumerate(choices) if words and words.lower() in each.lower()]
    if len(fits) == 1:
        return {"choice": fits[0]}
    raise _make_choice_error(text, len(choices))


def make_amounts_parser(**names: str) -> Callable[[DrillSetup, Question, str], Any]:
    """Return a function that parses a line with several amounts into a dict of them by field.

    Each keyword is a field of the answer; its value is a pattern for the words that name it. The
    amounts come with those words (``vig 2, paid 40``), or in order without them. Two amounts
    without words are the first and the last field.
    """

    def parse(_: DrillSetup, __: Question, text: str) -> Any:
        if re.search(r"(?<![\w.])-\s?\$?\d", text):
            raise UnreadableAnswerError(
                "answer.negative", what="any-amount", value=quote_value(text)
            )
        found: dict[str, str] = {}
        for name, words in names.items():
            near = re.search(
                rf"\b{words}[a-z ]*\W*({AMOUNT_TEXT})|({AMOUNT_TEXT})\s*{words}", text.lower()
            )
            if near:
                found[name] = normalize_dollars(near[1] or near[2])
        if found:
            return found
        amounts = [normalize_dollars(each) for each in _ALL_AMOUNTS_PATTERN.findall(text)]
        keys = tuple(names)
        if len(amounts) == len(keys):
            return dict(zip(keys, amounts, strict=True))
        if len(amounts) == 2:
            return dict(zip((keys[0], keys[-1]), amounts, strict=True))
        nouns = join_words([ANSWER_NOUNS[key] for key in keys])
        raise UnreadableAnswerError(
            "answer.amounts", value=quote_value(text), count=len(keys), nouns=nouns
        )

    return parse
