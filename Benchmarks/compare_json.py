#!/usr/bin/env python3
"""Compares the `--json` output of two builds on one workspace: only sentences may differ.

usage: compare_json.py BEFORE AFTER [--sentences]

BEFORE fills a workspace and answers every reading command twice, so that values which never repeat, such as times, are
left out. A string with a space in it counts as a sentence; any other difference is named, and the exit status is 1.
"""

import argparse
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from bars.contact.readings import filled, reading_commands  # noqa: E402
from program import ROOT, Program  # noqa: E402

MODEL = os.path.join(ROOT, "sample-data", "models", "orrery-mini")
LOGS = [os.path.join(ROOT, "sample-data", "evals", "recorded", name) for name in ("before.jsonl", "after.jsonl")]

# Commands that read files, without a workspace of their own.
FILES = [
    ("model", "inspect", MODEL),
    ("model", "inspect", MODEL, "--tensors"),
    ("model", "tokenize", MODEL, "-t", "An orrery turns"),
    ("model", "score", MODEL, "-t", "Lumira was a star watcher in Dunford."),
    ("model", "generate", MODEL, "-p", "Story:", "--seed", "3", "--max-tokens", "12"),
    ("attention", "heads", MODEL, "-p", "The cat sat. The cat"),
    ("attention", "lens", MODEL, "-p", "The cat sat. The cat", "--position", "-1"),
    ("eval", "show", LOGS[0]),
    ("eval", "show", LOGS[1], "--samples"),
    ("eval", "diff", *LOGS),
    ("kernel", "list"),
    ("kernel", "estimate", "--parameters", "7e9", "--layers", "32", "--hidden", "4096", "--heads", "32"),
    ("train", "gradient", "--let", "a=2", "b = a^3; c = b + relu(a)"),
    ("config", "show"),
    ("doctor",),
]


def differences(before, after, again, place=""):
    """Yields (place, before, after) for each value that differs; a value that differs from `again` is left out."""
    if before == after or before != again and not isinstance(before, (dict, list)):
        return
    if isinstance(before, dict) and isinstance(after, dict) and isinstance(again, dict):
        if list(before) != list(after):
            yield place + " (keys)", list(before), list(after)
        for key in before:
            if key in after:
                yield from differences(before[key], after[key], again.get(key), f"{place}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and isinstance(again, list):
        if len(before) != len(after):
            yield place + " (length)", len(before), len(after)
        for index, pair in enumerate(zip(before, after, again)):
            yield from differences(*pair, f"{place}[{index}]")
    else:
        yield place, before, after


def parsed(text):
    """The document, or one value per line."""
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) if line.startswith(("{", "[")) else line for line in text.decode().splitlines()]


def is_sentence(value):
    return isinstance(value, str) and " " in value.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--sentences", action="store_true", help="print the sentences that differ as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        old, new = Program(options.before, data), Program(options.after, data)
        old.fresh_home()
        new.home = old.home
        path = filled(old)
        commands = [words for words in reading_commands(old, path) if words[-1] == "--json"]
        commands = [(*words, "--workspace", path) for words in commands] + [(*words, "--json") for words in FILES]
        same, faults, sentences = 0, [], 0
        for words in commands:
            first, again, now = old.run(*words), old.run(*words), new.run(*words)
            name = "orrery " + " ".join(words)
            if first.status != now.status:
                faults.append(f"{name}: status {now.status} instead of {first.status}")
            same += first.output == now.output
            for place, before, after in differences(*map(parsed, (first.output, now.output, again.output))):
                if is_sentence(before) and is_sentence(after):
                    sentences += 1
                    if options.sentences:
                        print(f"{name}: {place}\n  - {before}\n  + {after}")
                else:
                    faults.append(f"{name}: {place}: {str(after)[:120]} instead of {str(before)[:120]}")
    print("\n".join(faults))
    print(f"{len(commands)} commands: {same} identical, {sentences} sentences differ, {len(faults)} other differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
