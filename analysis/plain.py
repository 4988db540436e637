# SPDX-License-Identifier: BSD-3-Clause
"""Text and numbers from elsewhere, made harmless where they come in: the only place that does.

A report may come from another machine. Its texts must not steer a terminal (escape sequences,
carriage returns, marks that turn the direction of writing), and must be encodable; its numbers
must be such that products and quotients of them stay finite.
"""

import codecs
import contextlib
import gc
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

# Control characters but line end and tab; separators and marks of Unicode that reorder or hide text, as
# acts_on_a_terminal() in src/auditor/text/plain.cpp; halves of surrogate pairs.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
                    "\ud800-\udfff]")
ASCII = {"µ": "u", "≤": "<=", "≥": ">=", "×": "x", "·": "*", "α": "alpha", "±": "+-", "→": "->",
         "–": "-", "—": "-", "…": "...", "\u202f": " ", "\xa0": " "}
LARGEST, SMALLEST = 1e100, 1e-100
DIGITS = bytes.maketrans(b"123456789E", b"000000000e")
BEYOND_ASCII = bytes(range(0x80))
# Only a JSON text with one of these can yield unsafe characters or extreme numbers.
ESCAPES = re.compile(rb"\\(?:u(?:00[0-19]|007[fF]|00[8]|20[0-9a-fA-F]|[dD][89a-fA-F]|[fF][eE])"
                     rb"|[bfr])")
UNSAFE_BYTES = re.compile(rb"\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]"
                          rb"|\xef\xbb\xbf")


def plain(text: str) -> str:
    """Returns the text with every character that acts on a terminal made visible, as in \\x1b."""
    return UNSAFE.sub(lambda match: shown(match.group()), text)


def shown(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plain_everywhere(value: Any) -> Any:
    """Returns the value with all its texts and keys plain()."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [plain_everywhere(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain_everywhere(item) for key, item in value.items()}
    return value


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name[:20]} is not a finite number")


def _real(text: str) -> float:
    value = float(text)
    if not -LARGEST < value < LARGEST:
        raise ValueError(f"{text[:20]} is too large for a time, a size or a ratio")
    return value if abs(value) > SMALLEST else 0.0


def _whole(text: str) -> int:
    if len(text) > 24:
        raise ValueError(f"{text[:20]}... is too large for a number of anything")
    return int(text)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Switches garbage collection off while much is made that has no cycles, such as JSON.

    A large report loads in half the time, and later collections do not search it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def parse(data: bytes) -> Any:
    """Returns the value of a JSON text. Raises ValueError for values that are not fit for use.

    A few searches at the speed of memory tell that nearly all reports need no second look, so that a report
    of 100 MB takes no longer to read.
    """
    text = data.decode("utf-8")
    digits = data.translate(DIGITS, b"+-")
    has_extremes = b"0" * 24 in digits or b"0e000" in digits
    del digits
    is_unsafe = (b"\x7f" in data or (b"\\" in data and ESCAPES.search(data) is not None) or
                 (not data.isascii() and
                  UNSAFE_BYTES.search(data.translate(None, BEYOND_ASCII)) is not None))
    try:
        with uncollected():
            if has_extremes:
                value = json.loads(text, parse_constant=_refused, parse_float=_real,
                                   parse_int=_whole)
            else:
                value = json.loads(text, parse_constant=_refused)
            return plain_everywhere(value) if is_unsafe else value
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start:error.end]
    return "".join(ASCII.get(character, "?") for character in text), error.end


# Terminals and files that cannot show a character get a similar one instead of an error.
codecs.register_error("mpiaudit", _replaced)
