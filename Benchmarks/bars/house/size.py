"""Bars 1 and 7: lines of Swift, tests, and the size of tracked files."""

import os
import re
import subprocess

from figures import at_least, at_most
from program import ROOT


def tracked(*folders):
    """Paths of tracked files below some folders, relative to the root."""
    listing = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=True).stdout
    paths = (path for path in listing.decode().split("\0") if path)
    return [path for path in paths if os.path.isfile(os.path.join(ROOT, path))]


def swift(folder):
    """Each tracked Swift file of a folder with its text."""
    for path in tracked(folder):
        if path.endswith(".swift"):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                yield path, file.read()


def run(program):
    lines = sum(text.count("\n") for path, text in swift("Sources") if not path.startswith("Sources/OrreryBench/"))
    tests = sum(len(re.findall(r"^\s*@Test\b", text, re.MULTILINE)) for _, text in swift("Tests"))
    megabytes = sum(os.path.getsize(os.path.join(ROOT, path)) for path in tracked()) / 1e6
    return [
        at_most("1a", "lines of Swift in Sources", lines, "lines", 246_000),
        at_least("1b", "tests", tests, "tests", 3_685),
        at_most("7", "tracked files", megabytes, "MB", 28),
    ]
