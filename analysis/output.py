# SPDX-License-Identifier: BSD-3-Clause
"""Writes results to standard output, or to a file that is complete or does not exist."""

import contextlib
import io
import os
import stat
import sys
import tempfile
from pathlib import Path

from .errors import InputError


def prepare() -> None:
    """Lets the standard streams take any text in any locale. Raises InputError if a stream is closed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="mpiaudit")
    if sys.stdout is None:
        raise InputError("standard output is closed")


def remark(line: str) -> None:
    """Prints a line to standard error, if there is one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr)


def silence() -> None:
    """Lets the interpreter end without a second complaint about a closed stream."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_beside(path: Path, data: bytes) -> None:
    """Writes through a temporary file, so that nobody sees half of the file and no link is followed."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _require_regular(path: Path) -> None:
    """Raises InputError for devices and links such as /dev/stdout, which mpiaudit does not replace either."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise InputError(
            f"{path}: cannot be written, it is a symbolic link; give the name of the file itself")
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: cannot be written, it is no regular file; give the name of a file")


def write_bytes(path: Path, data: bytes) -> None:
    """Writes the file. Raises InputError with its name."""
    try:
        _require_regular(path)
        _write_beside(path, data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8", errors="mpiaudit"))


def give(text: str, path: Path | None) -> None:
    """Writes to the file of an option --output, or to standard output."""
    if path is None:
        sys.stdout.write(text)
    else:
        write_text(path, text)
