"""Bar 6: what orrery-mini does with names, documents and calculations that are in no text that it learned.

`orrery train card` makes the sets anew from the recipe and the file of the model, and runs the episodes with the tools.
"""

import os

from figures import CouldNotRun, at_least, at_most, reported
from program import ROOT
from training import answer

MODEL = os.path.join(ROOT, "sample-data", "models", "orrery-mini")
RECIPE = os.path.join(ROOT, "sample-data", "training", "orrery-mini-2.toml")
LARGEST_MB, MOST_WEIGHTS = 12, 5_000_000


def run(program):
    if not os.path.exists(MODEL):
        raise CouldNotRun("no sample-data/models/orrery-mini")
    limit = ["--limit", 20] if program.quick else []
    # A card elsewhere: the one beside the model stays as it is.
    card = os.path.join(program.data, "training", "orrery-mini.card.md")
    os.makedirs(os.path.dirname(card), exist_ok=True)
    found = answer(program, "card", MODEL, RECIPE, "--json", "--output", card, *limit)
    kinds = ", ".join(f"{kind} {one['value']:.2f} of {one['count']}" for kind, one in found["episodes_by_kind"].items())
    again = found["exchanged_new_answer"]
    megabytes = sum(os.path.getsize(os.path.join(MODEL, name)) for name in os.listdir(MODEL)) / 1e6

    def share(bar, what, name, limit, spread="", check=at_least):
        one = found[name]
        counts = f"{one['hits']} of {one['count']}" + (f"; {spread}" if spread else "")
        return check(bar, what, one["value"], "", limit, spread=counts)

    return [
        share("6a", "questions on documents with names never seen, exact", "reading", 0.9),
        share(
            "6b", "with another document: still the first answer", "exchanged_old_answer", 0.3,
            f"the new document's answer: {again['hits']} of {again['count']}", at_most,
        ),
        share("6c", "episodes solved with the real tools", "episodes", 0.9, kinds),
        share("6d", "arithmetic never shown", "arithmetic", 0.9),
        reported("6e", "perplexity of stories never seen", found["story_perplexity"], "a token",
                 spread=f"{found['story_tokens']:,} tokens"),
        at_most("6f", "its folder", megabytes, "MB", LARGEST_MB),
    ]  # fmt: skip
