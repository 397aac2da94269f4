"""Bar 3: help for an option or argument has at most ten words, or two sentences of at most ten words each."""

import json
import re

from figures import at_most, reported

LONGEST = 10


def run(program):
    root = json.loads(program.run("--experimental-dump-help").output)["command"]
    texts = list(helps(root, []))
    long = [(place, text) for place, text in texts if not is_short(text)]
    words = sorted(len(text.split()) for _, text in texts)
    return [
        at_most(
            "3a",
            f"help texts that are too long, of {len(texts)}",
            len(long),
            "texts",
            0,
            spread="; ".join(f"{place}: {text}" for place, text in long[:5]) or None,
        ),
        reported("3b", "words of a help text, median", words[len(words) // 2], "words", spread=f"longest {words[-1]}"),
    ]


def helps(command, path):
    """Each help text with its place, such as `trace import --project`."""
    path = path + [command["commandName"]]
    for argument in command.get("arguments", []):
        if argument.get("shouldDisplay", True) and argument.get("abstract"):
            name = argument.get("preferredName") or {"name": argument.get("valueName", "argument")}
            yield " ".join(path[1:] + [name["name"]]), argument["abstract"]
    for child in command.get("subcommands", []):
        yield from helps(child, path)


def is_short(text):
    # The default is not part of the sentence.
    plain = re.sub(r" *(\(default[^)]*\)|Default: .*)", "", text)
    sentences = [part for part in re.split(r"(?<=[.;]) +", plain) if part]
    return len(plain.split()) <= LONGEST or (
        len(sentences) <= 2 and all(len(part.split()) <= LONGEST for part in sentences)
    )
