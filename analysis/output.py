# SPDX-License-Identifier: BSD-3-Clause
"""Writes results: to standard output, or to a file that is either complete or not there."""

import contextlib
import io
import os
import stat
import sys
import tempfile
from pathlib import Path

from .errors import InputError


def prepare() -> None:
    """Lets the standard streams take any text, whatever the locale; InputError when closed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="mpiaudit")
    if sys.stdout is None:
        raise InputError("standard output is closed")


def remark(line: str) -> None:
    """A line to standard error, where there is one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr)


def silence() -> None:
    """Lets the interpreter end without a second complaint about a stream that takes no more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_beside(path: Path, data: bytes) -> None:
    """By a temporary file of its own, so that nobody sees half of it and no link is followed."""
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
    """Neither devices nor links, as /dev/stdout is one, are replaced; as mpiaudit itself does."""
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
    """Writes the file; an InputError names it, which the system's error would not always do."""
    try:
        _require_regular(path)
        _write_beside(path, data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8", errors="mpiaudit"))


def give(text: str, path: Path | None) -> None:
    """To the file of an option --output, or to standard output."""
    if path is None:
        sys.stdout.write(text)
    else:
        write_text(path, text)
