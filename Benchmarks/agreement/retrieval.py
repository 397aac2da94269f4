"""Retrieval: a question while it is typed, after Enter, by `corpus search`, and as it was recorded; and why."""

import re

from agreement.figure import NUMBER
from agreement.screen import fields, line_with

QUESTION = "how is the encoder tape cleaned?"
# Shown figures of a sum add up: one may be rounded to the next lower or higher figure.
PART = 1


def compare(look, pairs):
    typed = look.screen("retrieval", "/" + QUESTION)
    entered = look.screen("retrieval", "/" + QUESTION + "\r")
    found = look.json("corpus", "search", QUESTION)
    record = next(trace for trace in look.json("trace", "list", "--origin", "retrieval")["traces"])
    recorded = look.json("corpus", "recorded", f"#{record['row']}")
    after = compare_stages(pairs, typed, entered, found, recorded)
    compare_table(look, pairs, after)
    compare_why(look, pairs, entered, after, found)
    compare_health(look, pairs)
    compare_measures(look, pairs)


def stages(screen, pairs):
    """Rows of every stage: rank to label and figure; the context's rows stand in the order of their ranks."""
    lines = screen.pane("^Stages").split("\n")
    rule = next((row for row, line in enumerate(lines) if "────" in line), None)
    if rule is None:
        pairs.missing.append(f"{pairs.page}: no stages in {screen.name}")
        return {}
    found = {}
    for column in re.finditer("─+", lines[rule]):
        name = lines[rule - 1][column.start() :].split()[0]
        rows = found.setdefault(name, {})
        for place, line in enumerate(lines[rule + 1 :]):
            cell = line[max(0, column.start() - 3) : column.end()]
            ranked = re.search(rf"(?<![\w.])(\d+) (?:◇ )?(\S.*?)\s+({NUMBER})\s*$", cell)
            context = re.search(r"[✓✗] (?:◇ )?(\S.*?)\s+(?:same as )?([\d,]+)\s*$", cell)
            if name == "context" and context:
                rows[place + 1] = ("✓" in cell, context[1], context[2])
            elif name != "context" and ranked:
                rows[int(ranked[1])] = (True, ranked[2], ranked[3])
    return found


def compare_stages(pairs, typed, entered, found, recorded):
    before, after = stages(typed, pairs), stages(entered, pairs)
    kept = {stage["name"]: {entry["rank"]: entry for entry in stage["entries"]} for stage in recorded["stages"]}
    for stage in found["stages"]:
        name, rows = stage["name"], after.get(stage["name"], {})
        entries = {entry["rank"]: entry for entry in stage["entries"] if "score" in entry}
        if not rows:
            pairs.missing.append(f"retrieval: no rows of {name} in {entered.name}")
        for rank, (_, label, text) in rows.items():
            what = f"{name} {rank}"
            old = before.get(name, {}).get(rank, (None, None, None))
            pairs.compare(f"{what} score", "typed", old[2], "Enter", text)
            pairs.compare_words(f"{what} passage", "typed", old[1], "Enter", label)
            if name == "context":
                continue
            passage = found["passages"][entries[rank]["passage"]]["label"] if rank in entries else None
            pairs.compare(f"{what} score", "Enter", text, "corpus search --json", entries.get(rank, {}).get("score"))
            if entries.get(rank, {}).get("verdict") == "kept":  # the trace holds what a stage passed on
                score = kept.get(name, {}).get(rank, {}).get("score")
                pairs.compare(f"{what} score", "Enter", text, "corpus recorded --json", score)
            if "…" not in label:
                pairs.compare_words(
                    f"{what} passage", "Enter", label, "corpus search --json", passage and passage.split("/")[-1]
                )
    shown = [
        pairs.read(name, screen.title("^Stages"), r"context ([\d,]+) of", "tokens of the context")
        for name, screen in (("typed", typed), ("Enter", entered))
    ]
    pairs.compare("tokens of the context", "typed", shown[0], "Enter", shown[1])
    total = sum(int(text.replace(",", "")) for is_kept, _, text in after.get("context", {}).values() if is_kept)
    pairs.compare("tokens of the context", "Enter", shown[1], "sum of its rows", total)
    pairs.compare(
        "tokens of the context",
        "Enter",
        shown[1],
        "corpus search --json",
        found["context"].get("tokens", found["context"].get("used")),
    )
    return after


def compare_table(look, pairs, after):
    """The table of `corpus search --explain`: rank and score of a passage in every stage."""
    printed = look.text("corpus", "search", QUESTION, "--explain", "--no-trace").split("\n")
    top = next(row for row, line in enumerate(printed) if line.startswith("passage"))
    names = printed[top].split()[1:]
    for line in printed[top + 1 :]:
        figures = re.findall(rf"(\d+) \(({NUMBER})\)", line)
        if not figures:
            break
        if len(figures) == len(names) - 1:
            for name, (rank, score) in zip(names, figures):
                row = after[name].get(int(rank))
                if row:
                    pairs.compare(f"{name} {rank} score", "Enter", row[2], "corpus search --explain", score)


