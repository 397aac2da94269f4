"""Generations: the list of sessions, the generation as a whole, its tokens, and `model score` of the same text."""

import math
import re

from agreement.figure import COMPACT, NUMBER, SHARE
from agreement.screen import fields


def compare(look, pairs):
    listed = look.screen("tokens").pane("^Sessions").split("\n")
    answers = [(place, line) for place, line in enumerate(listed) if re.search(r"[\d,]+ tok$", line)]
    pairs.read("list", "\n".join(listed), r"([\d,]+) tok$", "answers")
    for place, line in answers:
        # The list begins below its header.
        compare_answer(look, pairs, "gg" + "j" * (place - 1) + "\r", fields(line, r"([\d,]+) tok")[0], f"answer {place}")


def compare_answer(look, pairs, keys, listed, name):
    screen = look.screen("tokens", keys)
    title, whole = screen.title(r"tokens ─"), screen.pane("^Generation")
    count = pairs.read("generation", whole, r"^ generation\s+([\d,]+) tokens", f"tokens of {name}")
    pairs.compare(f"{name} tokens", "list", listed, "generation", count)
    pairs.compare(
        f"{name} tokens", "border", pairs.read("border", title, r"([\d,]+) output tokens", "tokens"), "generation", count
    )
    speed = pairs.read("generation", whole, rf"^ speed\s+({COMPACT})", f"speed of {name}")
    pairs.compare(
        f"{name} speed", "border", pairs.read("border", title, rf"({COMPACT}) tokens/s", "speed"), "generation", speed
    )
    log = pairs.read("generation", whole, rf"^ log p\s+({NUMBER})", f"log p of {name}")
    perplexity = pairs.read("generation", whole, rf"^ perplexity\s+({NUMBER})", f"perplexity of {name}")
    pairs.compare(f"{name} perplexity", "generation", perplexity, "of its log p", math.exp(-float(log) / int(count)))
    compare_tokens(look, pairs, keys, whole, name)


def compare_tokens(look, pairs, keys, whole, name):
    """The tokens that were least probable, in the list and under the cursor; `]` goes from one to the next."""
    listed = re.findall(rf"^ (\d+) (\S+)\s+({SHARE})$", whole, re.MULTILINE)
    surprises = pairs.read("generation", whole, r"^ surprises\s+(\d+)", f"surprises of {name}")
    shown = {}
    for place in range(int(surprises)):
        screen = look.screen("tokens", keys + "]" * (place + 1))
        token = pairs.read("token", screen.title("^Token"), r"Token ([\d,]+)", "the token under the cursor")
        pane = screen.pane("^Token")
        shown[token] = pairs.read("token", pane, rf"^ p ({SHARE})", f"p of token {token}")
        chosen = pairs.read("alternatives", pane, rf"^\s+▸\s+\S+\s+({SHARE})", f"row of token {token}")
        pairs.compare(f"{name} p of token {token}", "token", shown[token], "alternatives", chosen)
    pairs.compare(f"{name} surprises", "generation", surprises, "places that ] goes to", len(shown))
    for token, _, share in listed:
        pairs.compare(f"{name} p of token {token}", "least probable", share, "token", shown.get(token))
