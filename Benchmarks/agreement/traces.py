"""Runs of agents: the list, the overview, the opened run and its steps, `trace list`, and `trace show`."""

import re

from agreement.figure import COMPACT, LENGTH, MONEY, SHARE
from agreement.screen import fields, line_with, table

WHOLE = ("time", "tokens", "cost", "errors")


def compare(look, pairs):
    runs = look.json("trace", "list")["traces"]
    first = look.screen("traces")
    rows = table(first.pane("^Runs"), "steps", "time", "total tok", "cost", "err")
    count = pairs.read("the list's border", first.title("^Runs"), r"Runs ─ (\d+)", "number of runs")
    pairs.compare("runs", "list", count, "trace list --json", len(runs))
    for index, (run, row) in enumerate(zip(runs, rows, strict=True)):
        compare_run(look, pairs, run, row, index)
    compare_step(look, pairs, runs[0])
    compare_agent(look, pairs)


def compare_agent(look, pairs):
    """What `agent run` counts at its end against the trace that it leaves."""
    done = look.output("agent", "run", "What is 12 * 12?", statuses=(0, 1))
    said = done.errors.decode()
    pattern = r"(\d+) steps?, .*?([\d,]+) tokens read, ([\d,]+) written"
    found = pairs.read("agent run", said, pattern, "counts of the run")
    trace = look.json("trace", "list", "--limit", 1)["traces"][0]
    values = (
        trace["model_calls"] + trace["tool_calls"],
        trace["usage"]["input_tokens"],
        trace["usage"]["output_tokens"],
    )
    for figure, text, value in zip(("steps", "tokens read", "tokens written"), found or (), values):
        pairs.compare(f"{figure} of an agent's run", "agent run", text, "trace list --json", value)


def whole(run):
    """What is shown of a run as a whole."""
    seconds = (run["end_ns"] - run["start_ns"]) / 1e9
    tokens = run["usage"]["input_tokens"] + run["usage"]["output_tokens"]
    return dict(zip(WHOLE, (seconds, tokens, run.get("cost_usd"), run["errors"])))


def compare_run(look, pairs, run, row, index):
    name, values = f"run {index + 1}", whole(run)
    row["tokens"], row["errors"] = row["total tok"], row["err"]
    steps = run["model_calls"] + run["tool_calls"]
    pairs.compare(f"{name} steps", "list", row["steps"], "trace list --json", steps)
    said = line_with(look.text("trace", "list"), run["id"][:12])
    printed = fields(said, r":\d\d\s+([\d,]+)", COMPACT, MONEY, r"\d+")
    for figure, text in zip(("steps", *WHOLE[1:]), printed):
        pairs.compare(f"{name} {figure}", "trace list", text, "trace list --json", values.get(figure, steps))
    screen = look.screen("traces", "j" * index)
    title = screen.title(r"[\dk] total tokens")
    for figure, text in zip(WHOLE, fields(title, rf"─ ({LENGTH})", rf"({COMPACT}) total tokens", MONEY, r"(\d+) errors?")):
        pairs.compare(f"{name} {figure}", "list", row[figure], "overview", text)
        pairs.compare(f"{name} {figure}", "list", row[figure], "trace list --json", values[figure])
    overview = screen.pane(r"[\dk] total tokens")
    usage = run["usage"]
    parts = {"tokens read": ("in", usage["input_tokens"]), "tokens written": ("out", usage["output_tokens"])}
    for figure, (word, value) in parts.items():
        text = pairs.read("overview", overview, rf"({COMPACT}) {word}\b", f"{name} {figure}")
        pairs.compare(f"{name} {figure}", "overview", text, "trace list --json", value)
    if usage["cache_read_tokens"]:
        text = pairs.read("overview", overview, rf"({SHARE}) cached", f"{name} share that was cached")
        share = usage["cache_read_tokens"] / usage["input_tokens"]
        pairs.compare(f"{name} share that was cached", "overview", text, "trace list --json", share)
    compare_spans(look, pairs, run, overview, name)


