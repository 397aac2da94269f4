"""What a terminal should show: a surface as the program writes it for ORRERY_SURFACE, reduced to a terminal's colors.

The reduction is written here a second time, from its description alone, so that a mistake of the program's shows.
"""

import ctypes
import subprocess
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# xterm's default for the colors that users redefine.
BASIC = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
]
LEVELS = [0, 95, 135, 175, 215, 255]
NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
ATTRIBUTES = {"bold", "dim", "italic", "underline", "reverse", "strikethrough"}
BLOCKS = {chr(code) for code in range(0x2580, 0x25A0)}

libc = ctypes.CDLL(None)
libc.setlocale(0, b"C.UTF-8")


@dataclass(frozen=True)
class Seen:
    """What a person sees of a cell: two cells that look the same are equal."""

    text: str
    foreground: object
    background: object
    attributes: frozenset

    def __str__(self):
        words = [repr(self.text), f"{self.foreground} on {self.background}", *sorted(self.attributes)]
        return " ".join(words)


def seen(text, foreground, background, attributes):
    """Colors change places where they are reversed; a blank has no foreground; what has one color for both is blank."""
    foreground, background = (
        "its own" if foreground is None else foreground,
        "its own ground" if background is None else background,
    )
    if "reverse" in attributes:
        foreground, background = background, foreground
    kept = set(attributes) - {"reverse"}
    if foreground == background and (text in BLOCKS or text == " "):
        text, kept = " ", set()
    if text == " ":
        # Weight and slant of nothing cannot be seen.
        kept &= {"underline", "strikethrough", "blink"}
        if not kept:
            foreground = None
    return Seen(text, foreground, background, frozenset(kept))


class TerminalKind:
    """What terminfo says of a type."""

    def __init__(self, term):
        listing = subprocess.run(["infocmp", "-1x", term], capture_output=True, text=True, check=True).stdout
        self.capabilities = {line.strip().rstrip(",") for line in listing.splitlines()[1:]}
        self.term = term
        colors = self.number("colors", 0)
        self.depth = 256 if colors >= 256 else 16 if colors >= 16 else 8 if colors >= 8 else 0
        # Attributes that the type lacks, and those that it cannot show together with colors.
        self.missing = {
            name
            for name, capability in (("bold", "bold"), ("dim", "dim"), ("italic", "sitm"), ("underline", "smul"))
            if not any(entry.startswith(capability + "=") for entry in self.capabilities)
        } | {"strikethrough"}
        # Where wrapping cannot be turned off, ncurses shifts a character into the last cell.
        self.fills_corner = any(entry.startswith("rmam=") for entry in self.capabilities)
        # Such a terminal has a palette of eight and takes every other color as red, green, and blue.
        self.takes_rgb = "RGB" in self.capabilities
        bits = self.number("ncv", 0)
        self.without_color = {name for name, bit in (("underline", 2), ("dim", 16), ("bold", 32)) if bits & bit}

    def number(self, name, otherwise):
        found = [entry.split("#")[1] for entry in self.capabilities if entry.startswith(name + "#")]
        return int(found[0], 0) if found else otherwise


