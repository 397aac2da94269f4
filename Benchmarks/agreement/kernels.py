"""Kernels: the list, the ladder, the figures of a rung, the roofline, profiles, and the commands of `kernel`."""

import re

from agreement.figure import LENGTH, NUMBER
from agreement.screen import fields, line_with, table

# `89.5 %`, `~26 %`, `!104.5 %`: with a sign where samples spread or the ceiling is exceeded.
SHARE = r"[~!]?([\d.]+ %)"
RATE = r"[~≥]?[\d.]+k? [MGT]?(?:FL)?OP/s"


def compare(look, pairs):
    compare_ladder(look, pairs)
    profiles = look.json("kernel", "profiles")["profiles"]
    for place, profile in enumerate(reversed(profiles)):
        compare_profile(look, pairs, profile, "G" + "k" * place + "\r")
    compare_two_profiles(look, pairs, profiles)


def measured(look, kernel):
    """What was measured of a kernel on one thread, by variant."""
    runs = look.json("kernel", "history", kernel)["runs"]
    return {run["variant"]: run for run in sorted(runs, key=lambda run: run["measured_at"]) if run["threads"] == 1}


def compare_ladder(look, pairs):
    screen = look.screen("kernels")
    for line in screen.pane("^Kernels").split("\n"):
        kernel, best, share = fields(line, r"([a-z][\w/-]+)\s", r"([a-z][\w-]+)\s", SHARE)
        if share:
            run = measured(look, kernel).get(best)
            pairs.compare(f"{kernel} share", "list", share, "kernel history --json", run and run["share"])
    ladder, history = screen.pane(r"^gemm-f32"), measured(look, "gemm-f32")
    rungs = re.findall(rf"^[▌ ]+[a-z] (\S+)\s+({NUMBER})\s.*?{SHARE}", ladder, re.MULTILINE)
    pairs.read("ladder", ladder, rf"^[▌ ]+[a-z] \S+\s+{NUMBER}", "rungs")
    _, best, share = fields(line_with(screen.pane("^Kernels"), "gemm-f32"), "gemm-f32", r"([a-z]\S+)\s", SHARE)
    printed = look.text("kernel", "history", "gemm-f32")
    for place, (name, rate, rung_share) in enumerate(rungs):
        if name == best:
            pairs.compare("gemm-f32 share", "list", share, "ladder", rung_share)
        run = history[name]
        pairs.compare(f"{name} share", "ladder", rung_share, "kernel history --json", run["share"])
        pairs.compare(f"{name} rate", "ladder", rate, "kernel history --json", run["operations_per_second"], "GFLOP/s")
        line = next(line for line in printed.split("\n") if re.search(rf"\s{re.escape(name)}\s.*\s1\s+\d", line))
        told = fields(line, RATE, SHARE)
        pairs.compare(f"{name} rate", "ladder", rate, "kernel history", told[0], "GFLOP/s")
        pairs.compare(f"{name} share", "ladder", rung_share, "kernel history", told[1])
        compare_rung(look, pairs, name, place, rate, rung_share, run)


def compare_rung(look, pairs, name, place, rate, share, run):
    screen = look.screen("kernels", "\rgg" + "j" * place + "v")
    pane = screen.pane(rf"^{re.escape(name)}: figures")
    text = pairs.read("figures", pane, rf"^ rate\s+({RATE}) median", f"rate of {name}")
    pairs.compare(f"{name} rate", "ladder", rate, "figures", text, "GFLOP/s")
    best = pairs.read("figures", pane, rf"({RATE}) best", f"best rate of {name}")
    pairs.compare(f"{name} best rate", "figures", best, "kernel history --json", run["best_operations_per_second"])
    text = pairs.read("figures", pane, rf"of the roof\s+{SHARE}", f"share of {name}")
    pairs.compare(f"{name} share", "ladder", share, "figures", text)
    text = pairs.read("figures", pane, r"^ bytes\s+(\S+ \S+)", f"bytes of {name}")
    pairs.compare(f"{name} bytes", "figures", text, "kernel history --json", run["bytes_per_second"])
    found = pairs.read(
        "figures", pane, rf"samples\s+(\d+), most between ({NUMBER} %) and ({NUMBER} %)", f"samples of {name}"
    )
    for figure, text, key in zip(("samples", "low", "high"), found or (), ("samples", "share_p10", "share_p90")):
        pairs.compare(f"{name} {figure}", "figures", text, "kernel history --json", run[key])
    if place == 0:
        compare_roofs(pairs, screen, pane)


