#!/usr/bin/env python3
"""Write the sample corpus of Northfold Observatory and its questions, the same bytes on every run.

usage: generate.py [FOLDER]           (default: the folder beside this file)

Manuals, work orders, night notes, wiki pages, tables and code of an observatory that does not exist; some revisions
repeat each other almost word by word, some sources contradict each other. `questions.jsonl` names for each question the
words that answer it, as bytes of the extracted text. Only the standard library is used.
"""

import json
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from generator import code, manuals, notes, orders, pages, tables  # noqa: E402
from generator.questions import QUESTIONS  # noqa: E402

PARTS = (manuals, orders, notes, tables, code, pages)


def gold(files, path, words):
    """Where the words stand. The text of HTML has other offsets: there the document is named alone. A row of a table is
    a document, by its line."""
    text = files[path]
    assert text.count(words) >= 1, (path, words)
    if path.endswith(".csv"):
        return {"document": f"{path}#{text[: text.index(words)].count(chr(10)) + 1}"}
    if path.endswith(".html"):
        return {"document": path}
    start = len(text[: text.index(words)].encode())
    return {"document": path, "start": start, "end": start + len(words.encode())}


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else HERE
    chance = random.Random(20261122)
    files = {}
    for part in PARTS:
        for path, text in part.files(chance):
            assert path not in files, path
            files[path] = text
    folder = os.path.join(target, "northfold")
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in sorted(files.items()):
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    with open(os.path.join(target, "questions.jsonl"), "w", encoding="utf-8", newline="\n") as file:
        for number, (kind, question, answers) in enumerate(QUESTIONS, 1):
            case = {"id": f"q{number:02}", "kind": kind, "question": question,
                    "gold": [gold(files, path, words) for path, words in answers]}
            file.write(json.dumps(case, ensure_ascii=False) + "\n")
    print(f"{len(files)} documents, {sum(len(t.encode()) for t in files.values()):,} bytes, {len(QUESTIONS)} questions")


if __name__ == "__main__":
    main()