def compare_why(look, pairs, screen, after, found):
    """What a score consists of, beside the passage, under Why, and by `corpus explain`."""
    why, chunk = screen.pane("^Why"), screen.pane("^Chunk")
    title = pairs.read("Why", screen.title("^Why"), r"Why ─ (\S+(?: #\d+)?)", "the passage")
    document = title.split(" #")[0]
    explained = {
        stage["stage"]: stage for stage in look.json("corpus", "explain", QUESTION, "--doc", document)["stages"]
    }
    printed = look.text("corpus", "explain", QUESTION, "--doc", document)
    for name, stage in explained.items():
        if name == "context":
            text = pairs.read("Why", why, r"in the context as \[\d+\], ([\d,]+) tokens", "tokens of the passage")
            row = next(row for row in after["context"].values() if row[1] in title)
            pairs.compare("tokens of the passage", "context", row[2], "Why", text)
            told = pairs.read(
                "corpus explain", printed, r"in the context as \[\d+\], ([\d,]+) tokens", "tokens of the passage"
            )
            pairs.compare("tokens of the passage", "Why", text, "corpus explain", told)
            continue
        rank, score = pairs.read("Why", why, rf"^ {name}\s+kept\s+rank (\d+) of \d+\s+({NUMBER})", f"{name} score") or (
            None,
            None,
        )
        pairs.compare(f"{name} rank of the passage", "Why", rank, "corpus explain --json", stage["rank"])
        pairs.compare(f"{name} score of the passage", "Why", score, "corpus explain --json", stage["score"])
        pairs.compare(f"{name} score of the passage", "Why", score, "Enter", after[name][int(rank)][2])
        told = fields(line_with(printed, f"{name} "), r"rank (\d+)", NUMBER)
        pairs.compare(f"{name} score of the passage", "Why", score, "corpus explain", told[1])
        lines = re.split(r"^ (?=\w)", why, flags=re.MULTILINE)
        body = next(" ".join(part.split()) for part in lines if part.startswith(name))
        sums = re.findall(rf"([\w ]+?) ({NUMBER})(?= \+| =)", body.partition(score)[2])
        if sums:
            digits = len(score.partition(".")[2])
            pairs.compare(
                f"{name} score of the passage",
                "Why",
                score,
                "its parts",
                round(sum(float(part) for _, part in sums), digits),
            )
    for term in explained["lexical"]["terms"]:
        if term["contribution"]:
            text = fields(line_with(chunk, term["word"], "×"), rf"×\s+({NUMBER})")[0]
            under = fields(why.replace("\n", " "), rf"\b{re.escape(term['word'])}\s+({NUMBER})")[0]
            pairs.compare(f"part of {term['word']}", "Chunk", text, "Why", under)
            pairs.compare(
                f"part of {term['word']}", "Why", under, "corpus explain --json", term["contribution"], steps=PART
            )
            told = fields(line_with(printed, f"{term['word']} ", "×"), rf"×\s+[+]?({NUMBER})")[0]
            pairs.compare(f"part of {term['word']}", "Why", under, "corpus explain", told)
    text = pairs.read("Chunk", chunk, rf"^ sum\s+({NUMBER})", "sum of the terms")
    pairs.compare("sum of the terms", "Chunk", text, "Enter", after["lexical"][explained["lexical"]["rank"]][2])


def compare_measures(look, pairs):
    """`b` compares with the first proposal, words only; `corpus evaluate` measures both sides by themselves."""
    screen = look.screen("retrieval", "b\r")
    corpus = look.json("corpus", "list")["corpora"][0]["name"]
    pattern = rf"nDCG@10\s+A ({NUMBER})\s+B ({NUMBER})\s+B − A ({NUMBER})"
    found = pairs.read("questions", screen.pane("^Questions"), pattern, "nDCG@10 of both sides") or (None,) * 3
    sides = [
        look.json("corpus", "evaluate", corpus, *more)["measures"]["nDCG@10"]["mean"]
        for more in ((), ("--set", "dense.enabled=false"))
    ]
    for side, text, value in zip(("A", "B", "B - A"), found, (*sides, sides[1] - sides[0])):
        pairs.compare(f"nDCG@10 of {side}", "questions", text, "corpus evaluate --json", value)


def compare_health(look, pairs):
    pane = look.screen("retrieval", "H").pane("^Health")
    corpus = look.json("corpus", "list")["corpora"][0]
    printed = fields(
        line_with(look.text("corpus", "list"), corpus["name"]), r"\s([\d,]+)\s", r"([\d,]+)\s", r"[\d.]+ \w?B"
    )
    for (figure, label), text in zip((("documents", "documents"), ("chunks", "chunks"), ("bytes", "texts")), printed):
        shown = pairs.read("health", pane, rf"^ {label}\s+([\d,.]+(?: \w?B)?)", figure)
        pairs.compare(figure, "health", shown, "corpus list --json", corpus[figure])
        pairs.compare(figure, "health", shown, "corpus list", text)
    lengths = pairs.read("health", pane, r"^ below [\d,]+k?\s+\S*\s+([\d,]+)\s*$", "chunks by length", all=True)
    pairs.compare(
        "chunks", "lengths", sum(int(text.replace(",", "")) for text in lengths), "corpus list --json", corpus["chunks"]
    )
