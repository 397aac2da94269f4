"""Figures as people read them, and whether two texts can be the same figure.

A text stands for all values that are written like it: `1.9k` for 1,850 to 1,950, `24 %` for .235 to .245. Two texts agree
if some value is written as both; a text and a number agree if the number is written as the text.
"""

import math
import re

PREFIXES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "n": 1e-9, "µ": 1e-6, "m": 1e-3}
SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
# Units that take a prefix; what stands before the unit's own letters is one.
MEASURED = ("FLOP/s", "OP/s", "FLOP/byte", "FLOP", "B/s", "B")

NUMBER = r"[-+−]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?"
# A figure anywhere in a text, for patterns: `8 m 57 s`, `$0.18`, `1.94k`, `75.8 %`, `< .001`.
LENGTH = r"(?:\d+ d \d+ h|\d+ h \d+ m|\d+ m \d+ s|[\d.]+ (?:ns|µs|ms|s))"
COMPACT = r"[\d,.]+[kMGT]?"
MONEY = r"<?\$[\d,.]+\+?"
SHARE = r"<?[\d.]+ ?%"


class Unreadable(ValueError):
    """A text that is no figure."""


def values(text, unit=""):
    """The smallest and the largest value that are written as a text.

    `unit` is the unit of a column, where the text has none: `GFLOP/s`, `%`, `ms`.
    """
    text = text.strip().replace("−", "-")
    if unit and re.fullmatch(r"[<>~≥≤]?\s*" + NUMBER + r"[kMG]?", text):
        text += " " + unit
    below = re.match(r"[<≤]\s*", text)
    above = re.match(r"[>≥]\s*", text)
    text = text[(below or above).end() :] if below or above else text.lstrip("~")
    # A plus says that more was spent than is known: the figure before it is of what is known.
    low, high = _values(text.rstrip("+").strip())
    if below:
        return (min(0.0, low), high)
    return (low, math.inf) if above else (low, high)


def _values(text):
    if re.fullmatch(LENGTH, text):
        parts = re.findall(r"([\d.]+) (ns|µs|ms|s|m|h|d)", text)
        middle = sum(float(number) * SECONDS[word] for number, word in parts)
        half = SECONDS[parts[-1][1]] * last_digit(parts[-1][0]) / 2
        return middle - half, middle + half
    found = re.fullmatch(r"(\$?)(" + NUMBER + r")\s*(.*)", text)
    if not found:
        raise Unreadable(f"no figure: {text!r}")
    number, rest = found[2], found[3].strip()
    middle, half = float(number.replace(",", "")), last_digit(number) / 2
    factor = scale(rest)
    return (middle - half) * factor, (middle + half) * factor


def scale(unit):
    """What one of a unit is: .01 for a percent, 1,000 for k or kB, 1e9 for GFLOP/s, 1 for words such as tokens."""
    if unit == "%":
        return 0.01
    if unit == "points":
        return 0.01
    if unit in PREFIXES and unit not in ("m", "n", "µ"):
        return PREFIXES[unit]
    if unit in SECONDS:
        return SECONDS[unit]
    for measured in MEASURED:
        if unit.endswith(measured) and unit[: -len(measured)] in PREFIXES:
            return PREFIXES[unit[: -len(measured)]]
    return PREFIXES[unit[0]] if re.match(r"[kMG] ", unit) else 1


def last_digit(number):
    """What the last digit of a number counts: .01 for 1.94, 1 for 1,935, 1e-07 for 3.13e-05."""
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals)


def same(one, other):
    """Whether two figures, each the text of one or a number, can be the same.

    Whole texts that meet in one point only, as 24 % and 25 % do, are different.
    """
    (low, high), (least, most) = one, other
    slack = 1e-9 * max(abs(x) for x in (low, high, least, most) if math.isfinite(x))
    if low < high and least < most:
        return min(high, most) - max(low, least) > slack
    return max(low, least) <= min(high, most) + slack
