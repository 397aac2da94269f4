"""Phrases that read as translated, and what to write instead.

`certain` patterns are wrong nearly always and are counted. The others also match good English: read each hit.
"""

import re
from typing import NamedTuple


class Pattern(NamedTuple):
    name: str
    is_certain: bool
    fix: str
    expression: re.Pattern


def certain(name, fix, expression):
    return Pattern(name, True, fix, re.compile(expression))


def possible(name, fix, expression):
    return Pattern(name, False, fix, re.compile(expression))


# What ends a clause in a sentence or a string.
END = r"(?=[\"`.,;:)]|$)"

PATTERNS = [
    certain("nil where", "if, when", r"\b([Nn]il|[Ee]mpty|0|1|false|true|[Nn]one) where\b"),
    possible("where it", "if, when", r"\bwhere (it|they|there|nothing|none|no|that|this) "),
    certain("is no X", "is not a(n) X", r"(?<![Tt]here )\b(is|are|was|were) no (?!longer|more|less|better|worse|way|need|one\b)[a-z]"),
    certain("is none", "is not a ...; there are no ...", r"(?<!here )\b(is|are|was|were) none\b(?! of)"),
    certain("cannot be", "is out of range; must be ...", r"\bcannot be" + END),
    possible("those that", "the noun", r"\b[Tt]hose (that|of|which|whose|with|without|who)\b|\b(is|are|than|as) those\b"),
    certain("somebody", "user, process, caller", r"\b([Ss]ome|[Nn]o|[Aa]ny|[Ee]very)body\b"),
    certain("whom", "the noun", r"(?<!of )\bwhom\b|\b[Ww]ho(m)?ever\b"),
    possible("who", "which head, which process", r"\b[Ww]ho\b|\b(a|the) person\b"),
    certain("tell", "report, record, say whether",
            r"\b(was|is|are|not) told\b|\b[Aa]skings\b|\b(an|one|each|every|the) asking\b"
            r"|\btells? (it|its|what|whether|how|nothing|them|no)\b"),
    possible("stands", "is, appears",
             r"\bst(ands?|ood) (in|at|on|below|above|beside|before|after|there|by|twice|still)\b"),
    certain("lies", "is, is stored", r"\b(lies?|lay) (in|at|on|before|behind|beside|between|outside|within|where)\b"),
    possible("kept", "stored, saved, retained", r"\b(is|are|was|were|be|been) kept\b"),
    certain("what is kept", "stored ..., persistence", r"\b[Ww]hat (is|was) kept\b"),
    possible("take up, take in", "resume, import, accept", r"\b(nil|0|nothing) takes\b|\b[Tt]ak(e|es|en) (up|in|out)\b"),
    certain("let go", "release", r"\b[Ll]ets? (go|it|them|the next|more)\b"),
    possible("go on", "continue", r"\b([Gg]o(es)?|going) on\b(?! the)"),
    certain("so many", "N", r"\b[Ss]o many\b|\bthat many\b"),
    certain("trailing at most", "at most N", r"\b\w+ at (least|most)" + END),
    certain("one a line", "per",
            r"\b(one|rows?|tokens?|bytes|times|files?|prompt|lines?|steps|calls?) an? "
            r"(second|step|row|line|token|file|kind|format|sample|call|layer|head|page|document)\b"),
    certain("from which on", "starting at", r"\bfrom (which|there|here|then|now) on\b"),
    certain("also of", "including; even for", r", also (of|with|for|where|what|in|from|if|one)\b"),
    certain("dated", "again; fix; next to",
            r"\banew\b|\b[Mm]end(s|ed|ing)?\b|\b[Dd]eeds?\b|\bin vain\b|\b[Bb]esides?\b(?! that)"),
    certain("at work", "running", r"\bat work\b"),
    possible("what clause", "start with the noun",
             r"(?:///|\")\s*(What|How|Where|Why|Who|Which) (is|was|are|were|a|an|the|it|they|has|one)\b"),
    certain("it is called", "name (default: ...)", r"\bis called as\b|\bcalled as\b|\b[Ww]hat it is called\b"),
    possible("another", "a different, a second", r"\b(is|are|of|by|take|give) another(?! (process|thread|machine))\b"),
    possible("begin", "start", r"\b[Bb]egins? with\b|\bto begin\b|\bin the beginning\b"),
    certain("leads nowhere", "broken link; no target",
            r"\bleads? nowhere\b|\bknows? (whole|no|nothing|only)\b|\bhangs? together\b|\bhears?\b"),
    certain("the one that", "the noun", r"\bthe ones? (that|of|whose|with|before|after|imported)\b"),
    possible("people", "users, readers", r"\bfor people and (for )?programs\b|\bfor people\b"),
    certain("else the", "otherwise", r"[;,] else (the|it|its|a|an|what|nothing|by|one)\b"),
    certain("is to be", "must be", r"\b(is|are|was|were) to be [a-z]+ed\b"),
    possible("has to be", "must be", r"\bhas to be [a-z]+ed\b"),
    certain("error pronoun", "name the thing at fault",
            r"(problem: |broken\(|error\(|failure\(|throw [^\"\n]*)\"(it|its|they|this) "),
]  # fmt: skip
