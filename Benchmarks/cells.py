"""The cells of a terminal: what characters, line feeds, and erasing make of them, and where the cursor stands."""

import ctypes
from dataclasses import dataclass, replace
from functools import lru_cache

from graphics import Pen


@dataclass(frozen=True)
class Cell:
    """A character with its marks; an empty text is the right half of a wide character."""

    text: str = " "
    pen: Pen = Pen()


libc = ctypes.CDLL(None)
libc.setlocale(0, b"C.UTF-8")


@lru_cache(maxsize=None)
def columns_of(character):
    """As xterm on this system: a character by itself, whatever it would join with."""
    return libc.wcwidth(ord(character))


class Cells:
    """Rows of cells with a cursor, a region that scrolls, and the pen that writes."""

    def __init__(self, columns, rows, erases_in_color):
        self.erases_in_color = erases_in_color
        self.unknown = []
        self.reset(columns, rows)

    def reset(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.pen = Pen()
        self.cells = [self.blank_row() for _ in range(rows)]
        self.column = self.row = 0
        self.is_wrapping = True
        self.wraps = False  # the last column is filled and the next character goes to the next row
        self.top, self.bottom = 0, rows - 1
        self.saved = (0, 0, Pen())
        self.main = None
        self.is_cursor_shown = True
        self.last = " "
        self.graphics = [False, False]
        self.shift = 0

    # What is asked of them

    def text(self):
        return "\n".join("".join(cell.text for cell in row).rstrip() for row in self.cells)

    def resize(self, columns, rows):
        """What is on the screen stays at the upper left, as xterm keeps it."""
        kept = [row[:columns] + [Cell()] * (columns - len(row)) for row in self.cells[:rows]]
        self.cells = kept + [[Cell()] * columns for _ in range(rows - len(kept))]
        self.columns, self.rows = columns, rows
        self.top, self.bottom = 0, rows - 1
        self.column, self.row = min(self.column, columns - 1), min(self.row, rows - 1)
        self.wraps = False

    # Characters

    def put(self, character):
        if self.graphics[self.shift]:
            # Line graphics of the VT100 would show another sign.
            self.unknown.append("line graphics " + character)
        width = columns_of(character)
        if width == 0:
            return self.add_mark(character)
        if width < 0:
            self.unknown.append(f"U+{ord(character):04X}")
            width = 1
        if self.wraps or self.is_wrapping and self.column + width > self.columns:
            self.column, self.wraps = 0, False
            self.line_feed()
        self.column = min(self.column, self.columns - width)
        self.free_halves(self.column, self.column + width)
        row = self.cells[self.row]
        row[self.column] = Cell(character, self.pen)
        if width == 2:
            row[self.column + 1] = Cell("", self.pen)
        self.last = character
        if self.column + width >= self.columns:
            self.column, self.wraps = self.columns - 1, self.is_wrapping
        else:
            self.column += width

    def add_mark(self, mark):
        column = self.column if self.wraps else self.column - 1
        row = self.cells[self.row]
        while column > 0 and not row[column].text:
            column -= 1
        if column >= 0:
            row[column] = replace(row[column], text=row[column].text + mark)

    def free_halves(self, start, end):
        """A wide character that is cut in two leaves a blank."""
        row = self.cells[self.row]
        if start < self.columns and not row[start].text and start > 0:
            row[start - 1] = replace(row[start - 1], text=" ")
        if end < self.columns and not row[end].text:
            row[end] = replace(row[end], text=" ")

    # Moving

    def line_feed(self):
        self.wraps = False
        if self.row == self.bottom:
            self.scroll_up(1)
        elif self.row < self.rows - 1:
            self.row += 1

    def reverse_line_feed(self):
        self.wraps = False
        if self.row == self.top:
            self.scroll_down(1)
        elif self.row > 0:
            self.row -= 1

    def scroll_up(self, count, top=None):
        top = self.top if top is None else top
        for _ in range(min(count, self.bottom - top + 1)):
            del self.cells[top]
            self.cells.insert(self.bottom, self.blank_row())

    def scroll_down(self, count, top=None):
        top = self.top if top is None else top
        for _ in range(min(count, self.bottom - top + 1)):
            del self.cells[self.bottom]
            self.cells.insert(top, self.blank_row())

    def blank(self):
        return Cell(" ", Pen(background=self.pen.background)) if self.erases_in_color else Cell()

    def blank_row(self):
        return [self.blank()] * self.columns

    def erase(self, row, start, end):
        end = min(end, self.columns)
        if start >= end:
            return
        kept, self.row = self.row, row
        self.free_halves(start, end)
        self.row = kept
        self.cells[row][start:end] = [self.blank()] * (end - start)

    def move(self, column, row):
        self.column = max(0, min(self.columns - 1, column))
        self.row = max(0, min(self.rows - 1, row))
        self.wraps = False
