"""Ids, times and token estimates that are the same on every run."""

import random
from datetime import datetime, timedelta, timezone

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class Chance:
    """A seeded source of ids and small variations."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def uuid(self):
        digits = f"{self.random.getrandbits(128):032x}"
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{'89ab'[int(digits[16], 16) % 4]}{digits[17:20]}-{digits[20:]}"

    def hexadecimal(self, count):
        return f"{self.random.getrandbits(4 * count) | 1:0{count}x}"

    def word(self, prefix, count):
        return prefix + "".join(self.random.choice(ALPHABET) for _ in range(count))

    def between(self, low, high):
        """A number rounded to a millisecond's precision, so that it prints alike everywhere."""
        return round(low + (high - low) * self.random.random(), 3)


def moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


def iso(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def nanoseconds(when):
    since = when - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return str((since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000)


def seconds(amount):
    return timedelta(milliseconds=round(amount * 1000))


def estimated_tokens(text):
    """Roughly what a tokenizer makes of English and code: 3.6 bytes a token."""
    return max(1, round(len(text.encode()) / 3.6))
