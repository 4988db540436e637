# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with units for people: times in microseconds, amounts in bytes."""

import math

LN10 = math.log(10.0)


def microseconds(seconds: float) -> str:
    """Returns at most five characters, with the digits of the console (src/auditor/report/console.cpp)."""
    value = seconds * 1e6
    for limit, decimals in ((9.9995, 3), (99.995, 2), (999.95, 1), (99999.5, 0)):
        if value < limit:
            return f"{value:.{decimals}f}"
    return f"{value / 1e3:.0f}k" if value < 999.5e3 else f"{value / 1e6:.3g}M"


def three_digits(us: float) -> str:
    """Returns microseconds with three digits, as the table of the first screen has them (screen_rows.cpp)."""
    if us >= 999_500:
        return f"{us / 1e6:.3g}M"
    return f"{us:.{0 if us >= 99.95 else 1 if us >= 9.995 else 2 if us >= 0.9995 else 3}f}"


def exact_microseconds(seconds: float) -> str:
    """Returns microseconds for programs, which read neither k nor M."""
    return f"{seconds * 1e6:.3f}"


def short_microseconds(seconds: float) -> str:
    """Returns three significant digits and a unit, for labels in pictures."""
    return short(seconds * 1e6) + " µs"


def short(value: float) -> str:
    """Returns three significant digits without an exponent; narrow spaces separate thousands."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    digits = f"{value:.{min(decimals, 6)}f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    whole, dot, fraction = digits.partition(".")
    return f"{int(whole):,}".replace(",", "\u202f") + dot + fraction if whole != "-0" else digits


def ratio(value: float) -> str:
    """Returns three significant digits; ratios near 1 keep two decimals."""
    if value >= 100:
        return short(value)
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.01 else f"{value:.1e}"


def amount_of_bytes(count: float) -> str:
    """Returns bytes in binary units: 1536 is 1.5 KiB."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            break
        count /= 1024
    return f"{count:.0f} {unit}" if count >= 999.5 else f"{count:.3g} {unit}"


def elements(count: int) -> str:
    """Returns a block size in few characters: 1000 is 1k, 65536 is 64Ki."""
    for factor, suffix in ((10**6, "M"), (2**20, "Mi"), (10**3, "k"), (2**10, "Ki")):
        if count >= factor and count % factor == 0:
            return f"{count // factor}{suffix}"
    return str(count)


def e_value(log_e: float) -> str:
    """Returns an e-value from its natural logarithm: 1e-3 to 1e4 in digits, others as powers of ten."""
    exponent = log_e / LN10
    if -3 <= exponent < 4:
        return short(math.exp(log_e))
    whole = math.floor(exponent)
    return f"{10 ** (exponent - whole):.1f}e{whole:+d}".replace("e+", "e")
