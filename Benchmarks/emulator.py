"""A terminal emulator for tests: it holds every cell with its exact colors and attributes.

pyte names colors by what they look like and passes over faint text, so that an index cannot be told from another one of
the same color. This one keeps what was sent, and remembers every sequence that it does not know in `unknown`.
"""

import codecs
import ctypes
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Optional, Tuple, Union

# None is the terminal's own color, a number an entry of the palette, a triple 24 bits.
Color = Optional[Union[int, Tuple[int, int, int]]]

ATTRIBUTES = {
    1: "bold",
    2: "dim",
    3: "italic",
    4: "underline",
    5: "blink",
    7: "reverse",
    8: "hidden",
    9: "strikethrough",
}
RESETS = {22: {"bold", "dim"}, 23: {"italic", "standout"}, 24: {"underline"}, 25: {"blink"}, 27: {"reverse"}}
RESETS |= {28: {"hidden"}, 29: {"strikethrough"}}

# Modes that change nothing of what stands in the cells.
PASSIVE_MODES = {1, 12, 25, 1000, 1002, 1003, 1006, 2004, 2026}


@dataclass(frozen=True)
class Pen:
    foreground: Color = None
    background: Color = None
    attributes: frozenset = frozenset()


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


class Screen:
    """The terminal of a type: `TERM` decides how it erases and what SGR 3 means."""

    def __init__(self, columns, rows, term="xterm-256color"):
        self.erases_in_color = not term.startswith("screen")
        self.italic = "standout" if term.startswith("screen") else "italic"
        self.unknown = []
        self.answers = []
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pending = ""
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

    # What is asked of it

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

    def feed(self, data):
        text = self.pending + self.decoder.decode(data)
        position = 0
        while position < len(text):
            used = self.take(text, position)
            if not used:
                break
            position += used
        self.pending = text[position:]

    # Reading

    def take(self, text, at):
        """Carries out what stands at a place; returns its length, 0 where the rest of it is still to come."""
        character = text[at]
        if character == "\x1b":
            return self.take_escape(text, at)
        if character < " " or character == "\x7f":
            self.control(character)
        else:
            self.put(character)
        return 1

    def take_escape(self, text, at):
        if at + 1 >= len(text):
            return 0
        kind = text[at + 1]
        if kind == "[":
            return self.take_csi(text, at)
        if kind in "]P_^X":
            return self.take_string(text, at, kind)
        if kind in "()*+":
            if at + 2 >= len(text):
                return 0
            if kind in "()" and text[at + 2] in "B0":
                self.graphics["()".index(kind)] = text[at + 2] == "0"
            else:
                self.unknown.append(text[at : at + 3])
            return 3
        self.escape(kind)
        return 2

    def take_string(self, text, at, kind):
        ends = [place for place in (text.find("\x1b\\", at + 2), text.find("\x07", at + 2)) if place >= 0]
        if not ends:
            return 0
        end = min(ends)
        if kind == "]" and text[at + 2 : end] == "11;?":
            self.answers.append("\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\")
        elif kind != "]":
            self.unknown.append(text[at:end])
        return end - at + (1 if text[end] == "\x07" else 2)

    def take_csi(self, text, at):
        end = at + 2
        while end < len(text) and not "@" <= text[end] <= "~":
            end += 1
        if end >= len(text):
            return 0
        body, final = text[at + 2 : end], text[end]
        prefix = body[:1] if body[:1] and body[0] in "?<=>" else ""
        body = body[len(prefix) :]
        middle = body[len(body.rstrip(" !\"#$%&'()*+,-./")) :]
        parameters = body[: len(body) - len(middle)]
        if not self.csi(prefix, parameters, middle, final):
            self.unknown.append(text[at : end + 1])
        return end + 1 - at

    # Characters

    def control(self, character):
        if character == "\r":
            self.column, self.wraps = 0, False
        elif character in "\n\v\f":
            self.line_feed()
        elif character == "\b":
            self.column, self.wraps = max(0, self.column - 1), False
        elif character == "\t":
            self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
        elif character in "\x0e\x0f":
            self.shift = 1 if character == "\x0e" else 0
        elif character not in "\x00\x07":
            self.unknown.append(character)

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

    # Sequences

    def escape(self, kind):
        if kind == "7":
            self.saved = (self.column, self.row, self.pen)
        elif kind == "8":
            column, row, self.pen = self.saved
            self.move(column, row)
        elif kind == "D":
            self.line_feed()
        elif kind == "E":
            self.column = 0
            self.line_feed()
        elif kind == "M":
            self.reverse_line_feed()
        elif kind == "c":
            self.reset(self.columns, self.rows)
        elif kind not in "=>\\":
            self.unknown.append("\x1b" + kind)

    def csi(self, prefix, parameters, middle, final):
        """Carries out a control sequence; false where it is not known."""
        if middle:
            if (prefix, middle, final) == ("?", "$", "p"):
                self.answers.append(f"\x1b[?{parameters};2$y" if parameters == "2026" else f"\x1b[?{parameters};0$y")
                return True
            return (prefix, middle, final) == ("", "!", "p")
        if prefix == "?" and final in "hl":
            return all([self.set_mode(int(part), final == "h") for part in parameters.split(";") if part])
        if prefix == "?" and final == "c":
            return True  # the Linux console's shape of the cursor
        if prefix:
            return False
        if final == "m":
            return self.select_graphics(parameters)
        numbers = [int(part) if part.isdigit() else None for part in parameters.split(";")]
        first = numbers[0]
        count = first or 1
        if final in "ABCDEFGdHf`":
            return self.csi_move(final, count, numbers)
        if final in "JKX@PLMSTb":
            return self.csi_edit(final, first or 0, count)
        if final == "r":
            self.top = count - 1
            self.bottom = (numbers[1] if len(numbers) > 1 and numbers[1] else self.rows) - 1
            self.move(0, 0)
        elif final == "c":
            self.answers.append("\x1b[?1;2c")
        elif final in "hl":
            return first in (4, 34) and (final == "l" or first == 34)
        else:
            return final == "t"
        return True

    def csi_move(self, final, count, numbers):
        if final == "A":
            self.move(self.column, self.row - count)
        elif final == "B":
            self.move(self.column, self.row + count)
        elif final == "C":
            self.move(self.column + count, self.row)
        elif final == "D":
            self.move(self.column - count, self.row)
        elif final in "EF":
            self.move(0, self.row + (count if final == "E" else -count))
        elif final in "G`":
            self.move(count - 1, self.row)
        elif final == "d":
            self.move(self.column, count - 1)
        else:
            self.move((numbers[1] if len(numbers) > 1 and numbers[1] else 1) - 1, count - 1)
        return True

    def csi_edit(self, final, mode, count):
        row = self.cells[self.row]
        if final == "J":
            if mode not in (0, 1, 2, 3):
                return False
            start, end = (self.row + 1, self.rows) if mode == 0 else (0, self.row) if mode == 1 else (0, self.rows)
            for number in range(start, end if mode != 3 else start):
                self.erase(number, 0, self.columns)
            if mode in (0, 1):
                self.csi_edit("K", mode, 1)
        elif final == "K":
            if mode not in (0, 1, 2):
                return False
            self.erase(self.row, 0 if mode else self.column, self.column + 1 if mode == 1 else self.columns)
        elif final == "X":
            self.erase(self.row, self.column, self.column + count)
        elif final == "@":
            self.free_halves(self.column, self.column)
            row[self.column : self.column] = [self.blank()] * count
            del row[self.columns :]
        elif final == "P":
            self.free_halves(self.column, min(self.columns, self.column + count))
            del row[self.column : self.column + count]
            row += [self.blank()] * (self.columns - len(row))
        elif final in "LM":
            if self.top <= self.row <= self.bottom:
                (self.scroll_down if final == "L" else self.scroll_up)(count, self.row)
        elif final in "ST":
            (self.scroll_up if final == "S" else self.scroll_down)(count)
        else:
            for _ in range(count):
                self.put(self.last)
        return True

    def set_mode(self, mode, on):
        if mode == 25:
            self.is_cursor_shown = on
        elif mode == 7:
            self.is_wrapping = on
            self.wraps &= on
        elif mode == 1049:
            if on and self.main is None:
                self.main = (self.cells, self.column, self.row)
                self.cells = [[Cell()] * self.columns for _ in range(self.rows)]
            elif not on and self.main is not None:
                (self.cells, self.column, self.row), self.main = self.main, None
                self.resize(self.columns, self.rows)
        elif mode not in PASSIVE_MODES:
            return False
        return True

    def select_graphics(self, parameters):
        pen = self.pen
        # Colons part the pieces of one attribute, semicolons the attributes.
        parts = [part for part in parameters.split(";")]
        known = True
        while parts:
            part = parts.pop(0)
            code = part.split(":")[0]
            code = int(code) if code else 0
            if code == 0:
                pen = Pen()
            elif code == 10:
                pass  # the font that there is
            elif code == 3:
                pen = replace(pen, attributes=pen.attributes | {self.italic})
            elif code in ATTRIBUTES:
                pen = replace(pen, attributes=pen.attributes | {ATTRIBUTES[code]})
            elif code in RESETS:
                pen = replace(pen, attributes=pen.attributes - RESETS[code])
            elif code in (38, 48):
                color, ok = self.extended_color(part, parts)
                known &= ok
                pen = replace(pen, **{"foreground" if code == 38 else "background": color})
            elif code == 39:
                pen = replace(pen, foreground=None)
            elif code == 49:
                pen = replace(pen, background=None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                pen = replace(pen, foreground=code - 30 if code < 40 else code - 82)
            elif 40 <= code <= 47 or 100 <= code <= 107:
                pen = replace(pen, background=code - 40 if code < 50 else code - 92)
            else:
                known = False
        self.pen = pen
        return known

    @staticmethod
    def extended_color(part, parts):
        """`38;5;N`, `38;2;R;G;B`, and the same with colons, where a color space may stand before the channels."""
        if ":" in part:
            numbers = [int(piece) if piece else 0 for piece in part.split(":")[1:]]
        else:
            kind = parts[0] if parts else ""
            take = 2 if kind == "5" else 4
            numbers, parts[:take] = [int(piece) for piece in parts[:take]], []
        if len(numbers) == 2 and numbers[0] == 5:
            return numbers[1], True
        if len(numbers) in (4, 5) and numbers[0] == 2:
            return tuple(numbers[-3:]), True
        return None, False
