"""Figures, their targets, and the two ways in which they are shown."""

import json
import os
import statistics
from dataclasses import asdict, dataclass
from typing import Any, Optional


@dataclass
class Figure:
    """One measured figure. `met` is false wherever it could not be measured, and `reason` says why."""

    bar: str
    what: str
    value: Optional[float] = None
    unit: str = ""
    spread: Optional[str] = None
    peer: Optional[str] = None
    ratio: Optional[float] = None
    target: Optional[str] = None
    met: bool = False
    reason: Optional[str] = None
    area: str = ""


class CouldNotRun(Exception):
    """Why a bar could not run, as a sentence."""


def rounded(value: Any) -> Any:
    return value if not isinstance(value, float) else float(f"{value:.4g}")


def at_most(bar, what, value, unit, limit, **more):
    return Figure(bar, what, rounded(value), unit, target=f"<= {limit:g} {unit}", met=value <= limit, **more)


def at_least(bar, what, value, unit, limit, **more):
    return Figure(bar, what, rounded(value), unit, target=f">= {limit:g} {unit}", met=value >= limit, **more)


def reported(bar, what, value, unit, **more):
    """A figure without a target of its own."""
    return Figure(bar, what, rounded(value), unit, target="reported", met=True, **more)


def not_run(bar, what, reason):
    return Figure(bar, what, reason=f"could not run: {reason}")


def attempt(bar, what, measure):
    """The figures that `measure` returns, or one that says why there are none: the rest of the bar still runs."""
    try:
        found = measure()
        return found if isinstance(found, list) else [found]
    except (CouldNotRun, OSError, RuntimeError) as error:
        return [not_run(bar, what, str(error))]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread_of(values, unit):
    """Smallest, median and largest of a few values."""
    return (
        f"min {min(values):.4g}, median {statistics.median(values):.4g}, max {max(values):.4g} {unit}, n {len(values)}"
    )


def summaries(figures):
    """For a bar with several figures one more object, which says whether all of them were met."""
    found, by_bar = [], {}
    for figure in figures:
        by_bar.setdefault((figure.area, number_of(figure.bar)), []).append(figure)
    for (area, bar), group in by_bar.items():
        if len(group) > 1:
            kept = sum(figure.met for figure in group)
            found.append(
                Figure(
                    str(bar),
                    "all figures of the bar",
                    kept,
                    "figures met",
                    target=f">= {len(group)} figures met",
                    met=kept == len(group),
                    reason=next((f.reason for f in group if f.reason), None),
                    area=area,
                )
            )
        found.extend(group)
    return found


def number_of(bar):
    return int(bar.rstrip("abcdefghijklmnopqrstuvwxyz"))


def write_results(path, figures, measured):
    """Write all figures as objects; those of bars that were not measured stay as they were."""
    objects = []
    for figure in figures:
        fields = asdict(figure)
        objects.append({"area": fields.pop("area"), **fields})
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            objects += [
                kept for kept in json.load(file) if (kept["area"], number_of(kept["bar"])) not in set(measured)
            ]
    objects.sort(key=lambda entry: (entry["area"], number_of(entry["bar"]), entry["bar"]))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(objects, file, indent=1, ensure_ascii=False)
        file.write("\n")


def table(figures):
    rows = [("bar", "what", "value", "target", "met", "spread, peer, reason")]
    for f in figures:
        value = "-" if f.value is None else f"{f.value:g} {f.unit}".strip()
        notes = [
            note
            for note in (f.reason, f.spread, f.peer and f"peer {f.peer}", f.ratio is not None and f"ratio {f.ratio:g}")
            if note
        ]
        rows.append((f"{f.area} {f.bar}", f.what, value, f.target or "", "yes" if f.met else "NO", "; ".join(notes)))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[5] for row in rows)
