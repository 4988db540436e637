# SPDX-License-Identifier: BSD-3-Clause
"""A printed table: headings over one or two columns each, cells that may be marked, notes.

Becomes text, Markdown, CSV and LaTeX; knows nothing about audits.
"""

import argparse
import csv
import io
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import output
from .marks import Mark

SIGNS: dict[Mark, str] = {"": " ", "violated": "!", "undecided": "?", "remark": "~", "evidence only": "*",
                          "number only": "^"}
COLOURS: dict[Mark, str] = {"violated": "\x1b[1;31m", "evidence only": "\x1b[31m", "remark": "\x1b[35m"}
PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over its columns; a single empty column name means one column without name."""

    title: str
    columns: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of the stub headings, then the cells of the body headings."""

    stub: tuple[str, ...]
    cells: tuple[Cell, ...]
    starts_group: bool = False


@dataclass
class Sheet:
    """A table. Stub columns come first, and are repeated if a wide sheet is folded."""

    caption: str
    stub: tuple[str, ...]
    headings: list[Heading]
    rows: list[Row]
    notes: list[tuple[str, str]] = field(default_factory=list)  # sign and what it means
    left_aligned: int = 1  # number of stub columns with words; other columns have numbers
    has_marks: bool = True  # whether cells can have marks: CSV then has a column of marks for each heading

    @property
    def is_two_storied(self) -> bool:
        return any(name for heading in self.headings for name in heading.columns)


def spans(headings: Sequence[Heading]) -> list[tuple[int, int]]:
    """The first and past-the-last cell of each heading."""
    bounds, start = [], 0
    for heading in headings:
        bounds.append((start, start + len(heading.columns)))
        start += len(heading.columns)
    return bounds


def stub_texts(sheet: Sheet, is_repeated: bool) -> list[tuple[str, ...]]:
    """Returns the stubs of all rows; the first stub only at the start of a group unless it is repeated."""
    return [
        row.stub if is_repeated or row.starts_group else ("", *row.stub[1:]) for row in sheet.rows
    ]


@dataclass(frozen=True)
class Block:
    """Some headings of a sheet with the widths of their columns."""

    headings: list[Heading]
    titles: list[list[str]]
    first: int
    widths: list[int]


def lay_out(sheet: Sheet) -> list[Block]:
    """Returns one block per heading. A column is as wide as its cells; titles are broken at ' + '."""
    blocks = []
    for heading, (start, end) in zip(sheet.headings, spans(sheet.headings), strict=True):
        title = heading.title.replace(" + ", " +\n").split("\n")
        widths = [
            max([len(heading.columns[index - start]),
                 *(len(row.cells[index].text) for row in sheet.rows)]) + 1
            for index in range(start, end)
        ]
        # The last column ends with the place of a mark, which no heading covers.
        missing = max(map(len, title)) - sum(widths) - (end - start - 1) + 1
        for position in range(max(0, missing)):
            widths[position % len(widths)] += 1
        blocks.append(Block([heading], [title], start, widths))
    return blocks


def fold(blocks: list[Block], room: int) -> list[list[Block]]:
    """Returns lines of blocks that fit into the room; a block that is too wide stands alone."""
    lines: list[list[Block]] = []
    used = 0
    for block in blocks:
        width = sum(block.widths) + len(block.widths)
        if not lines or (room > 0 and used + width > room):
            lines.append([])
            used = 0
        lines[-1].append(block)
        used += width
    return lines


def text_block(sheet: Sheet, blocks: list[Block], stub_widths: list[int],
               is_coloured: bool) -> list[str]:
    """Returns one fold of the sheet as lines."""

    def stub_line(texts: Sequence[str]) -> str:
        return " ".join(
            text.ljust(width) if index < sheet.left_aligned else text.rjust(width)
            for index, (text, width) in enumerate(zip(texts, stub_widths, strict=True))
        )

    lines = []
    height = max((len(block.titles[0]) for block in blocks), default=1)
    for level in range(height):
        is_last = level == height - 1 and not sheet.is_two_storied
        line = stub_line(sheet.stub if is_last else [""] * len(sheet.stub))
        for block in blocks:
            title = [""] * (height - len(block.titles[0])) + block.titles[0]
            line += " " + title[level].rjust(sum(block.widths) + len(block.widths) - 2) + " "
        lines.append(line.rstrip())
    if sheet.is_two_storied:
        names = [(name.rjust(width - 1) + " ") for block in blocks
                 for name, width in zip(block.headings[0].columns, block.widths, strict=True)]
        lines.append(" ".join([stub_line(sheet.stub), *names]).rstrip())
    lines.append("-" * max(map(len, lines)))
    for row, stub in zip(sheet.rows, stub_texts(sheet, False), strict=True):
        parts = [stub_line(stub)]
        for block in blocks:
            for offset, width in enumerate(block.widths):
                cell = row.cells[block.first + offset]
                printed = cell.text.rjust(width - 1) + SIGNS[cell.mark]
                colour = COLOURS.get(cell.mark) if is_coloured else None
                parts.append(colour + printed + PLAIN if colour else printed)
        lines.append(" ".join(parts).rstrip())
    return lines


