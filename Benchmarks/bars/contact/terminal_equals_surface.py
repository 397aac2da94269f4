"""Bar 1: every cell that a terminal receives is the cell that the program meant to show.

One start for each type of terminal walks through all pages; each state is compared in every theme and size. Then random
surfaces with many equal colors are drawn on the same terminals.
"""

import itertools
import shutil

from figures import at_least, at_most
from mirror import Mirror, Mismatch
from walk import SIZES, TERMS, THEMES, VIEWS, prepare, restore


class Comparison:
    """Counts of cells, and the first few that differ."""

    def __init__(self):
        self.screens = self.cells = 0
        self.combinations = set()
        self.found = []
        self.unknown = set()

    def look(self, mirror, combination):
        found = mirror.differences()
        self.screens += 1
        self.cells += mirror.screen.columns * mirror.screen.rows
        self.combinations.add(combination)
        self.found += [(combination, difference) for difference in found]
        self.unknown |= set(mirror.screen.unknown)

    def described(self):
        words = [f"{self.screens} screens, {self.cells:,} cells"]
        for combination, (column, row, wanted, got) in self.found[:3]:
            words.append(f"{' '.join(map(str, combination))}, column {column}, row {row}: {got} instead of {wanted}")
        return "; ".join(words)


def choose_theme(mirror, theme):
    mirror.type(f":theme {theme}")
    mirror.wait_for(f":theme {theme}")
    mirror.type("\r")
    mirror.wait_gone(":theme")


def walk_through(program, term, themes, sizes, comparison):
    """All views on one type of terminal."""
    command = [program.binary]
    with Mirror(command, program.environment(), program.data, *sizes[0], term) as mirror:
        mirror.wait_for("duty-engineer")
        for number, (page, keys, text) in enumerate(VIEWS):
            mirror.wait_for_size(*max(sizes))
            mirror.type(keys)
            mirror.wait_for(text)
            over = text in ("Keys of", "type to filter")  # what takes all keys is compared in one theme
            for theme in themes[:1] if over else themes:
                if not over:
                    choose_theme(mirror, theme)
                for size in sizes:
                    mirror.wait_for_size(*size)
                    comparison.look(mirror, (page, f"view {number}", f"{size[0]}x{size[1]}", term, theme))
            if over:
                mirror.type("\x1b")
                mirror.wait_gone(text)
        mirror.type("q")


def draw_surfaces(program, term, count, size, comparison):
    """Random surfaces: a few hundred styles, a quarter of them with equal colors."""
    environment = program.environment()
    with Mirror([program.binary, "surfaces"], environment, program.data, *size, term) as mirror:
        for number in range(count):
            mirror.wait_for(f" surface {number} ")
            comparison.look(mirror, ("surface", number, term))
            mirror.type("n")
        mirror.type("q")


def run(program):
    sizes = SIZES[1:2] if program.quick else SIZES
    terms = TERMS[:2] if program.quick else TERMS
    home = prepare(program)
    pages, random = Comparison(), Comparison()
    stuck = []
    for term in terms:
        restore(program, home)
        try:
            walk_through(program, term, THEMES, sizes, pages)
            draw_surfaces(program.bench, term, 5 if program.quick else 40, (120, 40), random)
        except Mismatch as error:
            stuck.append(f"{term}: {error}")
    shutil.rmtree(home, ignore_errors=True)
    seen = {(page, size, term, theme) for page, _, size, term, theme in pages.combinations}
    wanted = set(
        itertools.product({page for page, _, _ in VIEWS}, (f"{c}x{r}" for c, r in sizes), terms, THEMES)
    )
    return [
        at_most("1a", "cells that differ, all pages", len(pages.found), "cells", 0, spread=pages.described()),
        at_least(
            "1b",
            "pages x sizes x terminals x themes",
            len(seen & wanted),
            "combinations",
            len(wanted),
            spread="; ".join(stuck) or None,
        ),
        at_most("1c", "cells that differ, random surfaces", len(random.found), "cells", 0, spread=random.described()),
        at_most(
            "1d",
            "sequences that are not understood",
            len(pages.unknown | random.unknown),
            "sequences",
            0,
            spread=", ".join(map(repr, sorted(pages.unknown | random.unknown)[:5])) or None,
        ),
    ]
