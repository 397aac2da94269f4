"""The program in tmux: keys are pressed one by one, and each screen is read before the next."""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

KEY = re.compile(r"<([^<> ]+)>|(.)", re.DOTALL)


class Stuck(Exception):
    """A text that the screen never showed, with the screen."""


@dataclass(frozen=True)
class Passage:
    """A text that may be broken into lines: whole in one pane, or in the rows of a screen without panes."""

    words: str

    def __repr__(self):
        return repr(self.words)

    def is_in(self, screen):
        wanted = " ".join(self.words.split())
        rows = " ".join(screen.replace("│", " ").split())
        return wanted in rows or any(wanted in " ".join(pane.split()) for pane in panes_of(screen))


def panes_of(screen):
    """The text of each pane between its side borders, in reading order."""
    rows = screen.split("\n")
    for top, row in enumerate(rows):
        for corner in re.finditer("╭[^╭╮]*╮", row):
            lines = []
            for line in rows[top + 1 :]:
                if line[corner.start() : corner.start() + 1] in ("╰", ""):
                    break
                lines.append(line[corner.start() + 1 : corner.end() - 1].strip("▌┃ "))
            yield " ".join(lines)


def shows(screen, wanted):
    return wanted.is_in(screen) if isinstance(wanted, Passage) else wanted in screen


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def is_running(pid):
    """Whether a process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def keys_of(text):
    """`/tide<Enter>` as its single keys: names in angle brackets as tmux has them, every other character by itself."""
    return [named or plain for named, plain in KEY.findall(text)]


class Session:
    """One start of a program on a private server. It counts keys and notes every line that asks for text."""

    def __init__(self, name, command, environment, folder, columns=120, rows=40, term="xterm-256color"):
        self.rows, self.pressed, self.lines = rows, 0, []
        self.server = ["tmux", "-L", name, "-f", "/dev/null"]
        self.environment = environment
        start = [
            "new-session",
            "-d",
            "-x",
            str(columns),
            "-y",
            str(rows),
            "-c",
            folder,
            "env",
            f"TERM={term}",
            # A program that ends leaves its last lines, and the shell adds one that says how it ended.
            "sh",
            "-c",
            '"$@"; echo "ended with $?"; exec sleep 100000',
            "sh",
            *command,
        ]
        self.tmux(*start)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def tmux(self, *words, check=True):
        done = subprocess.run(
            [*self.server, *words], env=self.environment, check=False, capture_output=True, text=True, errors="replace"
        )
        if check and done.returncode != 0:
            raise Stuck(f"tmux {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def end(self, limit=10.0):
        """Hangs up, and returns when the program is gone."""
        shell = self.tmux("display-message", "-p", "-t", "0", "#{pane_pid}", check=False).strip()
        programs = children(shell)
        self.tmux("kill-server", check=False)
        end = time.monotonic() + limit
        while running := [pid for pid in programs if is_running(pid)]:
            if time.monotonic() > end:
                for pid in running:
                    os.kill(int(pid), signal.SIGKILL)
                break
            time.sleep(0.02)

    # Reading

    def screen(self):
        """The text of the screen. Where the cursor stands in the last row, that row is a line which asks for text."""
        wanted = (
            "display-message",
            "-p",
            "-t",
            "0",
            "#{cursor_flag} #{cursor_y}",
            ";",
            "capture-pane",
            "-p",
            "-t",
            "0",
        )
        cursor, _, text = self.tmux(*wanted).partition("\n")
        rows = text.split("\n")
        if cursor == f"1 {self.rows - 1}" and len(rows) >= self.rows:
            self.note(rows[self.rows - 1])
        return text

    def painted_row(self):
        """The first row with its colors."""
        return self.tmux("capture-pane", "-e", "-p", "-t", "0", "-S", "0", "-E", "0")

    def note(self, line):
        """Keeps each line once, as it was when it had the most text."""
        if self.lines and line and line.startswith(self.lines[-1]):
            self.lines[-1] = line
        elif line and not (self.lines and self.lines[-1].startswith(line)):
            self.lines.append(line)

    @staticmethod
    def differences(text, shown=(), gone=()):
        """What a screen lacks of the texts that it should show, and what it still shows of the others, in words."""
        missing = [f"never showed {wanted!r}" for wanted in shown if not shows(text, wanted)]
        return missing + [f"still shows {unwanted!r}" for unwanted in gone if shows(text, unwanted)]

    def wait_for(self, shown=(), gone=(), limit=30.0):
        end = time.monotonic() + limit
        while True:
            text = self.screen()
            words = self.differences(text, shown, gone)
            if not words:
                return text
            if time.monotonic() > end:
                raise Stuck(f"the screen {' and '.join(words)}:\n{text}")
            time.sleep(0.02)

    # Pressing

    def press(self, keys):
        for key in keys_of(keys):
            self.press_one(key)

    def press_one(self, key, patience=0.4):
        """Presses a key as a person does: returns when the screen has answered, or seems not to."""
        before = self.screen()
        self.tmux("send-keys", "-t", "0", *([key] if len(key) > 1 else ["-l", key.replace(";", "\\;")]))
        self.pressed += 1
        end = time.monotonic() + patience
        while self.screen() == before and time.monotonic() < end:
            time.sleep(0.01)

    def press_for(self, keys, shown=(), gone=(), limit=30.0, recolors=False):
        """Presses keys whose last one makes the screen show something, or gives its first row other colors.

        A screen that shows it before that key tells nothing about the key, so that this counts as a fault. Returns the
        screen; without keys it only waits.
        """
        if not keys:
            return self.wait_for(shown, gone, limit)
        *first, last = keys_of(keys)
        for key in first:
            self.press_one(key)
        text, painted = self.screen(), self.painted_row()
        if not self.differences(text, shown, gone):
            wanted = [repr(word) for word in shown] + [f"no {word!r}" for word in gone]
            raise Stuck(f"the screen shows {' and '.join(wanted)} before {last} of {keys!r}:\n{text}")
        self.press_one(last)
        text = self.wait_for(shown, gone, limit)
        if recolors and self.painted_row() == painted:
            raise Stuck(f"{last} of {keys!r} left the colors as they were:\n{text}")
        return text
