"""Evals: the list, the overview, charts, slices, samples, the diff of two runs, and the commands of `eval`."""

import json
import re

from agreement.figure import COMPACT, MONEY, NUMBER, SHARE
from agreement.screen import fields, line_with, table

INTERVAL = rf"\[({NUMBER}), ({NUMBER})\]"


def compare(look, pairs):
    runs = look.json("eval", "list")["runs"]
    first = look.screen("evals", "gg")
    rows = table(first.pane("^Runs ─"), "value", "n", "samples", "cost")
    names = [row["line"].strip("▌ ").split("  ")[0].strip() for row in rows]
    count = pairs.read("border", first.title("^Runs ─"), r"Runs ─ (\d+)", "number of runs")
    pairs.compare("runs", "border", count, "eval list --json", len(runs))
    for place, (name, row) in enumerate(zip(names, rows)):
        run = next(run for run in runs if run["name"] == name)
        compare_run(look, pairs, run, row, "gg" + "j" * place)
    older, newer = sorted(runs, key=lambda run: run["start"])[:2]
    keys = "gg" + "j" * names.index(older["name"]) + " gg" + "j" * names.index(newer["name"]) + " d"
    compare_diff(look, pairs, older, newer, keys)
    compare_matrix(look, pairs, [run for run in runs if run["task"] == older["task"]])


def compare_run(look, pairs, run, row, keys):
    name, metric = run["name"], run["metrics"][0]
    screen = look.screen("evals", keys)
    overview, beside = screen.pane("^Overview"), screen.pane("^Runs of the task")
    value, *interval = (
        pairs.read("overview", overview, rf"^ {metric['score']}\s+({NUMBER})\s+95 % {INTERVAL}", "the score")
        or [None] * 3
    )
    pairs.compare(f"{name} {metric['score']}", "list", row["value"], "overview", value)
    pairs.compare(f"{name} {metric['score']}", "list", row["value"], "eval list --json", metric["value"])
    pairs.compare(f"{name} scored samples", "list", row["n"], "eval list --json", metric["count"])
    pairs.compare(f"{name} samples", "list", row["samples"], "eval list --json", run["completed"])
    pairs.compare(f"{name} cost", "list", row["cost"], "eval list --json", run["cost"])
    for bound, text in zip(("lower", "upper"), interval):
        pairs.compare(f"{name} {bound} bound", "overview", text, "eval list --json", metric[bound])
    chart = pairs.read("chart", beside, rf"^ {re.escape(name)}\s.*\s({NUMBER})$", "the run's bar")
    pairs.compare(f"{name} {metric['score']}", "chart", chart, "overview", value)

    printed = line_with(look.text("eval", "list"), f"  {metric['score']}  ", f"  {name}")
    told = fields(printed, rf"{metric['score']}\s+({NUMBER})", r"(\d+)\s", INTERVAL)
    pairs.compare(f"{name} {metric['score']}", "overview", value, "eval list", told[0])
    pairs.compare(f"{name} scored samples", "list", row["n"], "eval list", told[1])
    tokens, cost = pairs.read("overview", overview, rf"^ spent\s+({COMPACT}) total tokens, ({MONEY})", "what was spent") or (
        None,
        None,
    )
    pairs.compare(f"{name} cost", "list", row["cost"], "overview", cost)
    pairs.compare(f"{name} tokens", "overview", tokens, "eval list --json", run["tokens_read"] + run["tokens_written"])
    samples = pairs.read("overview", overview, r"^ samples\s+([\d,]+)", "samples")
    pairs.compare(f"{name} samples", "list", row["samples"], "overview", samples)
    compare_metrics(look, pairs, run, overview)
    compare_outcomes(look, pairs, run, overview, samples)
    compare_slices(look, pairs, run, keys, beside)
    compare_failures(look, pairs, run, keys, overview)
    compare_samples(look, pairs, run, keys, overview)


def compare_metrics(look, pairs, run, overview):
    printed = look.text("eval", "show", run["name"])
    for metric in run["metrics"]:
        value = pairs.read(
            "overview", overview, rf"^ {metric['score']}\s+({NUMBER})\s+95 %", f"value of {metric['score']}"
        )
        line = next((line for line in printed.split("\n") if re.match(rf"{metric['score']}\s+[\d.]", line)), "")
        told = fields(line, rf"\s({NUMBER})\s")[0]
        pairs.compare(f"{run['name']} {metric['score']}", "overview", value, "eval show", told)
        pairs.compare(f"{run['name']} {metric['score']}", "overview", value, "eval list --json", metric["value"])


def compare_outcomes(look, pairs, run, overview, samples):
    """Outcomes as counts and shares, against the samples one by one."""
    records = [line for line in samples_of(look, run)]
    for outcome, count, share in re.findall(
        rf"^ (passed|failed|error|unscored)\s+([\d,]+)\s+({SHARE})", overview, re.MULTILINE
    ):
        found = sum(record["outcome"] == outcome for record in records)
        pairs.compare(f"{run['name']} {outcome}", "overview", count, "eval show --samples --json", found)
        pairs.compare(
            f"{run['name']} share of {outcome}", "overview", share, "of its samples", found / run["completed"]
        )


