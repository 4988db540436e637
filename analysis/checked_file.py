# SPDX-License-Identifier: BSD-3-Clause
"""Small JSON files with a schema of their own. For reports, which are large: validation.py."""

import functools
import json
from pathlib import Path
from typing import Any

from .errors import InputError, require
from .reports import load_json


@functools.cache
def _schema(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def read(path: Path, schema_file: Path, purpose: str, hint: str = "") -> dict[str, Any]:
    """What the file holds, or an InputError that says where it is wrong and ends in the hint."""
    data: dict[str, Any] = load_json(path)
    jsonschema = require("jsonschema", purpose)
    for flaw in jsonschema.Draft202012Validator(_schema(schema_file)).iter_errors(data):
        place = ".".join(str(part) for part in flaw.absolute_path) or "the file"
        raise InputError(f"{path}: {place}: {flaw.message.splitlines()[0][:200]}{hint}")
    return data