def compare_spans(look, pairs, run, overview, name):
    shown = look.json("trace", "show", f"#{run['row']}")["spans"]
    printed = look.text("trace", "show", f"#{run['row']}").split("\n")
    head = fields(printed[1], rf"\d\d:\d\d:\d\d\s+({LENGTH})", rf"({COMPACT}) (?:total )?tokens", MONEY, r"(\d+) errors?")
    for figure, text in zip(WHOLE, head):
        pairs.compare(f"{name} {figure}", "trace show", text, "trace list --json", whole(run)[figure])
    for label, kind, key in (("models", "model", "model"), ("tools", "tool", "name")):
        line = line_with(overview, f"{label}   ")
        for word, count in re.findall(r"(\S+) ([\d,]+)(?=, |\s\s|\s*$)", line.split(f"{label}   ")[-1].split("   ")[0]):
            calls = sum(span["kind"] == kind and span.get(key) == word for span in shown)
            pairs.compare(f"{name} calls of {word}", "overview", count, "trace show --json", calls)
    printed = [line for line in printed[3:] if line.strip()]
    for line, span in zip(printed, in_tree_order(shown), strict=True):
        if "end_ns" in span:
            text = fields(line, rf"  ({LENGTH})(?:  |$)")[0]
            seconds = (span["end_ns"] - span["start_ns"]) / 1e9
            pairs.compare(f"{name} time of span {span['ordinal']}", "trace show", text, "trace show --json", seconds)


def in_tree_order(spans):
    """Spans below the one that started them, siblings by start: as a tree lists them."""
    children = {}
    for span in sorted(spans, key=lambda span: (span["start_ns"], span["ordinal"])):
        children.setdefault(span.get("parent"), []).append(span)

    def below(parent):
        for span in children.get(parent, []):
            yield span
            yield from below(span["ordinal"])

    return list(below(None))


def compare_step(look, pairs, run):
    """The opened run: the tree, the context of a step, and the step itself."""
    shown = look.json("trace", "show", f"#{run['row']}")["spans"]
    screen = look.screen("traces", "\r", size="200x90")
    tree = screen.pane(r"\d errors?$").split("\n")
    for line, span in zip(tree[1:], in_tree_order(shown)):
        if "end_ns" in span:
            seconds = (span["end_ns"] - span["start_ns"]) / 1e9
            text = (re.findall(rf"  ({LENGTH}) [▆▏▕█→ ]", line) or [None])[-1]
            pairs.compare(f"time of span {span['ordinal']}", "tree", text, "trace show --json", seconds)
    for step, keys in ((1, ""), (8, "." * 7)):
        screen = look.screen("traces", "\r" + keys)
        exported = look.json("trace", "show", f"#{run['row']}", "--step", step)
        context = exported.get("context")
        if context:
            compare_context(look, pairs, run, screen, step, context)
        title = screen.panes()[-1][0]
        span = exported["span"]
        seconds = (span["end_ns"] - span["start_ns"]) / 1e9
        text = pairs.read("step", title, rf"─ ({LENGTH})(?: ─|$)", f"time of step {step}")
        pairs.compare(f"time of step {step}", "step", text, "trace show --json", seconds)
        if span.get("cost_usd"):
            text = pairs.read("step", title, f"({MONEY})", f"cost of step {step}")
            pairs.compare(f"cost of step {step}", "step", text, "trace show --json", span["cost_usd"])


def compare_context(look, pairs, run, screen, step, context):
    title, pane = screen.title("^Context"), screen.pane("^Context")
    printed = look.text("trace", "show", f"#{run['row']}", "--step", step)
    text = pairs.read("context", title, r"─ ([\d,]+) tokens", f"context of step {step}")
    pairs.compare(f"context of step {step}", "context", text, "trace show --json", context["tokens"])
    found = pairs.read("trace show", printed, r"context: ([\d,]+) (?:context )?tokens", f"context of step {step}")
    pairs.compare(f"context of step {step}", "context", text, "trace show", found)
    parts = pairs.read("context", pane, rf"^ (\w[\w ]+?)\s+({COMPACT})\s+({SHARE})", f"parts at step {step}", all=True)
    for part, tokens, share in parts:
        line = line_with(printed, f"  {part} ")
        number, part_share = fields(line, r"([\d,]+)\s", SHARE)
        pairs.compare(f"{part} at step {step}", "context", tokens, "trace show", number)
        pairs.compare(f"share of {part} at step {step}", "context", share, "trace show", part_share)