def samples_of(look, run):
    lines = look.text("eval", "show", run["name"], "--samples", "--limit", 100_000, "--json").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def compare_slices(look, pairs, run, keys, beside):
    """Slices as a table and as a chart, `eval show --by`, and its JSON."""
    pane = look.screen("evals", keys + "v").pane("^Slices")
    for by in run["slices"]:
        whole = look.json("eval", "show", run["name"], "--by", by)["slices"]
        printed = look.text("eval", "show", run["name"], "--by", by)
        for part in whole:
            name, word = f"{run['name']} {by} {part['value']}", re.escape(part["value"])
            found = pairs.read("slices", pane, rf"^ {word}\s+([\d,]+)\s+({NUMBER})\s+{INTERVAL}", name)
            told = pairs.read("eval show --by", printed, rf"^{word}\s+([\d,]+)\s+({NUMBER})\s+{INTERVAL}", name)
            for figure, text, other in zip(("count", "mean", "lower", "upper"), found or (), told or ()):
                scored = part[figure] - part["unscored"] if figure == "count" else part[figure]
                value = part[figure] if figure != "count" or text == str(part[figure]) else scored
                pairs.compare(f"{name} {figure}", "slices", text, "eval show --by --json", value)
                pairs.compare(f"{name} {figure}", "slices", text, "eval show --by", other)
            bar = pairs.read("chart", beside, rf"^ {re.escape(by)} {word}\s.*?({NUMBER})  n ({COMPACT})", name)
            for figure, text, other in zip(("mean", "count"), bar or (), (found[1], found[0]) if found else ()):
                pairs.compare(f"{name} {figure}", "chart", text, "slices", other)


def compare_failures(look, pairs, run, keys, overview):
    """What went wrong: groups of the page, the first ones in the overview, and the failed samples in all."""
    screen = look.screen("evals", keys + "W")
    border = screen.title("^What went wrong")
    title = pairs.read("border", border, r"─ ([\d,]+) of ([\d,]+)", "failed samples") or ("", "")
    # An error is a failure of another kind: the page has groups for both.
    counts = re.findall(r"^ (?:failed|error)\s+([\d,]+)", overview, re.MULTILINE)
    failed = sum(int(count.replace(",", "")) for count in counts)
    pairs.compare(f"{run['name']} failed", "border of what went wrong", title[0], "overview", failed)
    total = run["completed"]
    pairs.compare(f"{run['name']} samples", "border of what went wrong", title[1], "eval list --json", total)
    rows = table(screen.pane("^What went wrong"), "samples", "share")
    pairs.read("what went wrong", screen.pane("^What went wrong"), r"\d+\s+[\d.]+ %", "groups")
    for row in rows:
        share = int(row["samples"]) / int(title[0].replace(",", ""))
        pairs.compare(f"{run['name']} share of a cause", "what went wrong", row["share"], "of its failed samples", share)
    listed = re.findall(r"^\s+(\d+)  wrong answer", overview.partition("what went wrong")[2], re.MULTILINE)
    for text, row in zip(listed, rows):
        pairs.compare(f"{run['name']} samples of a cause", "overview", text, "what went wrong", row["samples"])


def compare_matrix(look, pairs, runs):
    """Prompts by models: a mean and its interval for each run of the task."""
    rows = table(look.screen("evals", "gg").pane("^Runs ─"), "n")
    names = [row["line"].strip("▌ ").split("  ")[0].strip() for row in rows]
    place = next(place for place, name in enumerate(names) if name == runs[0]["name"])
    pane = look.screen("evals", "gg" + "j" * place + "M").pane("^Matrix")
    cells = pairs.read("matrix", pane, rf"^ *[^\s▌\[]\S* +▌?({NUMBER})\b", "cells of the matrix", all=True)
    intervals = pairs.read("matrix", pane, rf"^ +▌?{INTERVAL}", "intervals of the matrix", all=True)
    metrics = [run["metrics"][0] for run in sorted(runs, key=lambda run: run["start"])]
    for cell, interval, metric in zip(cells, intervals, metrics):
        pairs.compare(f"{metric['score']}", "matrix", cell, "eval list --json", metric["value"])
        for bound, text in zip(("lower", "upper"), interval):
            pairs.compare(f"{metric['score']} {bound} bound", "matrix", text, "eval list --json", metric[bound])


