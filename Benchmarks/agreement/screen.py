"""A printed screen: its panes, and the columns of tables in them."""

import re


class Screen:
    """A printed screen, and the panes in it."""

    def __init__(self, text, name):
        self.rows, self.name = text.split("\n"), name

    def __str__(self):
        return "\n".join(self.rows)

    def panes(self):
        """Title and lines of every pane, in reading order."""
        found = []
        for top, row in enumerate(self.rows):
            for corner in re.finditer("╭([^╭╮]*)╮", row):
                left, right = corner.start(), corner.end() - 1
                lines = []
                for line in self.rows[top + 1 :]:
                    if line[left : left + 1] in ("╰", ""):
                        break
                    lines.append(line[left + 1 : right].rstrip())
                found.append((re.sub("─+", "─", corner[1]).strip("─ "), lines))
        return found

    def pane(self, title):
        """The lines of the pane whose title matches a pattern, as one text; empty without one."""
        return next(("\n".join(lines) for name, lines in self.panes() if re.search(title, name)), "")

    def title(self, title):
        """The whole title of that pane: panes show figures there, too."""
        return next((name for name, _ in self.panes() if re.search(title, name)), "")


def line_with(text, *words):
    """The first line that holds all words; empty without one."""
    return next((line for line in text.split("\n") if all(word in line for word in words)), "")


def fields(line, *patterns):
    """What the patterns match in a line, each behind the one before; None from the first on that is missing."""
    found, start = [], 0
    for pattern in patterns:
        match = re.compile(pattern).search(line, start)
        if not match:
            return found + [None] * (len(patterns) - len(found))
        found.append(match[1] if match.re.groups else match[0])
        start = match.end()
    return found


def table(text, *names):
    """The rows below a header as dictionaries: columns of figures end where the words of the header end.

    A figure may have a blank before its unit, two blanks part columns.
    """
    lines = text.split("\n")
    words = [re.compile(rf"(?<!\S){re.escape(name)}(?!\S)") for name in names]
    top = next((row for row, line in enumerate(lines) if all(word.search(line) for word in words)), None)
    if top is None:
        return []
    ends = {name: word.search(lines[top]).end() for name, word in zip(names, words)}
    rows = []
    for line in lines[top + 1 :]:
        if not line.strip():
            break
        row = {name: re.split(r"\s{2,}|▌", line[:end])[-1].strip() for name, end in ends.items()}
        rows.append(row | {"line": line})
    return rows
