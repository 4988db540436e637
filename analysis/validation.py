# SPDX-License-Identifier: BSD-3-Clause
"""Says what in a report disagrees with report.schema.json, fast enough for 100 000 checks.

The interpreter of schema.py validates everything but the two long arrays. Their items are tested by
predicates compiled from the same schema (about 4 us per check), and the interpreter is asked again only to
word the first flaw. The schema stays the only description of the format.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .errors import InputError
from .schema import flaws, worst_flaw

SCHEMA_FILE = Path(__file__).with_name("report.schema.json")
LONG_ARRAYS = {"problems": "problem", "checks": "check"}

Predicate = Callable[[Any], bool]

# Python's json makes exactly these types, and bool is not a number in JSON.
TYPES: dict[str, frozenset[type]] = {
    "object": frozenset({dict}),
    "array": frozenset({list}),
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "null": frozenset({type(None)}),
}
ANNOTATIONS = {"description", "title", "$schema", "$id", "$defs"}


@functools.cache
def schema() -> dict[str, Any]:
    """Returns the schema of reports."""
    loaded: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return loaded


def compile_object(node: dict[str, Any], root: dict[str, Any]) -> Predicate:
    required = frozenset(node.get("required", ()))
    plain: dict[str, frozenset[type]] = {}
    nested: dict[str, Predicate] = {}
    for key, value in node.get("properties", {}).items():
        if set(value) - ANNOTATIONS == {"type"}:
            plain[key] = TYPES[value["type"]]
        if plain.get(key) is None or value["type"] == "integer":
            nested[key] = compile_schema(value, root)
    others = node.get("additionalProperties")
    other = compile_schema(others, root) if others is not None else None

    def is_valid(value: Any) -> bool:
        if type(value) is not dict or not required <= value.keys():
            return False
        for key, item in value.items():
            types = plain.get(key)
            if types is not None and type(item) in types:
                continue
            predicate = nested.get(key, other)
            if not predicate(item) if predicate is not None else types is not None:
                return False
        return True

    return is_valid


def compile_schema(node: dict[str, Any], root: dict[str, Any]) -> Predicate:
    """Returns a predicate for the keywords that the schema of problems and checks uses."""
    keywords = set(node) - ANNOTATIONS
    if keywords == {"$ref"}:
        return compile_schema(root["$defs"][node["$ref"].rsplit("/", 1)[1]], root)
    if keywords == {"enum"}:
        values = frozenset(node["enum"])
        return lambda value: type(value) is str and value in values
    kind = node.get("type")
    if kind == "object" and keywords <= {"type", "required", "properties", "additionalProperties"}:
        return compile_object(node, root)
    if kind == "array" and keywords <= {"type", "items"}:
        item = compile_schema(node.get("items", {"type": "object"}), root)
        return lambda value: type(value) is list and all(map(item, value))
    if kind == "integer" and keywords == {"type"}:
        # JSON Schema counts 3.0 as an integer.
        return lambda value: type(value) is int or (type(value) is float and value.is_integer())
    if keywords == {"type"}:
        names: list[str] = [kind] if isinstance(kind, str) else list(kind or ())
        types: frozenset[type] = frozenset().union(*(TYPES[name] for name in names))
        return lambda value: type(value) in types
    if keywords == {"anyOf"}:
        # Rows have been replaced by objects before.
        choices = [compile_schema(each, root) for each in reversed(node["anyOf"])]
        return lambda value: any(is_valid(value) for is_valid in choices)
    # Rarely used, and slow.
    return lambda value: not any(flaws(value, node, root))


@functools.cache
def predicate_of(definition: str) -> Predicate:
    """Returns the compiled predicate of one entry of the schema's $defs."""
    return compile_schema(schema()["$defs"][definition], schema())


def describe(path: Path, instance: Any, node: dict[str, Any], where: str) -> None:
    """Raises InputError with the first flaw, if there is one."""
    flaw = worst_flaw(instance, node, schema())
    if flaw is None:
        return
    place = "/".join([*([where] if where else []), *map(str, flaw[0])]) or "the top level"
    message = flaw[1] if len(flaw[1]) <= 200 else flaw[1][:200] + "..."
    raise InputError(f"{path}: not a report of mpiaudit: at {place}: {message}")


def validate(path: Path, document: Any) -> None:
    """Raises InputError with the first disagreement between document and schema."""
    node = schema()
    shallow = document
    if isinstance(document, dict):
        arrays: dict[str, list[Any]] = {
            key: [] for key in LONG_ARRAYS if isinstance(document.get(key), list)}
        shallow = document | arrays
    describe(path, shallow, node, "")
    for key, definition in LONG_ARRAYS.items():
        is_valid = predicate_of(definition)
        for index, item in enumerate(document[key]):
            if not is_valid(item):
                describe(path, item, node["$defs"][definition], f"{key}/{index}")
