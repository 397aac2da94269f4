"""The form of documentation comments and test names: what a reader of a reference expects and no pattern can see."""

import os
import re

PREFIX = r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*"
MODIFIERS = (
    r"(?:static |final |mutating |nonmutating |indirect |override |convenience |required |lazy |weak |nonisolated )*"
    r"(struct|class|enum|actor|protocol|func|init|var|let|subscript|typealias|case|associatedtype)\b"
)
PUBLIC = re.compile(PREFIX + r"public\s+(?:(?:private|internal|fileprivate|package)\(set\)\s+)?" + MODIFIERS)
DECLARATION = re.compile(
    PREFIX + r"(?:(?:public|package|internal|fileprivate|private)(?:\(set\))?\s+)*" + MODIFIERS
)
ENUM = re.compile(r"^(\s*)(?:@\w+ )?(public )?(?:indirect )?enum (\w+)[^{]*\{\s*$")
# These inherit their documentation.
INHERITED = re.compile(r"\bvar description: String|func hash\(into|static func (==|<)|func encode\(to|init\(from decoder")
RIDDLE = re.compile(
    r"^(What|How|Where|Why|Who|Which|When|Of|That|Those|As above|The same|Likewise|So many|From|With|In|On|For|By|At)\b"
)
VERB = re.compile(r"^(Returns|[A-Z][a-zA-Z0-9-]*s)(?=\W|$)")
PLURAL_NOUN = re.compile(r"^(?!Returns)[A-Z][a-z]+s( (of|in|with|and|that|by|per|as|at|from)\b|:)")
LOWERCASE_ITEM = re.compile(r"///\s+- (Parameter \w+|Returns|Throws|\w+): [a-z]")
PLAIN_NIL = re.compile(r"(?<!`)\bnil\b(?!`)")
UNNAMED_TEST = re.compile(r"@Test( |$|\((arguments|\.))")
INITIALIZER_VERBS = ("Creates", "-", "Parses", "Joins", "Opens", "Reads")

KINDS = (
    "undocumented public declaration",
    "function without a verb",
    "initializer without Creates",
    "riddle as the opening word",
    "lowercase item",
    "nil without backticks",
    "summary over two lines",
    "test without a name",
    "test name that is a heading or a sentence",
)


def of_file(root, path):
    """Yields (kind, line, text) for each fault of a Swift file."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    enums = []  # (indentation, whether public), innermost last
    for index, line in enumerate(lines):
        while enums and line == " " * enums[-1][0] + "}":
            enums.pop()
        if opened := ENUM.match(line):
            enums.append((len(opened.group(1)), bool(opened.group(2))))
        text = line.strip()
        if text.startswith("///"):
            if LOWERCASE_ITEM.match(text) and "Source" not in text:
                yield "lowercase item", index + 1, text
            if PLAIN_NIL.search(text):
                yield "nil without backticks", index + 1, text
            continue
        if path.startswith("Tests"):
            yield from test_name(lines, index)
        is_public = bool(PUBLIC.match(line)) or is_public_case(line, enums)
        if declaration := DECLARATION.match(line):
            yield from documentation(lines, index, declaration.group(1), is_public)


def is_public_case(line, enums):
    if not enums or not enums[-1][1] or line.rstrip().endswith(":"):
        return False
    return re.match(rf" {{{enums[-1][0] + 4}}}case [a-z`]", line) is not None


def test_name(lines, index):
    text = lines[index].strip()
    following = lines[min(index + 1, len(lines) - 1)]
    if UNNAMED_TEST.match(text) and "func `" not in text and "func `" not in following:
        yield "test without a name", index + 1, text
    name = re.match(r'@Test\("((?:[^"\\]|\\.)*)"', text)
    if not name and lines[index - 1].strip() == "@Test(":
        name = re.match(r'"((?:[^"\\]|\\.)*)"', text)
    if name and (name.group(1).endswith(".") or RIDDLE.match(name.group(1)[:1].upper() + name.group(1)[1:])):
        yield KINDS[-1], index + 1, name.group(1)


def documentation(lines, index, keyword, is_public):
    first = index - 1
    while first >= 0 and lines[first].strip().startswith("@"):
        first -= 1
    last = first
    while first >= 0 and lines[first].strip().startswith("///"):
        first -= 1
    comment = [line.strip()[3:].strip() for line in lines[first + 1 : last + 1]]
    if not comment:
        if is_public and not INHERITED.search(lines[index]):
            yield "undocumented public declaration", index + 1, lines[index].strip()
        return
    summary = comment[0]
    if RIDDLE.match(summary):
        yield "riddle as the opening word", first + 2, summary
    elif keyword == "func" and not summary.startswith("-") and (not VERB.match(summary) or PLURAL_NOUN.match(summary)):
        yield "function without a verb", first + 2, summary
    elif keyword == "init" and not summary.startswith(INITIALIZER_VERBS):
        yield "initializer without Creates", first + 2, summary
    head = comment[: comment.index("")] if "" in comment else [line for line in comment if not line.startswith("- ")]
    if len(head) > 2:
        yield "summary over two lines", first + 2, summary
