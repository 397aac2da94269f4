"""Texts for the tokenizers: seeded strings that are hard to cut, and a corpus of code and prose."""

import glob
import json
import os
import random
import sysconfig
import unicodedata

# Assigned since Unicode 6.
PICTURED = (0x1F400, 0x1F43E)
# Characters of these are taken where Unicode 3.2 had them, which implementations of every age know alike; pictures too.
SCRIPTS = [
    (0x20, 0x7E), (0xA1, 0x17F), (0x250, 0x2AF), (0x370, 0x3FF), (0x400, 0x4FF), (0x530, 0x58F), (0x590, 0x5FF),
    (0x600, 0x6FF), (0x900, 0x97F), (0xE00, 0xE5B), (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1E00, 0x1FFF),
    (0x2000, 0x206F), (0x2070, 0x209C), (0x20A0, 0x20BE), (0x2100, 0x218B), (0x2200, 0x23FF), (0x2460, 0x27BF),
    (0x3000, 0x30FF), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xFB00, 0xFB06), (0xFE00, 0xFE0F), (0xFF01, 0xFFEE),
    (0x10330, 0x1034A), (0x1D400, 0x1D7FF), PICTURED, (0x20000, 0x200FF), (0xE0020, 0xE007F),
]  # fmt: skip
WHITE = [" ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\r", "\u00a0", "\u2003", "\u3000", "\u2028", "\u0085", "\x0b"]
ENDINGS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "'vE", "'", "''", "\u2019s", "'\u017f", "'q"]
PICTURES = ["🪐", "👩‍🚀", "🏴‍☠️", "🇨🇭", "👋🏿", "☀️", "7️⃣", "\u200d", "\ufe0f", "e\u0301\u0323", "ﬃ", "Ǆ", "½", "Ⅷ", "㎏"]
MARKS = ["...", "?!", "--", "->", "!=", "/*", "*/", '"', "`", "~", "\\n", "{}", "</", "<|", "|>", "[[", "##", "$", "_"]
CODE = ["def f(x):", "return self.x", "http://a.b/c?d=e&f", "x+=1;", "0x7fFF", "3.14e-10", "1,000", "fooBarBAZ"]
WORDS = ["the", "The", "and", "of", "orrery", "Saturn", "naïve", "Straße", "ΣΑΣ", "привет", "Київ", "東京"]
WORDS += ["こんにちは", "안녕", "مرحبا", "שלום", "नमस्ते", "İzmir", "don't", "WE'LL"]
CONTROLS = [0, 1, 7, 8, 0x1B, 0x7F, 0x80, 0x9F, 0xAD, 0x200B, 0xFEFF, 0xFFFD, 0xE000, 0x10FFFD]


class Strings:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def character(self):
        while True:
            script = self.random.choice(SCRIPTS)
            character = chr(self.random.randint(*script))
            if script == PICTURED or unicodedata.ucd_3_2_0.category(character) != "Cn":
                return character

    def part(self):
        choose = self.random.choice
        kind = self.random.randrange(13)
        if kind < 3:
            return choose(WORDS)
        if kind < 8:
            return choose((WHITE, ENDINGS, PICTURES, MARKS, CODE)[kind - 3]) * choose((1, 1, 1, 2, 6))
        if kind == 8:
            return "".join(choose("0123456789") for _ in range(self.random.randint(1, 10)))
        if kind == 9:
            return self.character() * choose((1, 2, 3, 40))
        if kind == 10:
            return "".join(self.character() for _ in range(self.random.randint(1, 7)))
        if kind == 11:
            return chr(choose(CONTROLS))
        return "".join(choose("abcdefghijklmnopqrstuvwxyzABC") for _ in range(self.random.randint(1, 25)))

    def string(self):
        joint = self.random.choice(("", " "))
        text = joint.join(self.part() for _ in range(self.random.randint(1, 12)))
        return text * 60 if self.random.randrange(500) == 0 else text


def strings(count, seed=4):
    source = Strings(seed)
    return [source.string() for _ in range(count)]


def corpus(prose, most):
    """Python's library and paragraphs of prose, about half and half, in documents of some kilobytes."""
    code, size = [], 0
    for path in sorted(glob.glob(os.path.join(sysconfig.get_paths()["stdlib"], "*.py"))):
        with open(path, encoding="utf-8") as file:
            code.append(file.read())
        size += len(code[-1])
        if size > most // 2:
            break
    paragraphs = []
    for path in prose:
        with open(path, encoding="utf-8") as file:
            paragraphs += [json.loads(line)["text"] for line in file]
    text = "".join(code) + "\n\n".join(paragraphs)[: most // 2]
    return [text[first : first + 16_384] for first in range(0, len(text), 16_384)]


def write_lines(path, texts):
    with open(path + ".part", "w", encoding="ascii") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)
    os.rename(path + ".part", path)
