"""The signed certificate of a passed audition, and the text that the house signs. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from passline.school.audition import AuditionReport


def make_certificate(report: AuditionReport, sign: Callable[[str], str]) -> dict[str, Any] | None:
    """Return the signed certificate of an audition, or None if it was not passed or was practice.

    ``sign`` returns the house's signature of a text.
    """
    if not report.passed or report.practice:
        return None
    score = report.score.total
    certificate: dict[str, Any] = {
        "learner": report.name,
        "rulebook": report.rulebook,
        # Some JSON writers have no 100.0, and the signed text must be the same for all of them.
        "score": int(score) if score == int(score) else score,
        "date": report.date,
        "audition": report.audition,
    }
    return {**certificate, "signature": sign(certificate_text(certificate))}


def certificate_text(certificate: Mapping[str, Any]) -> str:
    """Return the text that the house signs: all fields but ``signature`` as JSON, keys sorted.

    >>> certificate_text({"score": 90.5, "learner": "Zoë", "signature": "00"})
    '{"learner":"Zoë","score":90.5}'
    """
    rest = {name: value for name, value in certificate.items() if name != "signature"}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
