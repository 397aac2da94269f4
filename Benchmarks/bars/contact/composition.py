"""Bar 5: every page at five sizes without overlaps, cut words in headers, or halves left empty while something is cut.

Each view of the walk is drawn at each size in the theme `dark`, and its panes are found by their borders (panes.py).

- A header is *cut* if the title line, the text in a border, or a row of column headers ends within a word, with an
  ellipsis or without one. Where a word ends is read from the same view at the largest size; an ellipsis after a word
  that is whole there is no cut, and one whose word is not found there is.
- A pane *overruns* if something other than a line, a scroll bar, or a label set into the line stands in its border.
- A half is *wasted* if the pane next to it could use it: the lower half of a pane is blank (at most 2 % of its cells
  hold anything) while a pane directly above or below, with columns in common, has a scroll bar or counts more in its
  title than it has rows; or its right half is blank while a pane directly left or right, with rows in common, ends a
  row in an ellipsis. Panes of fewer than 6 rows have no lower half worth giving, those of fewer than 24 columns or 3
  rows no right half. A long list scrolls at any size, so this asks for more than what is lost: a page meets it by
  giving a short pane no more than its content and the rest to the list.
- At the largest size a pane is *idle* if more than 85 % of it is blank while it has more to show: it scrolls, or a row of
  it ends in an ellipsis.
- Halves that are empty beside panes that show everything are counted too, without a target: a short text on a large
  screen leaves room, and nothing is hidden by it.

What the bar does not see: two labels of one chart drawn over each other in the same style, and text whose columns are
cut without an ellipsis.
"""

import os
import re
import shutil
import time

from figures import at_least, at_most, reported
from mirror import Mirror, Mismatch
from panes import ELLIPSIS, Grid, panes
from program import ROOT
from walk import VIEWS, prepare, restore

SIZES = [(200, 60), (160, 50), (120, 40), (80, 24), (20, 5)]
IDLE = 0.85  # share of blank cells above which a pane has room for what it does not show
COVERS = ("Keys of", "type to filter")  # views that take all keys


def header_style():
    """The style of column headers in the theme `dark`, as surfaces spell it."""
    with open(os.path.join(ROOT, "themes", "dark.toml"), encoding="utf-8") as file:
        settings = dict(re.findall(r'^([\w-]+) = "?([^"\n]*)"?$', file.read(), re.M))
    name = settings["columnHeader"]
    return settings.get(name, name)


class Page:
    """The panes of one view at one size."""

    def __init__(self, place, surface, style):
        self.place = place
        self.grid = Grid.of(surface)
        self.panes = panes(self.grid)
        # A popup on a small screen covers the title line.
        self.title_line = "" if any(pane.outer.top == 0 for pane in self.panes) else self.grid.row(0)
        self.headers = {pane: pane.header_row(style) or "" for pane in self.panes}

    def named(self, pane):
        return f"{self.place} {pane.name!r}"

    def words(self):
        """Every label of a border and every word of a column header."""
        found = {label for pane in self.panes for label in pane.labels}
        return found | {word for header in self.headers.values() for word in header.split()}

    def cut_headers(self, whole):
        """Labels that have lost their end; `whole` are those of the same view at the largest size."""
        found = [self.place + " title line"] if ELLIPSIS in self.title_line else []
        for pane in self.panes:
            words = pane.labels + self.headers[pane].split()
            found += [f"{self.named(pane)}: {word}" for word in words if is_cut(word, whole)]
        return found

    def overruns(self):
        return [
            f"{self.named(pane)} row {row}: {text!r}" for pane in self.panes for row, text in pane.overruns()
        ]

    def wasted(self):
        found = []
        for pane in self.panes:
            if pane.has_empty_lower_half:
                takers = [other for other in self.panes if is_stacked(pane, other) and other.has_more_rows]
                found += [f"{self.named(pane)} lower half, {takers[0].name!r} scrolls"] if takers else []
            if pane.has_empty_right_half:
                takers = [other for other in self.panes if is_beside(pane, other) and other.has_cut_rows]
                found += [f"{self.named(pane)} right half, {takers[0].name!r} cuts rows"] if takers else []
        return found

    def idle(self):
        """Panes that are nearly blank although they have more to show."""
        found = []
        for pane in self.panes:
            share = pane.share_blank()
            # The count in a title may be of something else than rows, such as tokens.
            if share > IDLE and (pane.has_scroll_bar or pane.has_cut_rows):
                more = "scrolls" if pane.has_scroll_bar else "cuts rows"
                found.append(f"{self.named(pane)} {share:.0%} blank, {more}")
        return found

    def empty(self):
        return [
            self.named(pane) for pane in self.panes if pane.has_empty_lower_half or pane.has_empty_right_half
        ]