def compare_samples(look, pairs, run, keys, overview):
    """The list of samples against the opened sample and the samples as JSON."""
    screen = look.screen("evals", keys + "\r")
    records = {record["id"]: record for record in samples_of(look, run)}
    title = screen.title("^Samples")
    count = pairs.read("border", title, r"Samples ─ ([\d,]+)", "number of samples")
    pairs.compare(f"{run['name']} samples", "border of samples", count, "eval list --json", run["completed"])
    for outcome in ("failed", "passed"):
        text = fields(title, rf"([\d,]+) {outcome}")[0]
        other = pairs.read("overview", overview, rf"^ {outcome}\s+([\d,]+)", outcome)
        pairs.compare(f"{run['name']} {outcome}", "border of samples", text, "overview", other)
    names = [score["name"] for score in run["scores"]]
    rows = table(screen.pane("^Samples"), *names)
    for row in rows:
        ident = next((word for word in row["line"].split() if word in records), None)
        scores = {score["name"]: score["value"] for score in records[ident]["scores"]} if ident else {}
        for score in names:
            if re.fullmatch(NUMBER, row[score]):
                pairs.compare(
                    f"{ident} {score}", "samples", row[score], "eval show --samples --json", scores.get(score)
                )
    sample = screen.pane("^Sample ─").split("\n")
    ident = sample[0].split()[1]
    record = records[ident]
    seconds, tokens, cost = fields(sample[0], r"([\d.]+ m?s)\s", rf"({COMPACT}) total tokens", MONEY)
    pairs.compare(f"{ident} time", "sample", seconds, "eval show --samples --json", record["seconds"])
    pairs.compare(f"{ident} tokens", "sample", tokens, "eval show --samples --json", record["tokens"])
    pairs.compare(f"{ident} cost", "sample", cost, "eval show --samples --json", record["cost"])
    row = next(row for row in rows if f" {ident} " in row["line"])
    for score in names:
        text = fields(line_with("\n".join(sample[1:4]), f"{score} "), rf"{score}\s+({NUMBER})")[0]
        pairs.compare(f"{ident} {score}", "samples", row[score], "sample", text)


def compare_diff(look, pairs, older, newer, keys):
    """The diff in the panel against `eval diff`; it ends with 2 or 3 where B may not take A's place."""
    screen = look.screen("evals", keys)
    pane = " ".join(screen.pane("^Diff").split())
    words = ("eval", "diff", older["name"], newer["name"])
    whole, printed = look.json(*words, statuses=(0, 2, 3))["diff"], look.text(*words, statuses=(0, 2, 3))
    total = whole["total"]
    pattern = (
        rf"B is ({NUMBER}) points (?:better|worse) in \w+ \(95 % \[({NUMBER}), ({NUMBER})\], p ([<\s\d.]+),"
        rf".*?; ([\d,]+) samples can detect differences of ({NUMBER}) points or more.*? would need about ([\d,]+)"
    )
    found = pairs.read("diff", pane, pattern, "the sentence of the diff")
    told = pairs.read("eval diff", " ".join(printed.split()), pattern, "the sentence of the diff")
    figures = ("difference", "lower", "upper", "p", "samples", "smallest_detectable", "needed_samples")
    for figure, text, other in zip(figures, found or (), told or ()):
        unit = "points" if figure in ("difference", "lower", "upper", "smallest_detectable") else ""
        value = abs(total[figure]) if figure == "difference" else total[figure]
        pairs.compare(f"{figure} of the diff", "diff", text, "eval diff", other, unit)
        pairs.compare(f"{figure} of the diff", "diff", text, "eval diff --json", value, unit)
    for word, key in (("broken", "broken"), ("fixed", "fixed"), ("both right", "both_pass"), ("neither", "both_fail")):
        text = pairs.read("diff", pane, rf"(\d+) {word}", word)
        pairs.compare(f"{word}", "diff", text, "eval diff --json", total[key])
        label = {"both right": "both pass", "neither": "both fail"}.get(word, word)
        pairs.compare(f"{word}", "diff", text, "eval diff", pairs.read("eval diff", printed, rf"{label} (\d+)", word))
    found = pairs.read(
        "diff",
        pane,
        rf"({NUMBER}) before, ({NUMBER}) after, ([\d,]+) samples(?: in ([\d,]+) clusters)?"
        rf".*? d_z ({NUMBER}), power ({SHARE})",
        "means",
    )
    keys = ("mean_a", "mean_b", "samples", "clusters", "effect_size", "power")
    for text, key in zip(found or (), keys):
        if text:
            pairs.compare(f"{key} of the diff", "diff", text, "eval diff --json", total[key])
    told = pairs.read(
        "eval diff",
        printed,
        rf"({NUMBER}) in A, ({NUMBER}) in B, ([\d,]+) samples(?: in ([\d,]+) clusters)?",
        "means",
    )
    for text, other, key in zip(found or (), told or (), keys):
        if text:
            pairs.compare(f"{key} of the diff", "diff", text, "eval diff", other)
    compare_pairs(look, pairs, screen, printed)


def compare_pairs(look, pairs, screen, printed):
    """Samples that broke: rows of the panel against rows of the command."""
    rows = table(screen.pane("^Diff"), "before", "after")
    shown = {
        row["line"].strip("▌ ").split()[1]: row
        for row in rows
        if row["line"].strip("▌ ").split()[0] in ("broken", "fixed")
    }
    for line in printed.split("\n"):
        change, ident, before, after = fields(line, r"^(broken|fixed)", r"\s(\S+)\s", NUMBER, NUMBER)
        if after and ident in shown:
            pairs.compare_words(f"{ident} before", "diff", shown[ident]["before"], "eval diff", before)
            pairs.compare_words(f"{ident} after", "diff", shown[ident]["after"], "eval diff", after)
