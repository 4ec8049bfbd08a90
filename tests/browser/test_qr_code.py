"""The QR code of an invitation: read back by a reader of its own, as ISO/IEC 18004 has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from passline.web.static_files import static_url

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system

LINK = "http://localhost:7117/t/abcdefghij"
TEXTS = ["hi", LINK, f"{LINK}#{'0123456789ab' * 4}", "x" * 106, "y" * 134, "z" * 154, "ä" * 130]
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
#: The format bits of level L and each mask, from the standard's table.
FORMATS = [0x77C4, 0x72F3, 0x7DAA, 0x789D, 0x662F, 0x6318, 0x6C41, 0x6976]
#: Correction codewords of a block, and blocks, by version.
BLOCKS = {1: (7, 1), 2: (10, 1), 3: (15, 1), 4: (20, 1), 5: (26, 1), 6: (18, 2), 7: (20, 2)}
BLOCKS |= {8: (24, 2), 9: (30, 2), 10: (18, 4)}
CENTERS = {1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38]}
CENTERS |= {8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50]}


def is_function(size: int, version: int, y: int, x: int) -> bool:
    """Whether a module holds no data."""
    corner = (x < 9 and y < 9) or (x < 9 and y >= size - 8) or (x >= size - 8 and y < 9)
    if corner or 6 in (x, y):
        return True
    if version >= 7 and ((x >= size - 11 and y < 6) or (y >= size - 11 and x < 6)):
        return True
    last = size - 7
    for cy in CENTERS[version]:
        for cx in CENTERS[version]:
            if (cy, cx) in {(6, 6), (6, last), (last, 6)}:
                continue
            if abs(y - cy) <= 2 and abs(x - cx) <= 2:
                return True
    return False


def read_codewords(rows: list[str]) -> list[int]:
    size = len(rows)
    version = (size - 17) // 4
    bits = [rows[y][8] for y in (0, 1, 2, 3, 4, 5, 7, 8)]
    bits += [rows[8][x] for x in (7, 5, 4, 3, 2, 1, 0)]
    mask = MASKS[FORMATS.index(int("".join(reversed(bits)), 2))]
    found = []
    columns = (*range(size - 1, 6, -2), 5, 3, 1)
    for number, right in enumerate(columns):
        for y in range(size - 1, -1, -1) if number % 2 == 0 else range(size):
            for x in (right, right - 1):
                if not is_function(size, version, y, x):
                    found.append(int(rows[y][x]) ^ mask(y, x))
    return [
        int("".join(map(str, found[at : at + 8])), 2) for at in range(0, len(found) // 8 * 8, 8)
    ]


def multiply(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def read_text(rows: list[str]) -> str:
    """Read a code. Fail if a block is not free of errors: every syndrome must be zero."""
    version = (len(rows) - 17) // 4
    correction, blocks = BLOCKS[version]
    words = read_codewords(rows)
    data_size = len(words) - correction * blocks
    parts: list[list[int]] = [[] for _ in range(blocks)]
    short, longer = divmod(data_size, blocks)
    at = 0
    for index in range(short + (longer > 0)):
        for block in range(blocks):
            if index < short or block >= blocks - longer:
                parts[block].append(words[at])
                at += 1
    for index in range(correction * blocks):
        parts[index % blocks].append(words[data_size + index])
    for part in parts:
        root = 1
        for _ in range(correction):
            value = 0
            for word in part:
                value = multiply(value, root) ^ word
            assert value == 0
            root = multiply(root, 2)
    data = [word for part in parts for word in part[: len(part) - correction]]
    stream = "".join(f"{word:08b}" for word in data)
    assert stream[:4] == "0100"
    head = 12 if version < 10 else 20
    length = int(stream[4:head], 2)
    return bytes(int(stream[head + 8 * n : head + 8 * n + 8], 2) for n in range(length)).decode()


def test_every_text_is_read_back(page: Page) -> None:
    page.goto("/")
    code = """async ([url, texts]) => {
        const { makeQrCode } = await import(url);
        return texts.map((text) => makeQrCode(text).map((row) => row.map(Number).join("")));
    }"""
    codes = page.evaluate(code, [static_url("qr_code.js"), TEXTS])
    for text, rows in zip(TEXTS, codes, strict=True):
        assert all(len(row) == len(rows) for row in rows)
        assert rows[0].startswith("11111110")
        assert rows[3].startswith("10111010")
        assert rows[6][8:-8] == ("10" * len(rows))[: len(rows) - 16]
        assert read_text(rows) == text
