# SPDX-License-Identifier: BSD-3-Clause
"""Damages documents at random; equal seeds give equal damage."""

import copy
import json
import random
from typing import Any

DEEP = json.loads("[" * 400 + "]" * 400)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**63, 10**30, 1.5, -0.0, 1e308, -1e308, 5e-324, 1e99, "", "x",
    "\x1b]0;pwned\x07", "\x9b31m", "a\rb", "\u202egnp", "\ud800", "$x^{$", "\\", "<b>", "x" * 3000,
    "a\nb", "violated", "skipped", [], {}, [None], {"x": 1}, [1, 2], DEEP, "\u65e5\u672c", "%s%n")


def places(item: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a document but itself."""
    found = []
    children = item.items() if isinstance(item, dict) else (
        enumerate(item) if isinstance(item, list) else ())
    for key, value in children:
        found.append((*path, key))
        found += places(value, (*path, key))
    return found


def similar(value: Any, source: random.Random) -> Any:
    """Returns another value of the type of `value`; a schema cannot refuse most of these values."""
    if isinstance(value, str):
        cut = source.randrange(len(value) + 1)
        return source.choice([
            source.choice([item for item in VALUES if isinstance(item, str)]),
            value[:cut] + source.choice(["\x1b[31m", "\ud800", "\x00", "#2", " + ", "|", "\u0301"])
            + value[cut:]])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return source.choice([0, -1, 1, 2, 2**31, 2**63, -2**63, value + 1, -value, 10**12])
    if isinstance(value, float):
        return source.choice([0.0, -1.0, -0.0, 1e-320, 1e99, 1e-99, -1e99, 1e15, 1e-15, -value,
                              value * 1e9, value * 1e-9, value * 2])
    if isinstance(value, list):
        doubled = [*value, *copy.deepcopy(value)]
        return source.choice([[], value[:1], doubled, value[::-1]])
    return {} if source.random() < 0.3 else value


def change(document: Any, path: tuple[Any, ...], source: random.Random) -> None:
    """Changes one place, mostly to another value of its type."""
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    key = path[-1]
    kind = source.randrange(20)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent.insert(source.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    elif kind == 2 and isinstance(parent, dict):
        parent[source.choice(["x", "\x1b[2J", "\ud83d", key + "s"])] = parent.pop(key)
    elif kind == 3:
        parent[key] = copy.deepcopy(source.choice(VALUES))
    else:
        parent[key] = similar(parent[key], source)


def chosen(found: list[tuple[Any, ...]], source: random.Random) -> tuple[Any, ...]:
    """Chooses a field; every kind of field has the same probability, however often it occurs."""
    kinds: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in found:
        kinds.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
    return source.choice(kinds[source.choice(list(kinds))])


def damaged_text(text: bytes, source: random.Random) -> bytes:
    """Bytes lost, changed or put in."""
    place = source.randrange(len(text))
    kind = source.randrange(4)
    if kind == 0:
        return text[:place]
    if kind == 1:
        return text[:place] + bytes([source.randrange(256)]) + text[place + 1:]
    if kind == 2:
        return text[:place] + source.choice([b"[" * 100_000, b"\xff", b"\xed\xa0\x80", b"1e999",
                                             b"NaN", b"\\u001b", b"\x00", b"9" * 5000]) + text[place:]
    end = source.randrange(place, min(len(text), place + 200))
    return text[:place] + text[end:]


def mutated(document: Any, source: random.Random) -> bytes:
    """The document as text after one to three changes; now and then the text is damaged."""
    changed = copy.deepcopy(document)
    for _ in range(source.randint(1, 3)):
        found = places(changed)
        if found:
            change(changed, chosen(found, source), source)
    text = json.dumps(changed).encode("ascii")
    return damaged_text(text, source) if source.random() < 0.1 else text
