#!/usr/bin/env python3
"""Checks how Orrery's English reads, and holds each module to a baseline that only falls.

usage: prose.py                          compare every module with the baseline (part of make lint)
       prose.py --update                 lower the baseline to today's counts
       prose.py --list [NAME] [--module M]  show the hits, or the hits of one pattern or form
       prose.py --since REF              score of the lines added since a commit
       prose.py --sample N --seed S      N random phrases for a reader to judge, with their places
       prose.py --json                   counts by kind of phrase and by module

Two counts belong to each module: phrases that read as translated (`prose/patterns.py`), and documentation comments and
test names without their usual form (`prose/forms.py`).
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BASELINE = os.path.join(HERE, "prose", "baseline.tsv")
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from prose import forms, phrases  # noqa: E402
from prose.patterns import PATTERNS  # noqa: E402

# Modules that are converted completely, with their tests: the foundation that other code imitates.
FOUNDATION = (
    "System", "Hashing", "Formatting", "JSON", "Configuration", "Workspace", "LanguageModels", "Console", "Statistics",
)


def every_phrase(module=None):
    for path in phrases.files(ROOT):
        if module in (None, phrases.module_of(path)):
            yield from phrases.of_file(ROOT, path)


def every_form(module=None):
    for path in phrases.files(ROOT, ("Sources", "Tests")):
        if path.endswith(".swift") and module in (None, phrases.module_of(path)):
            for kind, line, text in forms.of_file(ROOT, path):
                yield path, line, kind, text


def hits(phrase, certain_only=True):
    return [p for p in PATTERNS if (p.is_certain or not certain_only) and p.expression.search(phrase.text)]


def counts():
    """The two counts of each module: {module: [translated, forms]}."""
    found = defaultdict(lambda: [0, 0])
    for phrase in every_phrase():
        found[phrase.module][0] += len(hits(phrase))
    for path, _, _, _ in every_form():
        found[phrases.module_of(path)][1] += 1
    return found


def read_baseline():
    with open(BASELINE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {module: [int(translated), int(form)] for module, translated, form in rows}


def write_baseline(found):
    with open(BASELINE, "w", encoding="utf-8") as file:
        file.write("# module\tphrases that read as translated\tcomments and test names without the usual form\n")
        for module in sorted(found):
            if any(found[module]):
                file.write(f"{module}\t{found[module][0]}\t{found[module][1]}\n")


def compare(is_update):
    now, before = counts(), read_baseline() if os.path.exists(BASELINE) else {}
    raised, lowered = [], []
    for module in sorted(set(now) | set(before)):
        for index, what in enumerate(("phrases that read as translated", "comments or test names without their form")):
            old, new = before.get(module, [0, 0])[index], now[module][index]
            if new > old:
                raised.append(f"{module}: {new} {what}, the baseline allows {old}")
            elif new < old:
                lowered.append(f"{module}: {new} {what} instead of {old}")
    if is_update and (not raised or not before):
        write_baseline(now)
        print("\n".join(lowered) or "the baseline is up to date")
        return 0
    if raised:
        print("\n".join(raised))
        print("List them with Tools/prose.py --list --module NAME and rewrite the lines you added.")
    elif lowered:
        print("\n".join(lowered))
        print("Run Tools/prose.py --update and commit Tools/prose/baseline.tsv, so that the counts stay this low.")
    return 1 if raised or lowered else 0


def show(name, module, limit):
    shown = 0
    for phrase in every_phrase(module):
        for pattern in hits(phrase, certain_only=name is None):
            if name in (None, pattern.name) and shown < limit:
                shown += 1
                print(f"{phrase.path}:{phrase.line}: [{pattern.name}: {pattern.fix}] {phrase.text[:150]}")
    for path, line, kind, text in every_form(module):
        if name in (None, kind) and shown < limit:
            shown += 1
            print(f"{path}:{line}: [{kind}] {text[:150]}")


def added_lines(ref):
    """Numbers of the lines added since a commit, by path."""
    diff = subprocess.run(
        ["git", "diff", "-U0", ref, "--", "."], cwd=ROOT, capture_output=True, text=True, errors="replace", check=True
    ).stdout
    added, path = defaultdict(set), None
    for line in diff.split("\n"):
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif path and (hunk := re.match(r"@@ .*\+(\d+)(?:,(\d+))? @@", line)):
            added[path].update(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    return added


def score(ref):
    added = added_lines(ref)
    new = [phrase for phrase in every_phrase() if phrase.line in added[phrase.path]]
    count = sum(len(hits(phrase)) for phrase in new)
    print(f"{count} hits in {len(new)} added phrases: {per_thousand(count, len(new))} per 1,000")


def sample(count, seed):
    """Random phrases: strings in Sources, documents, and everything in the foundation."""
    pool = []
    for phrase in every_phrase():
        is_read_by_users = phrase.kind == "document" or (phrase.kind == "string" and phrase.path.startswith("Sources"))
        is_foundation = phrase.module in FOUNDATION or phrase.module.removesuffix("Tests") in FOUNDATION
        if (is_read_by_users or is_foundation) and len(re.findall(r"[A-Za-z]{2,}", phrase.text)) >= 3:
            pool.append(phrase)
    for phrase in random.Random(seed).sample(pool, count):
        print(f"{phrase.path}:{phrase.line}: {phrase.text}")


def per_thousand(count, total):
    return round(1000 * count / max(1, total), 1)


def summary():
    by_group, by_pattern = defaultdict(lambda: [0, 0]), Counter()
    for phrase in every_phrase():
        found = hits(phrase)
        by_pattern.update(pattern.name for pattern in found)
        groups = ["all"]
        if phrase.kind == "document" or (phrase.kind == "string" and phrase.path.startswith("Sources")):
            groups.append("read by users")
        if phrase.module in FOUNDATION or phrase.module.removesuffix("Tests") in FOUNDATION:
            groups.append("foundation")
        for group in groups:
            by_group[group][0] += len(found)
            by_group[group][1] += 1
    foundation_forms = sum(
        1 for path, _, _, _ in every_form() if phrases.module_of(path).removesuffix("Tests") in FOUNDATION
    )
    return {
        "groups": {
            name: {"hits": count, "phrases": total, "per_thousand": per_thousand(count, total)}
            for name, (count, total) in by_group.items()
        },
        "foundation_forms": foundation_forms,
        "patterns": dict(by_pattern.most_common()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--list", nargs="?", const="", metavar="NAME")
    parser.add_argument("--module")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--since", metavar="REF")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.list is not None:
        return show(options.list or None, options.module, options.limit)
    if options.since:
        return score(options.since)
    if options.sample:
        return sample(options.sample, options.seed)
    if options.json:
        return print(json.dumps(summary(), indent=2))
    return compare(options.update)


if __name__ == "__main__":
    sys.exit(main())
