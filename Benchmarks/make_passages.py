#!/usr/bin/env python3
"""Passages for the bars of retrieval, and questions to type: seeded, always the same, with the standard library alone.

usage: make_passages.py FOLDER COUNT [FILES]

Writes FOLDER/passages/part-N.jsonl with so many documents of about 30 words, FOLDER/questions.txt with 100 questions, and
FOLDER/prefixes.txt with what is typed of them, letter by letter, and lines that nobody types, 6000 in all. Words are of
syllables, their frequencies Zipf's: the vocabulary grows with the text as that of a language does.
"""

import bisect
import itertools
import json
import os
import random
import sys

TYPED = 6000
SYLLABLES = [a + b for a in "b d f g k l m n p r s t v st tr pl gr".split() for b in "a e i o u an er in or ul".split()]


def vocabulary(chance, count):
    words, seen = [], set()
    while len(words) < count:
        word = "".join(chance.choices(SYLLABLES, k=chance.choice((1, 2, 2, 3, 3, 4))))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    chance = random.Random(6)
    words = vocabulary(chance, 200_000)
    sums = list(itertools.accumulate(1 / (2.7 + rank) ** 1.05 for rank in range(len(words))))
    total, last = sums[-1], len(sums) - 1

    def some(number):
        return [words[min(last, bisect.bisect(sums, chance.random() * total))] for _ in range(number)]

    os.makedirs(os.path.join(folder, "passages"), exist_ok=True)
    each = (count + files - 1) // files
    for part in range(files):
        with open(os.path.join(folder, "passages", f"part-{part:03}.jsonl"), "w", encoding="utf-8") as file:
            for number in range(part * each, min(count, (part + 1) * each)):
                text = some(chance.randrange(20, 41))
                text[0] = text[0].capitalize()
                half = len(text) // 2
                line = {"_id": f"p{number}", "text": " ".join(text[:half]) + ". " + " ".join(text[half:]) + "."}
                file.write(json.dumps(line) + "\n")
    questions = [" ".join(some(chance.randrange(4, 9))) for _ in range(100)]
    prefixes = dict.fromkeys(question[:end] for question in questions for end in range(1, len(question) + 1))
    lines = list(prefixes)[:TYPED]
    lines += [f"nobody types this {number}" for number in range(TYPED - len(lines))]
    for name, content in (("questions.txt", questions), ("prefixes.txt", lines)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(content) + "\n")


if __name__ == "__main__":
    main()
