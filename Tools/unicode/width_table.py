#!/usr/bin/env python3
"""Writes Sources/Console/Surface/WidthTable.swift from Debian's package unicode-data.

    python3 Tools/unicode/width_table.py > Sources/Console/Surface/WidthTable.swift

Every code point gets one class, by the first rule of `classes` that fits. The Swift file holds the places where the
class changes, so that a lookup is one binary search.
"""

import pathlib
import re
import sys

DATA = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
LAST = 0x10FFFF

CLASSES = [
    "narrow", "wide", "emoji", "textEmoji", "mark", "spacingMark", "wideMark", "variationSelector", "joiner",
    "regionalIndicator", "skinTone", "leadingJamo", "trailingJamo", "tag", "prepend", "hidden",
]


def entries(name):
    """The (first, last, value) of a file of the Unicode character database."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) >= 2:
            ends = fields[0].split("..")
            yield int(ends[0], 16), int(ends[-1], 16), fields[1]


def members(name, *values):
    return {code for first, last, value in entries(name) if value in values for code in range(first, last + 1)}


def general_categories():
    categories = ["Cn"] * (LAST + 1)
    start = None
    for line in (DATA / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        fields = line.split(";")
        code = int(fields[0], 16)
        if fields[1].endswith(", First>"):
            start = code
            continue
        for each in range(start if start is not None else code, code + 1):
            categories[each] = fields[2]
        start = None
    return categories


def classes():
    category = general_categories()
    wide = members("EastAsianWidth.txt", "W", "F")
    # Circled numbers on black squares and hexagrams: wide by Unicode 16 and the C library, by their fonts ever since.
    wide |= set(range(0x3248, 0x3250)) | set(range(0x4DC0, 0x4E00))
    emoji = members("emoji/emoji-data.txt", "Emoji")
    presented = members("emoji/emoji-data.txt", "Emoji_Presentation")
    ignorable = members("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    breaks = "auxiliary/GraphemeBreakProperty.txt"
    prepend = members(breaks, "Prepend")
    extend = members(breaks, "Extend")
    spacing = members(breaks, "SpacingMark")
    leading = members("HangulSyllableType.txt", "L")
    trailing = members("HangulSyllableType.txt", "V", "T")
    selectors = members("PropList.txt", "Variation_Selector")
    regional = members("PropList.txt", "Regional_Indicator")

    def of(code):
        if category[code] in ("Cn", "Co", "Cs", "Cc", "Zl", "Zp"):
            return "hidden"
        if code in selectors:
            return "variationSelector"
        if code in (0x200C, 0x200D):
            return "joiner"
        if 0xE0020 <= code <= 0xE007F:
            return "tag"
        if code in prepend:
            return "prepend"
        if code in ignorable or category[code] == "Cf":
            return "hidden"
        if code in regional:
            return "regionalIndicator"
        if 0x1F3FB <= code <= 0x1F3FF:
            return "skinTone"
        if code in leading:
            return "leadingJamo"
        if code in trailing:
            return "trailingJamo"
        if category[code] in ("Mn", "Me"):
            return "mark"
        if code in extend or code in spacing or category[code] == "Mc":
            return "wideMark" if code in wide else "spacingMark"
        if code in presented or (code in emoji and code in wide):
            return "emoji"
        if code in emoji and code > 0x7F:
            return "textEmoji"
        return "wide" if code in wide else "narrow"

    return [of(code) for code in range(LAST + 1)]


def main():
    table = classes()
    version = re.search(r"-(\d+\.\d+\.\d+)\.txt", (DATA / "EastAsianWidth.txt").read_text().splitlines()[0]).group(1)
    changes = [code for code in range(LAST + 1) if code == 0 or table[code] != table[code - 1]]
    packed = [f"0x{code << 8 | CLASSES.index(table[code]):X}" for code in changes]
    lines, line = [], ""
    for number in packed:
        if len(line) + len(number) + 2 > 110:
            lines.append(line.rstrip())
            line = ""
        line += f"{number}, "
    lines.append(line.rstrip())
    cases = "\n".join(f"    case {name}" for name in CLASSES)
    body = "\n".join(f"        {line}" for line in lines)
    print(f"""\
// Made by Tools/unicode/width_table.py from Unicode {version}: change that, not this.

/// What a Unicode scalar is to a grid of cells.
package enum ScalarClass: UInt8 {{
{cases}
}}

/// The classes of all scalars.
enum WidthTable {{
    static let unicodeVersion = "{version}"

    /// The {len(changes)} scalars at which the class changes: `scalar << 8 | class`, ascending.
    static let changes: [UInt32] = [
{body}
    ]
}}""")


main()
