"""Seeded strings that are hard to tokenize: mixed scripts, emoji, controls, white space, digits, contractions, runs."""
import random
import unicodedata

# Assigned up to Unicode 13 in every implementation that is compared.
RANGES = [
    (0x20, 0x7E), (0xA1, 0x17F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F),
    (0xE00, 0xE5B), (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209C),
    (0x20A0, 0x20BF), (0x2100, 0x218B), (0x2190, 0x23FF), (0x2460, 0x24FF), (0x2581, 0x2581), (0x2600, 0x27BF),
    (0x3000, 0x303F), (0x3040, 0x30FF), (0x3400, 0x3420), (0x4E00, 0x9FEF), (0xAC00, 0xD7A3), (0xF900, 0xFA6D),
    (0xFB00, 0xFB06), (0xFE00, 0xFE0F), (0xFF01, 0xFFEE), (0x1D400, 0x1D7FF), (0x1F300, 0x1F64F), (0x20000, 0x20100),
    (0xE0020, 0xE007F),
]
SPACES = [" ", "  ", "   ", "\t", "\n", "\n\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\u1680", "\u0085", "\x0b", "\x0c"]
CONTRACTIONS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "'Re", "'", "''", "\u2019s", "'\u017f", "'x"]
EMOJI = ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "👍🏽", "❤️", "1️⃣", "🦙", "\u200d", "\ufe0f"]
WORDS = (
    "the The THE of and orrery token tokenizer Hello hello world naïve café Straße ΑΒΓ привет Привет мир 東京 你好 "
    "안녕하세요 مرحبا שלום नमस्ते สวัสดี İstanbul ﬁne ① ½ Ⅻ e\u0301 a\u0308 return self def import int main() "
    "http://example.com/a?b=c x=1;y=2 3.14159 1,000,000 2024-01-02 foo_bar fooBar FOOBar don't DON'T we'll I'M"
).split(" ")
PUNCTUATION = ["...", "!!!", "?!", "--", "=>", "==", "::", "/*", "*/", "\"", "`", "~", "\\n", "{", "}", "</", "<|", "|>", "[", "]", "#", "##", "$", "_", "▁", "Ġ"]


def scalar(rng):
    while True:
        low, high = rng.choice(RANGES)
        c = rng.randint(low, high)
        if unicodedata.category(chr(c)) != "Cn":
            return chr(c)


def part(rng):
    kind = rng.randrange(12)
    if kind < 3:
        return rng.choice(WORDS)
    if kind == 3:
        return rng.choice(SPACES) * rng.choice([1, 1, 1, 2, 3, 7])
    if kind == 4:
        return rng.choice(CONTRACTIONS)
    if kind == 5:
        return rng.choice(EMOJI)
    if kind == 6:
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 9)))
    if kind == 7:
        return rng.choice(PUNCTUATION) * rng.choice([1, 1, 1, 2, 5])
    if kind == 8:
        return scalar(rng) * rng.choice([1, 1, 1, 2, 4, 30])
    if kind == 9:
        return "".join(scalar(rng) for _ in range(rng.randint(1, 6)))
    if kind == 10:
        return chr(rng.choice([0, 1, 7, 8, 0x1B, 0x1F, 0x7F, 0x80, 0x9F, 0xAD, 0x200B, 0xFEFF, 0xFFFD, 0xE000]))
    return "".join(chr(rng.randint(0x61, 0x7A)) for _ in range(rng.randint(1, 24)))


def string(rng):
    joint = rng.choice(["", "", " ", " "])
    text = joint.join(part(rng) for _ in range(rng.randint(1, 12)))
    return text * 40 if rng.randrange(400) == 0 else text


def strings(count, seed):
    rng = random.Random(seed)
    return [string(rng) for _ in range(count)]
