"""Colors and attributes of a cell, and the sequences that choose them (SGR)."""

from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Pen:
    foreground: Color = None
    background: Color = None
    attributes: frozenset = frozenset()


def select_graphics(pen, parameters, italic):
    """The pen after `ESC [ parameters m`, and whether every part of it is known; `italic` is what SGR 3 means."""
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
            pen = replace(pen, attributes=pen.attributes | {italic})
        elif code in ATTRIBUTES:
            pen = replace(pen, attributes=pen.attributes | {ATTRIBUTES[code]})
        elif code in RESETS:
            pen = replace(pen, attributes=pen.attributes - RESETS[code])
        elif code in (38, 48):
            color, ok = extended_color(part, parts)
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
    return pen, known


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
