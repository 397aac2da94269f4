"""The phrases of the project: comments, string literals, and test names in code, sentences in documents."""

import os
import re
from typing import NamedTuple

TOPS = ("Sources", "Tests", "Documentation", "notebooks", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
SENTENCE_END = re.compile(r"(?<=[.:;!?]) +")


class Phrase(NamedTuple):
    path: str  # relative to the root
    line: int
    kind: str  # "string", "comment", "name", or "document"
    text: str

    @property
    def module(self):
        return module_of(self.path)


def module_of(path):
    """`Sources/Console/...` is Console, `Tests/ConsoleTests/...` is ConsoleTests; a document belongs to its top folder."""
    parts = path.split(os.sep)
    return parts[1] if parts[0] in ("Sources", "Tests") and len(parts) > 2 else parts[0]


def files(root, tops=TOPS):
    """Paths of code and documents below the root, relative to it, in a fixed order."""
    for top in tops:
        place = os.path.join(root, top)
        if os.path.isfile(place):
            yield top
        for folder, folders, names in os.walk(place):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".swift", ".md", ".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def of_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    yield from (of_document if path.endswith(".md") else of_code)(path, lines)


def of_document(path, lines):
    is_code = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("```"):
            is_code = not is_code
        elif text and not is_code:
            for sentence in SENTENCE_END.split(text):
                yield Phrase(path, number, "document", sentence)


def of_code(path, lines):
    is_block = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if '"""' in text:
            is_block ^= text.count('"""') == 1
            continue
        if is_block:
            yield Phrase(path, number, "string", f'"{text}"')
            continue
        cut = text.find("//")
        if cut >= 0 and not (cut and text[cut - 1] == ":"):
            yield Phrase(path, number, "comment", text[cut:])
            text = text[:cut]
        for literal in LITERAL.finditer(text):
            if literal.group().count(" ") >= 2:
                # What comes before it tells an error from other sentences.
                before = text[max(0, literal.start() - 24) : literal.start()]
                kind = "name" if before.endswith(("@Test(", "@Suite(")) else "string"
                yield Phrase(path, number, kind, before + literal.group())
        if "func `" in text:
            yield Phrase(path, number, "name", text[text.find("func `") :])
