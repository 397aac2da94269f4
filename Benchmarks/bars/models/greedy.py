"""Bar 2: stories260K takes the likeliest token 200 times: the ids of the reference, however keys and values are kept.

`orrery-bench model greedy` goes five ways: keys and values in one piece; in pages; half of the answer read again in chunks
of seven; branched in the middle of a page, where another branch goes astray; two completions that rejoin and go on as
one batch.
"""

import json

from figures import at_most
from models import ours, shared


def run(program):
    with open(shared("inference", "stories260K", "converted", "greedy.json"), encoding="utf-8") as file:
        prompt, *expected = json.load(file)["greedy_ids_from_bos"]
    files = {
        "GGUF": shared("inference", "stories260K", "converted", "model-f32.gguf"),
        "llama2.c": shared("inference", "stories260K", "stories260K.bin"),
    }
    figures = []
    for letter, threads in (("a", 1), ("b", 2)):
        wrong, count = [], 0
        for kind, path in files.items():
            said = ours(
                program.bench, "greedy", path, "--ids", prompt, "--count", len(expected), "--threads", threads, "--json"
            )
            for way, ids in json.loads(said).items():
                count += 1
                if ids != expected:
                    place = next((i for i, pair in enumerate(zip(ids, expected)) if pair[0] != pair[1]), len(ids))
                    wrong.append(f"{kind}, {way}: from id {place} of {len(ids)} on")
        figures.append(
            at_most(
                f"2{letter}", f"ways to the {len(expected)} ids that go astray, threads: {threads}", len(wrong), "ways",
                0, spread=f"of {count}: plain, pages, chunks, branched, rejoined, from {' and '.join(files)}"
                + "".join(f"; {line}" for line in wrong), peer="the ids in the data",
            )  # fmt: skip
        )
    return figures
