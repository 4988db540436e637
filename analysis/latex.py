# SPDX-License-Identifier: BSD-3-Clause
"""Prints a sheet as LaTeX in the look of the papers: booktabs, violations in red and bold."""

from .sheet import SIGNS, Cell, Row, Sheet, stub_texts
from .marks import Mark

# The lines that fit on one page of 11 pt article; longer sheets become several tables.
ROWS_PER_PAGE = 48

PREAMBLE = """\\documentclass[11pt,a4paper]{article}
\\usepackage[margin=22mm]{geometry}
\\usepackage{booktabs}
\\usepackage{graphicx}
\\usepackage{xcolor}
\\begin{document}
"""

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "–": "--", "—": "---", "\u202f": r"\,",
} | {char: rf"\ensuremath{{{symbol}}}" for char, symbol in {
    "<": "<", ">": ">", "*": "*", "'": "'", "±": r"\pm", "·": r"\cdot", "→": r"\rightarrow",
    "⪯": r"\preceq", "≤": r"\le", "≥": r"\ge", "α": r"\alpha", "×": r"\times", "µ": r"\mu",
}.items()}


# Marks behind a number, and in the legend.
LATEX_SIGNS: dict[Mark, str] = {"remark": r"\textcolor{violet}{$^{\sim}$}", "undecided": "?",
                                "evidence only": r"\textcolor{red}{$^{\ast}$}",
                                "number only": r"$^{\wedge}$"}


def escape(text: str) -> str:
    """Returns text that LaTeX prints unchanged; characters that pdflatex does not know become '?'."""
    return "".join(SPECIAL.get(char, char if ord(char) < 0x250 else "?") for char in text)


def shown(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.mark == "violated":
        return rf"\textcolor{{red}}{{\textbf{{{text}}}}}"
    if cell.mark == "evidence only":
        text = rf"\textcolor{{red}}{{{text}}}"
    return text + rf"\rlap{{{LATEX_SIGNS[cell.mark]}}}" if cell.mark in LATEX_SIGNS else text


def head(sheet: Sheet) -> list[str]:
    """Returns the heading lines, with a rule under every heading that spans several columns."""
    titles, rules, names = [""] * len(sheet.stub), [], [escape(name) for name in sheet.stub]
    column = len(sheet.stub) + 1
    for heading in sheet.headings:
        width = len(heading.columns)
        title = escape(heading.title).replace(" + ", r" +\\ ")
        if r"\\" in title:
            title = rf"\shortstack{{{title}}}"
        titles.append(rf"\multicolumn{{{width}}}{{c}}{{{title}}}")
        rules.append(rf"\cmidrule(lr){{{column}-{column + width - 1}}}")
        names += [escape(name) for name in heading.columns]
        column += width
    lines = [" & ".join(titles) + r" \\", "".join(rules)]
    return [*lines, " & ".join(names) + r" \\"] if sheet.is_two_storied else [
        " & ".join([*names[:len(sheet.stub)], *titles[len(sheet.stub):]]) + r" \\"]


def legend(sheet: Sheet) -> str:
    """Returns the notes as sentences of the caption; red bold replaces the ! of plain text."""
    meanings: dict[str, list[str]] = {}
    for sign, note in sheet.notes:
        meanings.setdefault(sign, []).append(escape(note.replace("<=", "⪯")))
    signs = {"!": r"\textcolor{red}{\textbf{Red and bold}}", "": ""} | {
        SIGNS[mark]: sign for mark, sign in LATEX_SIGNS.items()}
    return " ".join(f"{signs.get(sign, escape(sign))}: {'; '.join(notes)}."
                    for sign, notes in meanings.items())


def tabular(sheet: Sheet, rows: list[Row], stubs: list[tuple[str, ...]]) -> list[str]:
    columns = sum(len(heading.columns) for heading in sheet.headings)
    kinds = ("l" * sheet.left_aligned + "r" * (len(sheet.stub) - sheet.left_aligned)
             + "r" * columns)
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", *head(sheet), r"\midrule"]
    for index, (row, stub) in enumerate(zip(rows, stubs, strict=True)):
        if row.starts_group and index > 0:
            lines.append(r"\addlinespace")
        lines.append(" & ".join([*map(escape, stub), *map(shown, row.cells)]) + r" \\")
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def to_latex(sheet: Sheet, is_standalone: bool = False) -> str:
    """Returns floating tables no wider than the text; they need booktabs, graphicx and xcolor. With
    is_standalone, returns a document that pdflatex compiles."""
    stubs = stub_texts(sheet, False)
    lines = [] if is_standalone else ["% needs \\usepackage{booktabs,graphicx,xcolor}"]
    for start in range(0, max(len(sheet.rows), 1), ROWS_PER_PAGE):
        part = slice(start, start + ROWS_PER_PAGE)
        continued = " (continued)" if start else ""
        notes = f" {legend(sheet)}" if not start and sheet.notes else ""
        lines += [
            r"\begin{table}[p]", r"\centering",
            rf"\caption{{{escape(sheet.caption)}{continued}.{notes}}}",
            # Shrinks tables that are too wide.
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            *tabular(sheet, sheet.rows[part], stubs[part]), "}", r"\end{table}", r"\clearpage",
        ]
    if not is_standalone:
        lines = [line for line in lines if line != r"\clearpage"]
    return "\n".join(lines) + "\n"


def document(bodies: list[str]) -> str:
    """Returns a complete document around tables made with is_standalone."""
    return PREAMBLE + "\n".join(bodies) + "\\end{document}\n"
