"""Heads of a model on the sample text: the tiles, the cross, the token's reading, and `attention` and `model score`."""

import math
import re

from agreement.figure import NUMBER, SHARE
from agreement.screen import fields


def compare(look, pairs):
    screen = look.screen("attention")
    model = pairs.read("border", screen.title("^Tokens"), r"Tokens ─ \d+ ─ ([\w-]+)", "the model")
    text = text_of(screen)
    layer, head = pairs.read("border", screen.title(r"^L\d+H\d+"), r"L(\d+)H(\d+)", "the head")
    prompt = ("--prompt", text)
    scores = look.json("attention", "heads", model, *prompt)["scores"]
    compare_heads(look, pairs, scores)
    compare_printed(look, pairs, scores, look.text("attention", "heads", model, *prompt))
    shown = look.json("attention", "show", model, *prompt, "--layer", layer, "--head", head)
    tokens = len(shown["tokens"])
    pairs.compare(
        "tokens", "border", fields(screen.title("^Tokens"), r"Tokens ─ (\d+)")[0], "attention show --json", tokens
    )
    for query in (tokens - 1, tokens - 5, tokens - 9):
        compare_token(look, pairs, model, text, shown, query, tokens)


def text_of(screen):
    """The text in the pane: lines that are broken at blanks, up to the first empty one."""
    lines = screen.pane("^Tokens").split("\n")
    end = next((row for row, line in enumerate(lines) if not line.strip()), len(lines))
    return " ".join(line.strip() for line in lines[:end])


def compare_heads(look, pairs, scores):
    """`c` goes through the scores; each that the command has for this text is compared for every head."""
    known = {score["name"]: score for score in scores}
    found = 0
    for presses in range(5):
        page = look.screen("attention", "c" * presses)
        name = pairs.read("border", page.title("^Heads"), r"Heads ─ \d+ × \d+ ─ ([\w ]+)", "the score")
        if name not in known:
            continue
        score, found = known[name], found + 1
        for layer, line in re.findall(r"^ L(\d+) (.*\d\.\d\d.*)$", page.pane("^Heads"), re.MULTILINE):
            for head, text in enumerate(re.findall(r"\d\.\d\d", line)):
                value = score["layers"][int(layer)][head]
                pairs.compare(f"{name} of L{layer}H{head}", "heads", text, "attention heads --json", value)
    if found < len(known):
        pairs.missing.append(f"attention: {found} of {len(known)} scores of attention heads are shown")


def compare_printed(look, pairs, scores, printed):
    """The table of the command: a column for each score, those of repetition included."""
    rows = printed.split("\n")
    names = re.split(r"\s{2,}", rows[0].strip())[1:]
    for score in scores:
        if score["name"] not in names:
            pairs.missing.append(f"attention: {score['name']} is no column of attention heads")
            continue
        for row in rows[1:]:
            head = re.match(r"L(\d+)H(\d+)\s", row)
            if head:
                text = row.split()[1 + names.index(score["name"])]
                value = score["layers"][int(head[1])][int(head[2])]
                figure = f"{score['name']} of {row.split()[0]}"
                pairs.compare(figure, "attention heads", text, "attention heads --json", value)


def compare_token(look, pairs, model, text, shown, query, tokens):
    # The first pane has the heads, the third one the tokens.
    screen = look.screen("attention", "<tab><tab>" + "h" * (tokens - 1 - query))
    cross = screen.pane(r"^L\d+H\d+").split("\n")[0]
    at, key, weight = fields(cross, r"query (\d+)", r"key (\d+)", r"\d\.\d{3}")
    weights = {row["query"]: row["weights"] for row in shown["rows"]}
    reading = screen.pane("^Token$|^Token ─ ")
    if at is None or key is None:
        pairs.missing.append(f"attention: no cross at token {query}")
        return
    pairs.compare(f"token at {query}", "head", at, "token", fields(reading, r"token (\d+) of")[0])
    pairs.compare(f"weight {at} to {key}", "head", weight, "attention show --json", weights[int(at)][int(key)])
    looks = re.findall(r"^ \S+ (\d+)\s+[█▏▎▍▌▋▊▉]*\s+(\d\.\d{3})", reading, re.MULTILINE)
    for other, value in looks:
        pairs.compare(f"weight {at} to {other}", "token", value, "attention show --json", weights[int(at)][int(other)])
    found = dict(looks)
    if key in found:
        pairs.compare(f"weight {at} to {key}", "head", weight, "token", found[key])
    scored = look.json("model", "score", model, "--text", text)["tokens"]
    offset = len(shown["tokens"]) - len(scored)
    entry = scored[int(at) - offset]
    p = pairs.read("token", reading, rf"   p ({SHARE})", f"p of token {at}")
    pairs.compare(f"p of token {at}", "token", p, "model score --json", math.exp(entry["log_probability"]))
    entropy = pairs.read("token", reading, rf"entropy ({NUMBER}) nat", f"entropy at token {at}")
    pairs.compare(f"entropy at token {at}", "token", entropy, "model score --json", entry["entropy"])
    if entry["rank"] <= 1:
        best = pairs.read("token", reading, rf"({SHARE})\s*$", "the likeliest token", all=True)
        pairs.compare(f"p of token {at}", "token", p, "alternatives", best[0] if best else None)