@lru_cache(maxsize=None)
def rgb_of(index):
    if index < 16:
        return BASIC[index]
    if index >= 232:
        gray = 8 + 10 * (index - 232)
        return (gray, gray, gray)
    return tuple(LEVELS[(index - 16) // step % 6] for step in (36, 6, 1))


def distance(first, second):
    """Squared, by the "redmean" of Thiadmer Riemersma, in whole numbers."""
    mean = (first[0] + second[0]) // 2
    red, green, blue = (one - other for one, other in zip(first, second))
    return (512 + mean) * red * red // 256 + 4 * green * green + (767 - mean) * blue * blue // 256


@lru_cache(maxsize=None)
def nearest_of_sixteen(rgb):
    return min(range(16), key=lambda index: (distance(BASIC[index], rgb), index))


@lru_cache(maxsize=None)
def nearest_of_256(rgb):
    """The nearest level of each channel, or the nearest gray where that is nearer."""
    steps = [0 if value < 48 else 1 if value < 115 else (value - 35) // 40 for value in rgb]
    cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    gray = 232 + min(23, max(0, (sum(rgb) // 3 - 3) // 10))
    return gray if distance(rgb_of(gray), rgb) < distance(rgb_of(cube), rgb) else cube


def reduced(color, depth):
    """A palette index for a color, and whether eight colors need bold for it."""
    if color is None or depth == 0:
        return None, False
    if depth == 256:
        return (color, False) if isinstance(color, int) else (nearest_of_256(color), False)
    if not isinstance(color, int):
        color = nearest_of_sixteen(color)
    elif color >= 16:
        color = nearest_of_sixteen(rgb_of(color))
    if depth == 16 or color < 8:
        return color, False
    return (7, False) if color == 8 else (color - 8, True)


def is_light(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] > 127


def shown_text(text):
    """The base and its marks as terminals agree on them: without joiners and variants, at most three marks."""
    base, marks = text[0], ""
    for mark in text[1:]:
        code = ord(mark)
        is_variant = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180D
        if libc.wcwidth(code) == 0 and unicodedata.category(mark) != "Cf" and not is_variant and len(marks) < 3:
            marks += mark
    return base + marks


def second_half(text):
    """What stands in the second column of a cluster whose base has one: the other letter of a flag, a vowel sign."""
    for mark in text[1:]:
        if libc.wcwidth(ord(mark)) == 1 and (0x1F1E6 <= ord(mark) <= 0x1F1FF or unicodedata.category(mark) == "Mc"):
            return mark
    return " "


@lru_cache(maxsize=None)
def style_of(spelling):
    """Foreground, background and attributes of a style as theme files spell it."""
    words, colors, attributes, place = spelling.split(), [None, None], set(), 0
    for word in words:
        if word in ATTRIBUTES:
            attributes.add(word)
        elif word == "on":
            place = 1
        elif word == "default":
            colors[place] = None
        elif word.startswith("#"):
            colors[place] = tuple(int(word[at : at + 2], 16) for at in (1, 3, 5))
        elif word.isdigit():
            colors[place] = int(word)
        else:
            raise ValueError(f"the style {spelling!r} has an unknown word: {word!r}")
    return colors[0], colors[1], frozenset(attributes)


def in_rgb(index):
    """A palette index as a terminal of 24 bits is sent it: its first eight numbers are its palette."""
    if index is None or index < 8:
        return index
    red, green, blue = rgb_of(index)
    number = red << 16 | green << 8 | blue
    return number if number < 8 else (red, green, blue)


@lru_cache(maxsize=1 << 16)
def expected_cell(text, spelling, kind):
    foreground, background, attributes = style_of(spelling)
    attributes = set(attributes)
    front, is_bright = reduced(foreground, kind.depth)
    back, _ = reduced(background, kind.depth)
    if back is not None and front == back:
        if foreground == background:
            text, attributes = " ", set()
        elif text not in BLOCKS:
            # Text that has lost its color to its ground takes the one that is legible.
            front, is_bright = (0 if is_light(rgb_of(back)) else 7), False
    if is_bright:
        attributes.add("bold")
    if kind.takes_rgb:
        front, back = in_rgb(front), in_rgb(back)
    if kind.depth == 8 and front == 0:
        attributes.discard("bold")  # it would be gray
    attributes -= kind.missing
    if front is not None or back is not None:
        attributes -= kind.without_color
    return seen(text, front, back, frozenset(attributes))


class Surface:
    """One frame as the program recorded it."""

    def __init__(self, dump):
        lines = dump.split("\n")
        self.columns, self.rows = (int(number) for number in lines[0].split("x"))
        place = lines[1].split()[1:]
        self.cursor = None if place == ["none"] else (int(place[0]), int(place[1]))
        self.cells = []
        for line in lines[2 : 2 + self.columns * self.rows]:
            head, text = line.split("\t", 1)
            width, spelling = head.split(" ", 1)
            self.cells.append((int(width), spelling, text))

    def text(self):
        rows = [self.cells[at : at + self.columns] for at in range(0, len(self.cells), self.columns)]
        return "\n".join("".join(text for _, _, text in row).rstrip() for row in rows)

    def expected(self, kind):
        """Rows of what is to be seen."""
        rows = []
        for row in range(self.rows):
            out = []
            cells = self.cells[row * self.columns : (row + 1) * self.columns]
            for column, (width, spelling, text) in enumerate(cells):
                if width == 0:
                    if len(out) <= column:  # a right half whose left half was cut off
                        out.append(expected_cell(" ", spelling, kind))
                    continue
                wide = width == 2 and column + 1 < self.columns
                if wide and not kind.fills_corner and (column, row) == (self.columns - 3, self.rows - 1):
                    text = " "  # a wide character that would be torn
                own = libc.wcwidth(ord(text[0]))
                if own == 2 and wide:
                    out += [
                        expected_cell(shown_text(text), spelling, kind),
                        expected_cell("", spelling, kind),
                    ]
                elif own == 1:
                    out.append(expected_cell(shown_text(text), spelling, kind))
                    if wide:
                        out.append(expected_cell(second_half(text), spelling, kind))
                else:
                    out.append(expected_cell("\ufffd", spelling, kind))
                    if wide:
                        out.append(expected_cell(" ", spelling, kind))
            rows.append(out)
        return rows


@lru_cache(maxsize=1 << 16)
def received_cell(cell):
    return seen(cell.text, cell.pen.foreground, cell.pen.background, cell.pen.attributes)


def differences(surface, screen, kind):
    """(column, row, expected, received) wherever the screen is not what the surface says; the cursor counts."""
    if (surface.columns, surface.rows) != (screen.columns, screen.rows):
        return [(0, 0, f"{surface.columns}x{surface.rows}", f"{screen.columns}x{screen.rows}")]
    found = []
    for row, (wanted, got) in enumerate(zip(surface.expected(kind), screen.cells)):
        for column, (want, cell) in enumerate(zip(wanted, got)):
            have = received_cell(cell)
            if want != have:
                found.append((column, row, str(want), str(have)))
    if surface.cursor is not None:
        place = (screen.column, screen.row)
        if not screen.is_cursor_shown or place != surface.cursor:
            found.append((*surface.cursor, "the cursor", f"the cursor at {place}, shown: {screen.is_cursor_shown}"))
    return found