def to_text(sheet: Sheet, width: int = 80, is_coloured: bool = False) -> str:
    """Returns plain text, folded into several blocks if wider than `width` (0: never)."""
    stub_widths = [
        max([len(name), *(len(row.stub[index]) for row in sheet.rows)])
        for index, name in enumerate(sheet.stub)
    ]
    room = width - sum(stub_widths) - len(stub_widths) + 1 if width else 0
    wrap = width or 100
    parts = [*textwrap.wrap(sheet.caption, wrap), ""]
    for blocks in fold(lay_out(sheet), max(room, 1) if width else 0) or [[]]:
        parts += [*text_block(sheet, blocks, stub_widths, is_coloured), ""]
    for sign, note in sheet.notes:
        parts += textwrap.wrap(f"{sign} {note}".strip(), wrap, subsequent_indent="  ")
    return "\n".join(parts).rstrip() + "\n"


def flat_names(sheet: Sheet) -> list[str]:
    return [f"{heading.title} {name}".strip()
            for heading in sheet.headings for name in heading.columns]


def escape_markdown(text: str) -> str:
    """Returns text that Markdown shows unchanged, also in a cell of a table."""
    return re.sub(r"([\\|*_~<`\[\]])", r"\\\1", text)


def to_markdown(sheet: Sheet) -> str:
    """Returns a Markdown table; violated cells are bold and keep their mark."""

    def shown(cell: Cell) -> str:
        text = escape_markdown(cell.text)
        return f"**{text}!**" if cell.mark == "violated" else text + escape_markdown(SIGNS[cell.mark]).strip()

    names = [*sheet.stub, *flat_names(sheet)]
    rule = [":--"] * sheet.left_aligned + ["--:"] * (len(names) - sheet.left_aligned)
    lines = [escape_markdown(sheet.caption), "",
             "| " + " | ".join(map(escape_markdown, names)) + " |", "| " + " | ".join(rule) + " |"]
    for row, stub in zip(sheet.rows, stub_texts(sheet, False), strict=True):
        lines.append("| " + " | ".join([*map(escape_markdown, stub), *map(shown, row.cells)]) + " |")
    lines += ["", *(escape_markdown(f"{sign} {note}".strip()) + "  " for sign, note in sheet.notes)]
    return "\n".join(lines).rstrip() + "\n"


def to_csv(sheet: Sheet) -> str:
    """Returns one line per row, every field filled; marks follow the columns of a heading."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    bounds = spans(sheet.headings)
    names: list[str] = [*sheet.stub]
    for heading in sheet.headings:
        titles = [f"{heading.title} {name}".strip() for name in heading.columns]
        names += titles
        if sheet.has_marks:
            names += [f"{title} mark" for title in titles]
    writer.writerow(names)
    for row in sheet.rows:
        fields: list[str] = [*row.stub]
        for start, end in bounds:
            cells = row.cells[start:end]
            fields += [cell.text if cell.text != "-" else "" for cell in cells]
            if sheet.has_marks:
                fields += [cell.mark for cell in cells]
        writer.writerow(fields)
    return stream.getvalue()


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the form and place of a sheet; see give()."""
    parser.add_argument("--format", choices=["text", "markdown", "csv"], default="text")
    parser.add_argument("--width", type=int, default=0, metavar="COLUMNS",
                        help="fold text tables at this width; default never")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")


def give(sheet: Sheet, options: argparse.Namespace) -> None:
    if options.format == "text":
        text = to_text(sheet, options.width)
    else:
        text = {"markdown": to_markdown, "csv": to_csv}[options.format](sheet)
    output.give(text.strip() + "\n", options.output)
