"""Keys that do nothing and do not say why: every key of KEYS.md, pressed on every page of the sample workspace."""

import os
import re
from concurrent.futures import ThreadPoolExecutor

from figures import CouldNotRun
from program import ROOT, cores, last_line

# A row of a table: its keys, what they do, and the name of the action.
ROW = re.compile(r"^\| (`.*`) \| (.*) \| `([a-z0-9-]+)` \|$")
KEY = re.compile(r"`([^`]+)`")
NAMED = {"PgDn": "<pgdn>", "PgUp": "<pgup>", "Space": "<space>", "<": "<lt>"}

# Pages, and the keys that lead to states of them in which other keys do something.
STATES = [
    ("traces", ""),
    ("traces", "<enter>"),
    ("tokens", ""),
    ("tokens", "<enter>"),
    ("kernels", ""),
    ("training", ""),
    ("retrieval", ""),
    ("attention", ""),
    ("features", ""),
    ("features", "c"),
    ("evals", ""),
    ("evals", "<enter>"),
]

# What needs no answer here: a cursor at the end of what it moves through, a screen that is drawn anew as it was, what
# leaves the program or needs a terminal, and work that shows itself while it runs and ends with the same figures.
QUIET = {
    *("down", "up", "page-down", "page-up", "top", "end", "left", "right", "back"),
    *("redraw", "suspend", "quit", "edit", "run"),
}
# Enter on the map of circuits runs a cell that the page has run already.
RERUN = ("features", "c", "<enter>")

# Times that every run measures anew.
TIME = re.compile(rb"[0-9][0-9.,]* *(\xc2\xb5s|ms|s)\b")


def notation(key):
    """A key of KEYS.md as `--keys` has it: `Ctrl-P` is `<ctrl-p>`."""
    if key in NAMED:
        return NAMED[key]
    return f"<{key.lower()}>" if len(key) > 2 or key == "Up" else key.replace("<", "<lt>")


def keys_of_pages(path=os.path.join(ROOT, "KEYS.md")):
    """For each page the actions of its keys, by key; those that work everywhere are at `everywhere`."""
    pages, page = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("## "):
                page = pages.setdefault(line[3:].strip().lower(), {})
            elif row := ROW.match(line.rstrip("\n")):
                for key in KEY.findall(row[1]):
                    page.setdefault(notation(key), row[3])
    return pages


def silent_keys(program):
    """The keys, as (page, keys before, key, action), after which neither the page nor its footer changed."""
    pages = keys_of_pages()
    everywhere = pages["everywhere"]
    every = sorted({key for keys in pages.values() for key in keys})

    def shown(page, keys):
        done = program.run("show", page, "--format", "ansi", "--color", "256", "--keys", keys)
        if done.status != 0:
            raise CouldNotRun(f"orrery show {page} --keys {keys!r} ended with {done.status}: {last_line(done.errors)}")
        # A shorter time leaves more blanks.
        return re.sub(rb" +", b" ", TIME.sub(b"", done.output))

    def check(page, before):
        present, found = shown(page, before), []
        for key in every:
            action = pages[page].get(key) or everywhere.get(key)
            # A page without a key of two letters takes them as two keys.
            last = action or pages[page].get(key[-1]) or everywhere.get(key[-1])
            if last in QUIET or action in (f"panel-{page}", f"place-{page}") or (page, before, key) == RERUN:
                continue
            if shown(page, before + key) == present:
                found.append((page, before, key, action or "no action"))
        return found

    with ThreadPoolExecutor(cores()) as pool:
        return [row for rows in pool.map(lambda state: check(*state), STATES) for row in rows]
