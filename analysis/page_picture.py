# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a row: times over sizes on logarithmic axes, as SVG of few bytes."""

import html
import math
from collections.abc import Sequence

from . import units
from .page_explanations import Point

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 240, 52, 12, 22, 36
MOST_TICKS = 6
# What has no bytes stands where half a byte would.
LEAST_BYTES = 0.5


class Axis:
    """A logarithmic axis from one place on the picture to another."""

    def __init__(self, values: Sequence[float], first: float, last: float) -> None:
        low, high = min(values), max(values)
        margin = 1.15 if high < 1.5 * low else 1.0
        self.low, self.high = math.log(low / margin), math.log(high * margin)
        self.first, self.last = first, last

    def place(self, value: float) -> float:
        share = (math.log(value) - self.low) / (self.high - self.low or 1)
        return round(self.first + share * (self.last - self.first), 1)

    def ticks(self, base: int) -> list[float]:
        """At most MOST_TICKS powers of the base, and their fractions if there are fewer than two."""
        step = math.log(base)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        powers = list(range(first, last + 1))
        if len(powers) < 2:
            return [math.exp(self.low + share * (self.high - self.low)) for share in (0.1, 0.5, 0.9)]
        return [float(base) ** power for power in powers[::math.ceil(len(powers) / MOST_TICKS)]]


def amount(point: Point) -> float:
    return max(LEAST_BYTES, point.bytes or 0)


def line(points: Sequence[tuple[str, float, float]], name: str) -> str:
    """Returns a thin line through the points of each kind of blocks: (kind, x, y)."""
    lines: dict[str, list[str]] = {}
    for kind, x, y in points:
        lines.setdefault(kind, []).append(f"{x:g} {y:g}")
    path = "".join(f"M{'L'.join(each)}" for each in lines.values() if len(each) > 1)
    return f'<path class="line {name}" d="{path}"/>' if path else ""


def title_of(point: Point) -> str:
    times = [f"takes {units.microseconds(point.largest.takes_s)} µs",
             *([f"instead {units.microseconds(point.instead.instead_s)} µs"] if point.instead else []),
             f"fastest {units.microseconds(point.largest.instead_s)} µs"]
    return html.escape(f"{point.problem['id']}: {', '.join(times)}")


def axes(x: Axis, y: Axis, has_bytes: bool) -> str:
    parts = [f'<path class="axis" d="M{LEFT} {TOP - 6}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT + 6}"/>']
    for value in x.ticks(2) if has_bytes else []:
        label = units.amount_of_bytes(value if value >= 1 else 0)
        parts.append(f'<text class="middle" x="{x.place(value):g}" y="{HEIGHT - BOTTOM + 15}">{label}</text>')
    for value in y.ticks(10):
        parts.append(f'<text class="end" x="{LEFT - 6}" y="{y.place(value) + 4:g}">'
                     f"{units.short(value * 1e6)}</text>")
    parts.append(f'<text x="4" y="11">µs</text><text class="end" x="{WIDTH - RIGHT + 6}" y="{HEIGHT - 4}">'
                 f"{'bytes' if has_bytes else ''}</text>")
    return "".join(parts)


def marks(points: Sequence[Point], x: Axis, y: Axis) -> str:
    """Returns a circle for each point of the library, a square for its replacement, a dash for the
    fastest."""
    circles, squares, dashes = [], [], []
    for point in points:
        at = x.place(amount(point))
        dashes.append(f"M{at - 4:g} {y.place(point.largest.instead_s):g}h8")
        if point.instead:
            squares.append(f"M{at - 2.5:g} {y.place(point.instead.instead_s) - 2.5:g}h5v5h-5z")
        circles.append(f'<circle class="{point.verdict}" cx="{at:g}" cy="{y.place(point.largest.takes_s):g}" '
                       f'r="3.2"><title>{title_of(point)}</title></circle>')
    return (f'<path class="fastest" d="{"".join(dashes)}"/><path class="instead" d="{"".join(squares)}"/>'
            + "".join(circles))


def drawn(points: Sequence[Point], description: str) -> str:
    """Returns the picture; empty without points."""
    positive = [point for point in points if all(
        min(side.takes_s, side.instead_s) > 0 for side in (point.largest, point.instead) if side)]
    if not positive:
        return ""

    x = Axis([amount(point) for point in positive], LEFT + 8, WIDTH - RIGHT)
    y = Axis([each for point in positive for side in (point.largest, point.instead) if side
              for each in (side.takes_s, side.instead_s)], HEIGHT - BOTTOM - 6, TOP)
    kinds = [(point.problem["distribution"], x.place(amount(point)), point)
             for point in positive]
    own = [(kind, at, y.place(point.largest.takes_s)) for kind, at, point in kinds]
    other = [(kind, at, y.place(point.instead.instead_s)) for kind, at, point in kinds if point.instead]
    return (f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{html.escape(description)}">'
            f"{axes(x, y, any(point.bytes is not None for point in positive))}{line(other, 'instead')}"
            f"{line(own, 'own')}{marks(positive, x, y)}</svg>")
