"""Bar 1: phrases that read as translated, in what users read, in the foundation, and in the whole project."""

import json
import os
import subprocess
import sys

from figures import at_most, reported
from program import ROOT


def run(program):
    tool = os.path.join(ROOT, "Tools", "prose.py")
    counts = json.loads(subprocess.run([sys.executable, tool, "--json"], capture_output=True, check=True).stdout)
    groups = counts["groups"]

    def rate(bar, name, what, limit):
        group = groups[name]
        return at_most(
            bar, what, group["per_thousand"], "hits per 1,000", limit, spread=f"{group['hits']} in {group['phrases']:,}"
        )

    worst = ", ".join(f"{name} {count}" for name, count in list(counts["patterns"].items())[:5])
    return [
        rate("1a", "read by users", "strings of the program and documents", 2),
        rate("1b", "foundation", "JSON, Configuration, Workspace, LanguageModels, Console, Statistics, and their tests", 2),
        at_most("1c", "comments and test names of these without the usual form", counts["foundation_forms"], "places", 0),
        rate("1d", "all", "the whole project", 45),
        reported("1e", "patterns with hits", len(counts["patterns"]), "patterns", spread=worst or None),
    ]  # fmt: skip
