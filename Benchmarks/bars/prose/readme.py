"""Bar 4: the length of the README, and how many of its examples a test runs."""

import os
import re

from figures import at_least, at_most
from program import ROOT


def run(program):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    examples = [line for block in blocks for line in block.splitlines() if line.startswith("orrery ")]
    return [
        at_most("4a", "lines of the README", text.count("\n"), "lines", 130),
        at_least("4b", "examples, each run by ReadmeTests", len(examples), "examples", 8),
    ]
