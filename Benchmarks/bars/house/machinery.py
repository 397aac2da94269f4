"""Bar 2: files that contain machinery with one home, and error types."""

import re

from bars.house.size import swift
from figures import at_most

# Machinery and a pattern that only its home contains.
HOMES = [
    ("clock_gettime", r"\bclock_gettime\b"),
    ("readdir", r"\breaddir\b"),
    ("posix_spawn", r"\bposix_spawnp?\("),
    ("sqlite3_prepare", r"\bsqlite3_prepare"),
    ("the FNV constant", r"(?i)cbf2_?9ce4_?8422_?2325|14_?695_?981_?039_?346_?656_?037"),
    ("the SplitMix64 constant", r"(?i)9e37_?79b9_?7f4a_?7c15"),
]
ERROR = re.compile(r"^\s*(?:\w+ )*(?:struct|enum|class) \w+(?:<[^>]*>)?: [^{\n]*\bError\b", re.MULTILINE)


def run(program):
    files = list(swift("Sources"))
    figures = []
    for number, (name, pattern) in enumerate(HOMES):
        found = [path for path, text in files if re.search(pattern, text)]
        figures.append(
            at_most(f"2{'abcdef'[number]}", f"files with {name}", len(found), "files", 1, spread=", ".join(found[:4]))
        )
    errors = sum(len(ERROR.findall(text)) for _, text in files)
    return figures + [at_most("2g", "error types", errors, "types", 70)]
