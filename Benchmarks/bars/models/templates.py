"""Bar 9: eight chat templates of real models on 200 generated conversations each, text for text as Jinja renders
them.

A template that refuses a conversation must refuse it here, in the same words; where Jinja fails otherwise, we must
fail.
"""

import json
import os

from figures import at_most
from make_conversations import conversations
from models import ours, peer, require, shared, version

COUNT, SEED = 200, 9


def run(program):
    require("jinja2")
    lines = os.path.join(program.data, "conversations.jsonl")
    with open(lines, "w", encoding="ascii") as file:
        file.writelines(json.dumps(variables) + "\n" for variables in conversations(COUNT, SEED))
    with open(lines, encoding="ascii") as file:
        text = file.read()
    folder = shared("inference", "chat-templates")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".jinja"))
    different, kinds = [], {"text": 0, "refused": 0, "error": 0}
    for name in names:
        path = os.path.join(folder, name)
        theirs = peer(program, ("jinja2",), "render_jinja", path, lines)
        mine = [json.loads(line) for line in ours(program.bench, "render-lines", path, text=text).splitlines()]
        for number, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            kinds[next(iter(other))] += 1
            if not agree(one, other):
                different.append(f"{name}, conversation {number}: {short(one)} for {short(other)}")
    return [
        at_most(
            "9", f"renderings that differ, {len(names)} templates, {COUNT} conversations each", len(different),
            "renderings", 0, spread=", ".join(f"{count} {kind}" for kind, count in kinds.items())
            + "".join(f"; {line}" for line in different[:4]), peer=version("jinja2"),
        )  # fmt: skip
    ]


def agree(mine, theirs):
    """Texts and refusals are compared; how a failure is worded is ours."""
    return "error" in mine if "error" in theirs else mine == theirs


def short(outcome):
    kind, text = next(iter(outcome.items()))
    return f"{kind} {ascii(text)[:80]}"
