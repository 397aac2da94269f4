"""Pairs of figures that are shown at two places, and the program that is asked for both."""

import re
from dataclasses import dataclass, field

from figures import CouldNotRun
from program import last_line

from agreement.figure import Unreadable, same, values
from agreement.screen import Screen


@dataclass
class Seen:
    """A figure at a place: its text or number there, and the values that are written so."""

    place: str
    text: str
    values: tuple


@dataclass
class Pairs:
    """All figures that were found at two places, and those that contradict each other."""

    counts: dict = field(default_factory=dict)
    found: list = field(default_factory=list)
    # Patterns that matched nothing, texts that are no figures: a comparison that reads nothing proves nothing.
    missing: list = field(default_factory=list)
    page: str = ""

    def begin(self, page):
        self.page = page
        self.counts.setdefault(page, 0)

    @property
    def total(self):
        return sum(self.counts.values())

    def read(self, place, text, pattern, what, all=False):
        """What a pattern's groups match in a text; None, and a note, where it matches nothing."""
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if not found:
            self.missing.append(f"{self.page}: {what} not found in {place}")
            return [] if all else None
        groups = [match[1] if match.re.groups == 1 else match.groups() for match in found]
        return groups if all else groups[0]

    def compare(self, figure, place, text, other_place, other, unit="", steps=0):
        """Counts a pair. Either side is a text, of a column in `unit`, or a number.

        `steps` of the last digit are let pass: figures of a sum are rounded so that the shown ones add up.
        """
        if text is None or other is None:
            self.missing.append(f"{self.page}: {figure} missing in {place if text is None else other_place}")
            return
        try:
            one, two = self._seen(place, text, unit, steps), self._seen(other_place, other, unit)
        except Unreadable as error:
            self.missing.append(f"{self.page}: {figure}: {error}")
            return
        self.counts[self.page] += 1
        if not same(one.values, two.values):
            self.found.append((self.page, figure, one, two))

    def compare_words(self, figure, place, text, other_place, other):
        """Counts a pair of words, such as states and names of scores, which have to be equal."""
        if text is None or other is None:
            self.missing.append(f"{self.page}: {figure} missing in {place if text is None else other_place}")
            return
        self.counts[self.page] += 1
        if text.split() != other.split():
            self.found.append((self.page, figure, Seen(place, text, None), Seen(other_place, other, None)))

    def _seen(self, place, value, unit, steps=0):
        if isinstance(value, (int, float)):
            return Seen(place, f"{value:.10g}", (value, value))
        low, high = values(value, unit)
        more = steps * (high - low) / 2 if steps else 0
        return Seen(place, value.strip(), (low - more, high + more))

    def described(self, limit=8):
        words = [
            f"{page}, {figure}: {one.place} {one.text!r}, {two.place} {two.text!r}"
            for page, figure, one, two in self.found[:limit]
        ]
        return "; ".join(words)


class Look:
    """The program in a home of its own, asked for screens and commands; each is asked once."""

    def __init__(self, program, fill=True):
        self.program, self.known = program, {}
        if fill:
            program.fresh_home()
            self.text("show", "traces")  # a new workspace is filled with the samples

    def output(self, *words, statuses=(0,)):
        words = tuple(map(str, words))
        if words not in self.known:
            done = self.program.run(*words, limit=300)
            if done.status not in statuses:
                raise CouldNotRun(f"orrery {' '.join(words)} ended with {done.status}: {last_line(done.errors)}")
            self.known[words] = done
        return self.known[words]

    def text(self, *words, statuses=(0,)):
        return self.output(*words, statuses=statuses).output.decode()

    def json(self, *words, statuses=(0,)):
        found = self.output(*words, "--json", statuses=statuses).json()
        if found is None:
            raise CouldNotRun(f"orrery {' '.join(map(str, words))} --json printed no JSON")
        return found

    def screen(self, panel, keys="", size="200x60"):
        more = ("--keys", keys) if keys else ()
        return Screen(self.text("show", panel, "--size", size, "--format", "text", *more), f"{panel} {keys}".strip())
