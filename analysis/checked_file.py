# SPDX-License-Identifier: BSD-3-Clause
"""Reads small JSON files that have a schema. validation.py reads reports, which are large."""

import functools
import json
from pathlib import Path
from typing import Any

from .errors import InputError
from .reports import load_json
from .schema import worst_flaw


@functools.cache
def _schema(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def read(path: Path, schema_file: Path, purpose: str, hint: str = "") -> dict[str, Any]:
    """Returns the document. Raises InputError with the place of a flaw and the hint."""
    data: dict[str, Any] = load_json(path)
    schema = _schema(schema_file)
    flaw = worst_flaw(data, schema, schema)
    if flaw is not None:
        place = ".".join(map(str, flaw[0])) or "the file"
        raise InputError(f"{path}: {place}: {flaw[1].splitlines()[0][:200]}{hint}")
    return data
