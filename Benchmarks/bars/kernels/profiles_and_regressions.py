"""Bar 8: imported profiles against hand computation; planted slowdowns are found, and few others."""

import json
import os

from figures import CouldNotRun, at_least, at_most, attempt
from kernels import answer
from program import ROOT

EXPECTED = os.path.join(ROOT, "Tests", "KernelLabTests", "Fixtures", "Profiles", "expected.json")
REPEATS, PLANTED = 300, 40


def run(program):
    return attempt("8a", "imports by hand computation", lambda: imports(program)) + attempt(
        "8b", "regressions", lambda: regressions(program)
    )


def imports(program):
    """The largest relative difference of any FLOP count, byte count or intensity of the fixtures.

    What was not worked out by hand must be missing or zero: an operation counted twice has a kind of its own.
    """
    try:
        with open(EXPECTED, encoding="utf-8") as file:
            expected = json.load(file)
    except OSError as error:
        raise CouldNotRun(str(error)) from error
    worst, place, compared = 0.0, "", 0
    for name, launches in expected.items():
        profile, _ = answer(program, "kernel", "profile", os.path.join(os.path.dirname(EXPECTED), name), "--json")
        if len(profile["launch_list"]) != len(launches):
            raise CouldNotRun(f"{name} has {len(profile['launch_list'])} launches, by hand {len(launches)}")
        for launch, wanted in zip(profile["launch_list"], launches):
            for what, found, value in figures(launch, wanted):
                compared += 1
                off = abs(found / value - 1) if value else float(found != 0)
                if off > max(worst, 1e-9):
                    worst, place = off, f"{name} launch {launch['ordinal']}: {what} {found:g}, by hand {value:g}"
    return at_most(
        "8a", "imports: largest difference to hand computation", worst, "", 0.001,
        spread=f"{compared} figures of {len(expected)} files" + (f"; {place}" if place else ""),
    )  # fmt: skip


def figures(launch, wanted):
    for group in ("operations", "bytes", "intensity"):
        found = {kind: figure["value"] for kind, figure in launch[group].items() if figure}
        for kind in sorted(found.keys() | wanted[group].keys()):
            yield f"{group} of {kind}", found.get(kind, 0.0), wanted[group].get(kind, 0.0)


def regressions(program):
    repeats, planted = (30, 8) if program.quick else (REPEATS, PLANTED)
    trial, _ = answer(
        program.bench, "kernel", "trial", "--variant", "avx512", "--repeats", str(repeats), "--planted", str(planted),
        limit=1200,
    )  # fmt: skip
    # The first ones have nothing to be compared with.
    judged = trial["repeats"] - trial["unjudged"]
    if judged < 0.9 * trial["repeats"] - 5:
        raise CouldNotRun(f"the machine was too busy: {trial['unjudged']} of {repeats} repeats could not be judged")
    where = f"{trial['operation']}/{trial['variant']} {trial['shape']}"
    scatter = f"ratios to the ceiling scatter by {trial['scatter']:.2%}"
    return [
        at_most(
            "8b", f"false alarms in {repeats} repeats", trial["false_alarms"], "alarms", 3,
            spread=f"{where}; {judged} judged, {trial['suspicions']} measured again; {scatter}",
        ),  # fmt: skip
        at_least(
            "8c", "slowdowns of 5 % that were flagged", trial["detections"] / max(1, trial["planted"]), "", 0.95,
            spread=f"{trial['detections']} of {trial['planted']}",
        ),  # fmt: skip
    ]