def compare_roofs(pairs, screen, figures):
    """The names in the picture against the list of ceilings."""
    picture = screen.pane("^Roofline")
    for level, bandwidth in re.findall(r"(L1|L2|L3|memory) ([\d.]+ [kMGT]?B/s)", picture):
        text = pairs.read("figures", figures, rf"^ {level}\s+([\d.]+ \S+),", f"bandwidth of {level}")
        pairs.compare(f"bandwidth of {level}", "roofline", bandwidth, "figures", text)
    rates = re.findall(r"([\d.]+) ([A-Za-z][\w-]*)\s*$", picture, re.MULTILINE)
    listed = [text for text in re.findall(r"([\d.]+) GFLOP/s$", figures, re.MULTILINE)]
    for number, word in rates:
        near = [text for text in listed if abs(float(text) - float(number)) <= 0.05 * float(number)]
        pairs.compare(f"peak {word}", "roofline", number, "figures", near[0] if near else None)


def compare_profile(look, pairs, profile, keys):
    name = profile["title"]
    screen, whole = look.screen("kernels", keys), look.json("kernel", "profile", profile["id"])
    total = fields(line_with(screen.pane("^Kernels"), name), rf"({LENGTH})\s*$")[0]
    pairs.compare(f"{name} time", "list", total, "kernel profiles --json", profile["seconds"])
    printed = line_with(look.text("kernel", "profiles"), name)
    pairs.compare(f"{name} time", "list", total, "kernel profiles", fields(printed, rf"\s({LENGTH})\s")[0])
    count = pairs.read("border", screen.title("^Launches"), r"Launches ─ (\d+)", f"launches of {name}")
    pairs.compare(f"{name} launches", "border of launches", count, "kernel profiles --json", profile["launches"])
    rows = table(screen.pane("^Launches"), "#", "time", "share", "rate", "reached")
    lines = look.text("kernel", "profile", profile["id"], "--limit", 1000).split("\n")
    for row in rows:
        launch = whole["launch_list"][int(row["#"]) - 1]
        line = next((line for line in lines if re.match(rf"\s*{row['#']}\s", line)), "")
        compare_launch(pairs, f"{name} launch {row['#']}", row, launch, profile["seconds"], line)
    detail = screen.panes()[-1][1]
    for figure in ("time", "rate"):
        text = pairs.read("launch", "\n".join(detail), rf"^ {figure}\s+(\S+ \S+)", f"{figure} of the launch")
        pairs.compare(f"{name} {figure} of launch {rows[0]['#']}", "launches", rows[0][figure], "launch", text)
    if rows and "%" in rows[0]["reached"]:
        text = pairs.read("launch", detail[0], r"([~≥]?\d+ %) of", "share that the launch reached")
        pairs.compare(
            f"{name} share of the roof of launch {rows[0]['#']}", "launches", rows[0]["reached"], "launch", text
        )


def compare_launch(pairs, name, row, launch, seconds, printed):
    """A row of the table against the profile as JSON and against the line of the command."""
    time, share, rate = fields(printed, LENGTH, r"[\d.]+ %", RATE)
    pairs.compare(f"{name} time", "launches", row["time"], "kernel profile --json", launch["duration_s"])
    pairs.compare(f"{name} share", "launches", row["share"], "kernel profile --json", launch["duration_s"] / seconds)
    pairs.compare(f"{name} time", "launches", row["time"], "kernel profile", time)
    pairs.compare(f"{name} share", "launches", row["share"], "kernel profile", share)
    if "OP/s" in row["rate"]:
        pairs.compare(f"{name} rate", "launches", row["rate"], "kernel profile --json", launch["rate"]["value"])
        pairs.compare(f"{name} rate", "launches", row["rate"], "kernel profile", rate)
    if "%" in row["reached"]:
        pairs.compare(
            f"{name} share of the roof", "launches", row["reached"], "kernel profile --json", launch["roof"]["share"]
        )


def compare_two_profiles(look, pairs, profiles):
    """`d` lays one profile over another, as `kernel compare` does."""
    before = next(profile for profile in profiles if profile["title"].startswith("before"))
    after = next(profile for profile in profiles if profile["title"].startswith("after"))
    place = list(reversed(profiles)).index(before)
    screen = look.screen("kernels", "G" + "k" * place + "\rd" + after["title"] + "\r")
    whole = look.json("kernel", "compare", before["id"], after["id"])
    found = pairs.read(
        "launch", str(screen), rf"all launches\s+({LENGTH}) before, ({LENGTH}) after: ([\d.]+)×", "all launches"
    )
    for text, key in zip(found or (), ("seconds_before", "seconds_after", "speedup")):
        pairs.compare(f"{key} of all launches", "comparison", text, "kernel compare --json", whole[key])
    printed = look.text("kernel", "compare", before["id"], after["id"])
    told = pairs.read("kernel compare", printed, rf"all launches\s+({LENGTH}) → ({LENGTH}), ([\d.]+)×", "all launches")
    for figure, text, other in zip(("time before", "time after", "speed-up"), found or (), told or ()):
        pairs.compare(f"{figure} of all launches", "comparison", text, "kernel compare", other)
