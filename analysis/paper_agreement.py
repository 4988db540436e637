# SPDX-License-Identifier: BSD-3-Clause
"""How far simulated audits and the irregular-gather paper agree about the guidelines."""

from dataclasses import dataclass

from .paper_libraries import Cell, Report
from .paper_rows import DISTRIBUTIONS, SMALL, Row, Times, paper_figures, rows_of


@dataclass
class Agreement:
    """Rows by the paper's answer and the simulated one to a question that both answer."""

    both: int
    only_paper: int
    only_simulated: int
    neither: int

    @property
    def rows(self) -> int:
        """The number of compared rows."""
        return self.both + self.only_paper + self.only_simulated + self.neither

    @property
    def same(self) -> int:
        """The number of rows with equal answers."""
        return self.both + self.neither

    @property
    def best_constant(self) -> int:
        """The number of rows in which the better of "always violated" and "never violated" equals the
        paper."""
        yes = self.both + self.only_paper
        return max(yes, self.rows - yes)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): 0 by chance, 1 for equal answers; None if chance alone makes all answers
        equal."""
        paper, simulated = self.both + self.only_paper, self.both + self.only_simulated
        chance = paper * simulated + (self.rows - paper) * (self.rows - simulated)
        if chance == self.rows**2:
            return None
        return (self.same * self.rows - chance) / (self.rows**2 - chance)


def agreement(answers: list[tuple[bool, bool]]) -> Agreement:
    """Counts the agreement of pairs (paper, simulated)."""
    return Agreement(*(answers.count(pair) for pair in ((True, True), (True, False),
                                                        (False, True), (False, False))))


def split_by_fit(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    """Returns the rows to which stand-ins were fitted, and the rows that were left for the test."""
    if not any(row.is_fitted for row in rows):
        return []
    return [("of these, those fitted", [row for row in rows if row.is_fitted]),
            ("of these, those held out", [row for row in rows if not row.is_fitted])]


def agreement_lines(rows: list[Row]) -> list[str]:
    """Returns how often both agree about the guidelines, beside the agreement of a constant answer."""
    equal = [row for row in rows if row.problem == "Same"]
    others = [row for row in rows if row.problem != "Two blocks"]
    return [*lines_of_agreement("Does MPI_Gather violate Guideline (1)?", "gather", "gatherv",
                                [("equal blocks", equal)]),
            *lines_of_agreement("Is MPI_Gather slower than TUW_Gatherv?", "gather", "tuw",
                                [("equal blocks", equal)]),
            *lines_of_agreement("Does MPI_Gatherv violate Guideline (2)?", "gatherv", "padded",
                                [("all problems", rows), ("all but two blocks", others),
                                 *split_by_fit(others)])]


def lines_of_agreement(question: str, left: str, right: str,
                       choices: list[tuple[str, list[Row]]]) -> list[str]:
    """Returns the lines about one question: is the left column slower than the right one?"""
    lines = [question]
    for title, rows in choices:
        chosen = [row for row in rows if {left, right} <= row.simulated.keys()]
        if not chosen:
            continue
        found = agreement([(row.paper[left] > row.paper[right],
                            row.simulated[left] > row.simulated[right]) for row in chosen])
        kappa = "undefined" if found.kappa is None else f"{found.kappa:.2f}"
        lines += [f"  {title}: same answer in {found.same} of {found.rows} rows, kappa {kappa}; "
                  f"the best constant answer: {found.best_constant}",
                  f"    yes in both {found.both}, in the paper only {found.only_paper}, "
                  f"simulated only {found.only_simulated}, in neither {found.neither}"]
        if found.same <= found.best_constant:
            lines.append("    so this table says nothing about it that a constant would not")
    return lines


# The question of each guideline: is the left column slower than the right one?
GUIDELINES = {"(1)": ("gather", "gatherv"), "(2)": ("gatherv", "padded")}


def agreement_of(rows: list[Row], paper: dict[Cell, Times], sides: tuple[str, str]) -> Agreement:
    """Compares with figures of the paper, on the rows for which both have both sides."""
    left, right = sides
    return agreement([
        (paper[row.problem, row.block_size][left] > paper[row.problem, row.block_size][right],
         row.simulated[left] > row.simulated[right])
        for row in rows if {left, right} <= row.simulated.keys()
        and (left != "gather" or row.problem == "Same")])


def agreements_text(audits: list[tuple[int, str, Report]]) -> str:
    """Returns kappa for both guidelines and both statistics of the paper, beside the best constant answer."""
    lines = ["Whether a simulated audit and the paper answer alike to: is the guideline violated? Rows of",
             "all problems; Guideline (1) on equal blocks; the paper's by averages and by minima. Cohen's",
             "kappa is 0 by chance and 1 for equal answers, - where chance alone makes all answers equal.",
             "",
             f"{'table':<24} {'guideline':<10} {'statistic':<10} {'same answer':>12} {'best constant':>14} "
             f"{'kappa':>6}"]
    for table, title, report in audits:
        rows = rows_of(report, table)
        for guideline, sides in GUIDELINES.items():
            for statistic, words in (("avg", "averages"), ("min", "minima")):
                found = agreement_of(rows, paper_figures(table, statistic), sides)
                if not found.rows:
                    continue
                kappa = "-" if found.kappa is None else f"{found.kappa:.2f}"
                lines.append(f"{title:<24} {guideline:<10} {words:<10} "
                             f"{f'{found.same} of {found.rows}':>12} {found.best_constant:>14} {kappa:>6}")
    return "\n".join(lines) + "\n"


def slower_line(rows: list[Row]) -> str:
    """Returns the paper's main claim: how often TUW_Gatherv loses."""
    chosen = [row for row in rows if row.problem != "Two blocks"
              and {"gatherv", "tuw"} <= row.simulated.keys()]
    simulated = sum(row.simulated["tuw"] > row.simulated["gatherv"] for row in chosen)
    paper = sum(row.paper["tuw"] > row.paper["gatherv"] for row in chosen)
    return (f"TUW_Gatherv is slower than MPI_Gatherv in {simulated} of {len(chosen)} rows, in the "
            f"paper in {paper}, all but two blocks.")


def conclusions(rows: list[Row]) -> list[str]:
    """Returns ratios for small blocks, and whether paper and audit agree about the paper's conclusions."""
    lines = [f"MPI_Gatherv / TUW_Gatherv for b <= {SMALL}, simulated (paper):"]
    for problem in DISTRIBUTIONS:
        ratios = [f"{row.simulated['gatherv'] / row.simulated['tuw']:.1f} "
                  f"({row.paper['gatherv'] / row.paper['tuw']:.1f})"
                  for row in rows if row.problem == problem and row.block_size <= SMALL
                  and {"gatherv", "tuw"} <= row.simulated.keys()]
        if ratios:
            lines.append(f"  {problem:<11} {', '.join(ratios)}")
    return [*lines, slower_line(rows), *agreement_lines(rows)]
