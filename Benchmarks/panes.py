"""The panes of a screen: where they lie, what their borders say, how much of each is blank, and what they cut off.

Everything is read from the recorded surface, as a person would read the screen: nothing asks the program what it meant.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

HORIZONTAL = set("─┬┴┼━")
SIDES = set("│┃├┤┼")
# Blanks, the right half of nothing, and an empty cell of braille.
BLANKS = {" ", "", "\u2800"}
ELLIPSIS = "…"
# A half that holds no more than this share of text counts as empty: a lone unit or a cursor does not fill a half.
STRAY = 0.02
# Halves of smaller panes cannot be given to anything, and one line of input needs room to type in.
FEWEST_ROWS, FEWEST_COLUMNS, FEWEST_LINES = 6, 24, 3


@dataclass(frozen=True)
class Area:
    """Columns and rows, the last ones excluded."""

    left: int
    top: int
    right: int
    bottom: int

    def contains(self, other):
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def overlaps(self, other):
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True)
class Grid:
    """The texts and styles of a surface by row and column."""

    columns: int
    rows: int
    texts: tuple = field(repr=False)
    styles: tuple = field(repr=False)

    @classmethod
    def of(cls, surface):
        texts, styles = [], []
        for at in range(0, surface.columns * surface.rows, surface.columns):
            row = surface.cells[at : at + surface.columns]
            # The right half of a wide character is as full as its left half.
            texts.append(tuple(text if width != 0 else "\0" for width, _, text in row))
            styles.append(tuple(style for _, style, _ in row))
        return cls(surface.columns, surface.rows, tuple(texts), tuple(styles))

    def row(self, row, left=0, right=None):
        return "".join(self.texts[row][left:right]).replace("\0", "")

    def is_blank(self, column, row):
        return self.texts[row][column] in BLANKS


@dataclass(frozen=True)
class Pane:
    """What lies inside one border, or in the rows between two borders where there is none."""

    grid: Grid = field(repr=False)
    outer: Area
    inner: Area
    title: str

    @cached_property
    def labels(self):
        """The pieces of the upper border's text: the title, the count, the details."""
        found, label = [], ""
        for sign in self.title + "─":
            if sign in HORIZONTAL:
                if label.strip():
                    found.append(label.strip())
                label = ""
            else:
                label += sign
        return found

    @property
    def name(self):
        return self.labels[0] if self.labels else "untitled"

    def share_blank(self, area=None):
        area = area or self.inner
        cells = [
            self.grid.is_blank(column, row)
            for row in range(area.top, area.bottom)
            for column in range(area.left, area.right)
        ]
        return sum(cells) / len(cells) if cells else 0.0

    @property
    def has_empty_lower_half(self):
        inner = self.inner
        rows = inner.bottom - inner.top
        half = Area(inner.left, inner.top + (rows + 1) // 2, inner.right, inner.bottom)
        return rows >= FEWEST_ROWS and self.share_blank(half) >= 1 - STRAY

    @property
    def has_empty_right_half(self):
        inner = self.inner
        columns, rows = inner.right - inner.left, inner.bottom - inner.top
        half = Area(inner.left + (columns + 1) // 2, inner.top, inner.right, inner.bottom)
        return columns >= FEWEST_COLUMNS and rows >= FEWEST_LINES and self.share_blank(half) >= 1 - STRAY

    @property
    def has_more_rows(self):
        """Whether a scroll bar says that there is more below or above, or the count in the title does."""
        count = self.labels[1].replace(",", "") if len(self.labels) > 1 else ""
        if count.isdigit() and int(count) > self.inner.bottom - self.inner.top:
            return True
        return self.has_scroll_bar

    @property
    def has_scroll_bar(self):
        if self.inner.right >= self.grid.columns:
            return False
        return any(self.grid.texts[row][self.inner.right] == "┃" for row in range(self.inner.top, self.inner.bottom))

    @property
    def has_cut_rows(self):
        """Whether a row of it ends in an ellipsis."""
        return any(ELLIPSIS in self.grid.row(row, self.inner.left, self.inner.right) for row in self.body_rows)

    @property
    def body_rows(self):
        return range(self.inner.top, self.inner.bottom)

    def header_row(self, style):
        """The row of column headers: the first one, if all of its text has their style; None where it has not."""
        if self.inner.top >= self.inner.bottom:
            return None
        row = self.inner.top
        styles = {
            self.grid.styles[row][column]
            for column in range(self.inner.left, self.inner.right)
            if not self.grid.is_blank(column, row)
        }
        return self.grid.row(row, self.inner.left, self.inner.right) if styles == {style} else None

    def overruns(self):
        """Where something stands in the border: rows and what it is. Words in the lower line have air around them."""
        if self.outer == self.inner:
            return []
        sides = [
            (row, self.grid.texts[row][column])
            for row in self.body_rows
            for column in (self.outer.left, self.outer.right - 1)
            if self.grid.texts[row][column] not in SIDES
        ]
        last = self.outer.bottom - 1
        line = self.grid.row(last, self.inner.left, self.inner.right)
        words = [word for word in re.split("[─┬┴┼━├┤]+", line) if word]
        return sides + [(last, word) for word in words if not (word[0] == word[-1] == " ")]


def boxes(grid):
    """The bordered areas, from the outermost corners; an area that another one covers in part is left out.

    A border is followed from its upper left corner: along the top to the first corner below which the right side ends
    in a corner too, at the row in which the left side does.
    """
    found = []
    for top in range(grid.rows):
        for left in range(grid.columns):
            if grid.texts[top][left] != "╭":
                continue
            bottom = next((row for row in range(top + 1, grid.rows) if grid.texts[row][left] == "╰"), None)
            if bottom is None:
                continue
            right = next(
                (
                    column
                    for column in range(left + 1, grid.columns)
                    if grid.texts[top][column] == "╮" and grid.texts[bottom][column] == "╯"
                ),
                None,
            )
            if right is None or any(sign not in HORIZONTAL for sign in grid.texts[bottom][left + 1 : left + 2]):
                continue
            found.append(Area(left, top, right + 1, bottom + 1))
    # A popup lies over panes: what is below it cannot be judged.
    return [
        area
        for area in found
        if not any(area != other and area.overlaps(other) and not other.contains(area) for other in found)
    ]


def panes(grid):
    """The panes of a screen below its title line and above its footer."""
    found = []
    areas = boxes(grid)
    for area in areas:
        # A rule from side to side divides a border into panes, with a title of its own each.
        tops = [area.top] + [
            row
            for row in range(area.top + 1, area.bottom - 1)
            if grid.texts[row][area.left] == "├" and grid.texts[row][area.right - 1] == "┤"
        ]
        for top, bottom in zip(tops, tops[1:] + [area.bottom - 1]):
            inner = Area(area.left + 1, top + 1, area.right - 1, bottom)
            if inner.top < inner.bottom and inner.left < inner.right:
                outer = Area(area.left, top, area.right, bottom + 1)
                found.append(Pane(grid, outer, inner, grid.row(top, area.left + 1, area.right - 1)))
    found += open_panes(grid, areas)
    return found


def open_panes(grid, areas):
    """Rows over which no border goes; a line of rules with words in it is the title of the rows below."""
    def is_free(row):
        return not any(area.top <= row < area.bottom for area in areas)

    found, start, title = [], None, ""
    for row in range(1, grid.rows):
        is_title = row < grid.rows - 1 and is_free(row) and grid.row(row).strip()[:1] == "─"
        if is_title or row == grid.rows - 1 or not is_free(row):
            if start is not None and start < row:
                area = Area(0, start, grid.columns, row)
                found.append(Pane(grid, area, area, title))
            start, title = (row + 1, grid.row(row)) if is_title else (None, "")
        elif start is None:
            start = row
    return found
