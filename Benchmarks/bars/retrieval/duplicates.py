"""Bar 7: near-duplicates against datasketch: candidates found at Jaccard 0.5, and texts a second.

The texts are those of cranfield with 30 words and more, and 500 copies of which 2 to 30 % of the words were left out,
replaced or doubled. Shingles are five words of letters and digits; pairs are worked out here, from the shingles themselves.
Ours is timed from the texts on, datasketch from shingles that are there already.
"""

import json
import os
import random
import re

from figures import at_least, attempt
from models import shared, version
from retrieval import folder, lettered, ours, theirs

THRESHOLD, PERMUTATIONS, PLANTED = 0.5, 128, 500
RATES = (0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3)
WORD = re.compile(r"[a-z0-9]+")
ROUNDS = 5


def run(program):
    return lettered(7, attempt("7", "near-duplicates", lambda: duplicates(program)))


def damaged(text, rate, chance):
    words, kept = text.split(), []
    for word in words:
        number = chance.random()
        if number < rate / 3:
            continue
        kept.append(chance.choice(words) if number < 2 * rate / 3 else word)
        if number > 1 - rate / 3:
            kept.append(chance.choice(words))
    return " ".join(kept)


def written(program):
    texts, chance = [], random.Random(1)
    with open(shared("retrieval", "cranfield", "corpus.jsonl"), encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            text = (document["title"] + " " + document["text"]).strip()
            if len(text.split()) >= 30:
                texts.append(text)
    count = len(texts)
    texts += [damaged(texts[chance.randrange(count)], RATES[copy % len(RATES)], chance) for copy in range(PLANTED)]
    path = os.path.join(folder(program), "duplicates.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)
    return path, texts


def pairs(texts):
    """Every pair with a shingle in common, and its similarity."""
    sets, holders, common = [], {}, {}
    for place, text in enumerate(texts):
        words = WORD.findall(text.lower())
        sets.append({" ".join(words[i : i + 5]) for i in range(max(1, len(words) - 4))})
        for shingle in sets[-1]:
            for other in holders.get(shingle, ()):
                common[other, place] = common.get((other, place), 0) + 1
            holders.setdefault(shingle, []).append(place)
    return {pair: count / (len(sets[pair[0]]) + len(sets[pair[1]]) - count) for pair, count in common.items()}


def duplicates(program):
    path, texts = written(program)
    right = {pair for pair, similarity in pairs(texts).items() if similarity >= THRESHOLD}
    best, query, said = {}, {}, {}
    with (
        ours(program, "similar", path, "--threshold", THRESHOLD, "--permutations", PERMUTATIONS, quiet=True) as mine,
        theirs(program, ("datasketch",), "retrieval_duplicates", path, THRESHOLD, PERMUTATIONS) as their,
    ):
        for _ in range(2 if program.quick else ROUNDS):
            for name, engine in (("ours", mine), ("datasketch", their)):
                said[name] = engine.ask("go")
                best[name] = min(best.get(name, 9e9), said[name]["cpu_seconds"])
                query[name] = min(query.get(name, 9e9), said[name]["query_cpu_seconds"])
    found = {name: {tuple(pair) for pair in answer["candidates"]} for name, answer in said.items()}
    recall = {name: len(pairs & right) / len(right) for name, pairs in found.items()}
    rate = {name: len(texts) / seconds for name, seconds in best.items()}

    def described(name):
        bands, rows = said[name]["banding"]
        return (
            f"{rate[name]:,.0f} texts a CPU second, queries {len(texts) / query[name]:,.0f}; {bands} bands of {rows}, "
            f"{len(found[name])} candidates, recall {recall[name]:.4f}, "
            f"precision {len(found[name] & right) / len(found[name]):.4f}"
        )

    more = {"spread": described("ours"), "peer": f"{version('datasketch')}: {described('datasketch')}"}
    return [
        at_least("7a", f"pairs at Jaccard {THRESHOLD} and more that are candidates, of {len(right)}", recall["ours"], "", 0.93,
                 **more),
        at_least("7b", "texts a second, from text to index, over datasketch from shingles", rate["ours"] / rate["datasketch"],
                 "", 5, ratio=round(rate["ours"] / rate["datasketch"], 2), **more),
    ]  # fmt: skip