def is_cut(word, whole):
    stem = word.split(ELLIPSIS)[0]
    if not stem:
        return ELLIPSIS in word
    if word in whole or ELLIPSIS not in word and not stem[-1].isalnum():
        return False
    following = {label[len(stem) :][:1] for label in whole if label.startswith(stem) and label != stem}
    if ELLIPSIS not in word:
        return bool(following) and all(sign.isalnum() for sign in following)
    return not any(not sign.isalnum() for sign in following)


def is_stacked(pane, other):
    first, second = pane.outer, other.outer
    touch = abs(first.bottom - second.top) <= 1 or abs(second.bottom - first.top) <= 1
    return pane is not other and touch and first.left < second.right and second.left < first.right


def is_beside(pane, other):
    first, second = pane.outer, other.outer
    touch = abs(first.right - second.left) <= 1 or abs(second.right - first.left) <= 1
    return pane is not other and touch and first.top < second.bottom and second.top < first.bottom


def settled(mirror, quiet=0.3, limit=20.0):
    """The surface as soon as it no longer changes: a larger pane may read more before it shows it."""
    seen, changed, end = mirror.surface(), time.monotonic(), time.monotonic() + limit
    while time.monotonic() - changed < quiet and time.monotonic() < end:
        mirror.pump()
        surface = mirror.surface()
        if surface is not seen:
            seen, changed = surface, time.monotonic()
    return seen


def walk_through(program, sizes):
    """Every view at every size, the largest first, which is what the others are compared with."""
    style = header_style()
    pages = []
    with Mirror([program.binary, "--theme", "dark"], program.environment(), program.data, *sizes[0]) as mirror:
        mirror.wait_for("duty-engineer")
        for number, (page, keys, text) in enumerate(VIEWS):
            mirror.wait_for_size(*max(sizes))
            mirror.type(keys)
            mirror.wait_for(text)
            for columns, rows in sizes:
                mirror.wait_for_size(columns, rows)
                place = f"{page} {number} {columns}x{rows}"
                pages.append((number, (columns, rows), Page(place, settled(mirror), style)))
            if text in COVERS:
                mirror.wait_for_size(*max(sizes))
                mirror.type("\x1b")
                mirror.wait_gone(text)
        mirror.type("q")
    return pages


def listed(found, limit=10):
    words = "; ".join(found[:limit])
    return f"{words}; {len(found) - limit} more" if len(found) > limit else words or None


def run(program):
    sizes = SIZES[::2] if program.quick else SIZES
    home = prepare(program)
    restore(program, home)
    try:
        pages, stuck = walk_through(program, sizes), None
    except Mismatch as error:
        pages, stuck = [], str(error)
    shutil.rmtree(home, ignore_errors=True)
    whole = {number: page.words() for number, size, page in pages if size == max(sizes)}
    cut = [found for number, _, page in pages for found in page.cut_headers(whole[number])]
    overruns = [found for *_, page in pages for found in page.overruns()]
    wasted = [found for *_, page in pages for found in page.wasted()]
    idle = [found for _, size, page in pages if size == max(sizes) for found in page.idle()]
    empty = [found for *_, page in pages for found in page.empty()]
    shares = sorted(
        ((pane.share_blank(), page.named(pane)) for *_, page in pages for pane in page.panes), reverse=True
    )
    worst = [f"{name} {share:.0%}" for share, name in shares[:10]]
    mean = sum(share for share, _ in shares) / len(shares) if shares else 0.0
    return [
        at_least("5a", "views x sizes", len(pages), "screens", len(VIEWS) * len(sizes), spread=stuck),
        at_most("5b", "headers that are cut", len(cut), "headers", 0, spread=listed(cut)),
        at_most("5c", "rows that run out of their pane", len(overruns), "rows", 0, spread=listed(overruns)),
        at_most("5d", "empty halves that a neighbor could use", len(wasted), "panes", 0, spread=listed(wasted)),
        reported("5e", "all panes with an empty half", len(empty), "panes", spread=listed(empty)),
        at_most("5f", "panes above 85 % blank with more to show", len(idle), "panes", 0, spread=listed(idle)),
        reported("5g", "blank cells of a pane, mean; the worst ten", mean, "share", spread=listed(worst)),
    ]
