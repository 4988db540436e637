# SPDX-License-Identifier: BSD-3-Clause
"""Finds what in a document disagrees with a JSON schema, in the words of the package jsonschema.

Knows only the keywords that the schemas of this folder use; any other keyword is an error. Tests compare
the answers with those of jsonschema, which nothing else needs.
"""

import re
from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]
Flaw = tuple[tuple[str | int, ...], str]

ANNOTATIONS = {"description", "title", "default", "$schema", "$id", "$defs"}
KEYWORDS = {"$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items",
            "prefixItems", "minItems", "maxItems", "uniqueItems", "minLength", "pattern", "minimum",
            "maximum", "exclusiveMinimum", "oneOf", "anyOf"}


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_of_type(value: Any, kind: str) -> bool:
    """Returns whether a value has a type. JSON Schema counts 3.0 as an integer, and booleans as no numbers.
    """
    if kind == "number":
        return is_number(value)
    if kind == "integer":
        return is_number(value) and value == int(value)
    kinds: dict[str, type | tuple[type, ...]] = {
        "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[kind])


def flaws(value: Any, node: Node, root: Node) -> Iterator[Flaw]:
    """Yields each place where the value disagrees with the schema, and the disagreement."""
    unknown = set(node) - ANNOTATIONS - KEYWORDS
    if unknown:
        raise NotImplementedError(f"schema keywords {sorted(unknown)} are not known here")
    if "$ref" in node:
        yield from flaws(value, root["$defs"][node["$ref"].rsplit("/", 1)[1]], root)
    if "type" in node:
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        if not any(is_of_type(value, kind) for kind in kinds):
            yield (), f"{value!r} is not of type {', '.join(map(repr, kinds))}"
    if "enum" in node and value not in node["enum"]:
        yield (), f"{value!r} is not one of {node['enum']!r}"
    if "const" in node and value != node["const"]:
        yield (), f"{node['const']!r} was expected"
    for keyword in ("oneOf", "anyOf"):
        if keyword in node:
            fitting = sum(not any(flaws(value, each, root)) for each in node[keyword])
            if fitting == 0:
                yield (), f"{value!r} is not valid under any of the given schemas"
            elif fitting > 1 and keyword == "oneOf":
                yield (), f"{value!r} is valid under more than one of the given schemas"
    if isinstance(value, dict):
        yield from flaws_of_object(value, node, root)
    elif isinstance(value, list):
        yield from flaws_of_array(value, node, root)
    elif isinstance(value, str):
        if len(value) < node.get("minLength", 0):
            yield (), f"{value!r} is too short"
        if "pattern" in node and not re.search(node["pattern"], value):
            yield (), f"{value!r} does not match {node['pattern']!r}"
    elif is_number(value):
        yield from flaws_of_number(value, node)


def flaws_of_number(value: float, node: Node) -> Iterator[Flaw]:
    if "minimum" in node and value < node["minimum"]:
        yield (), f"{value!r} is less than the minimum of {node['minimum']!r}"
    if "maximum" in node and value > node["maximum"]:
        yield (), f"{value!r} is greater than the maximum of {node['maximum']!r}"
    if "exclusiveMinimum" in node and value <= node["exclusiveMinimum"]:
        yield (), f"{value!r} is less than or equal to the minimum of {node['exclusiveMinimum']!r}"


def flaws_of_object(value: dict[str, Any], node: Node, root: Node) -> Iterator[Flaw]:
    for key in node.get("required", ()):
        if key not in value:
            yield (), f"{key!r} is a required property"
    properties, others = node.get("properties", {}), node.get("additionalProperties", True)
    for key, member in value.items():
        if key in properties:
            yield from inside(key, member, properties[key], root)
        elif others is False:
            yield (), f"Additional properties are not allowed ({key!r} was unexpected)"
        elif others is not True:
            yield from inside(key, member, others, root)


def flaws_of_array(value: list[Any], node: Node, root: Node) -> Iterator[Flaw]:
    if len(value) < node.get("minItems", 0):
        yield (), f"{value!r} {'should be non-empty' if node['minItems'] == 1 else 'is too short'}"
    if len(value) > node.get("maxItems", len(value)):
        yield (), f"{value!r} is too long"
    if node.get("uniqueItems") and any(each in value[:place] for place, each in enumerate(value)):
        yield (), f"{value!r} has non-unique elements"
    first = node.get("prefixItems", [])
    for place, item in enumerate(value):
        if place < len(first):
            yield from inside(place, item, first[place], root)
        elif "items" in node:
            yield from inside(place, item, node["items"], root)


def inside(place: str | int, value: Any, node: Node, root: Node) -> Iterator[Flaw]:
    for path, message in flaws(value, node, root):
        yield (place, *path), message


def worst_flaw(value: Any, node: Node, root: Node) -> Flaw | None:
    """Returns the flaw that is least deep in the document, which often explains the others."""
    found: list[Flaw] = sorted(flaws(value, node, root), key=lambda flaw: len(flaw[0]))
    return found[0] if found else None
