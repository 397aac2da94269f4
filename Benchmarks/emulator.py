"""A terminal emulator for tests: it holds every cell with its exact colors and attributes.

pyte names colors by what they look like and passes over faint text, so that an index cannot be told from another one of
the same color. This one keeps what was sent, and remembers every sequence that it does not know in `unknown`.
"""

import codecs

from cells import Cell, Cells
from graphics import select_graphics

# Modes that change nothing of what stands in the cells.
PASSIVE_MODES = {1, 12, 25, 1000, 1002, 1003, 1006, 2004, 2026}


class Screen(Cells):
    """The terminal of a type: `TERM` decides how it erases and what SGR 3 means."""

    def __init__(self, columns, rows, term="xterm-256color"):
        super().__init__(columns, rows, erases_in_color=not term.startswith("screen"))
        self.italic = "standout" if term.startswith("screen") else "italic"
        self.answers = []
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pending = ""

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

    # Sequences

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
            self.pen, known = select_graphics(self.pen, parameters, self.italic)
            return known
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
