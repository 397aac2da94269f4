"""The program on a pseudo-terminal whose screen is the emulator, beside the surface that the program says it drew."""

import os
import time

from emulator import Screen
from pseudo_terminal import Terminal
from surfaces import Surface, TerminalKind, differences


class Mismatch(Exception):
    """What the screen shows instead of what was waited for."""


class Mirror:
    """One start of a program. What a test waits for is a state of the screen, never an amount of time."""

    def __init__(self, command, environment, folder, columns=120, rows=40, term="xterm-256color"):
        self.kind = TerminalKind(term)
        self.path = os.path.join(folder, "surface")
        if os.path.exists(self.path):
            os.remove(self.path)
        self.screen = Screen(columns, rows, term)
        environment = dict(environment, ORRERY_SURFACE=self.path)
        self.terminal = Terminal(command, environment, columns, rows, term)
        self.stamp = self.last = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.close()

    def pump(self, wait=0.02):
        """Feeds the emulator what has come; false where nothing has."""
        data = self.terminal.read(wait)
        if not data:
            return False
        self.screen.feed(data)
        answers, self.screen.answers = self.screen.answers, []
        for answer in answers:
            self.terminal.write(answer)
        return True

    def drain(self):
        while self.pump(0):
            pass

    def surface(self):
        """The surface that was recorded last; None where none was."""
        try:
            status = os.stat(self.path)
            stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
            if stamp != self.stamp:
                with open(self.path, encoding="utf-8", newline="\n") as file:
                    self.last = Surface(file.read())
                self.stamp = stamp
        except FileNotFoundError:
            return None
        return self.last

    def type(self, keys):
        self.drain()
        self.terminal.write(keys)

    def resize(self, columns, rows):
        self.drain()
        self.screen.resize(columns, rows)
        self.terminal.resize(columns, rows)

    def until(self, holds, what, limit=60.0):
        """Reads until something holds; `what` names it for the complaint."""
        end = time.monotonic() + limit
        while not holds():
            self.pump()
            if self.has_ended():
                raise Mismatch(f"the program ended before {what}:\n{self.screen.text()}")
            if time.monotonic() > end:
                raise Mismatch(f"it never came that {what}:\n{self.screen.text()}")

    def wait_for(self, text):
        self.until(lambda: text in self.screen.text(), f"the screen shows {text!r}")

    def wait_gone(self, text):
        self.until(lambda: text not in self.screen.text(), f"the screen no longer shows {text!r}")

    def wait_for_size(self, columns, rows):
        """Resizes the terminal and waits until the program draws in its new size."""
        self.resize(columns, rows)

        def holds():
            surface = self.surface()
            return surface is not None and (surface.columns, surface.rows) == (columns, rows)

        self.until(holds, f"{columns}x{rows} is drawn")

    def has_ended(self):
        if self.terminal.status is None:
            pid, status = os.waitpid(self.terminal.pid, os.WNOHANG)
            self.terminal.status = status if pid else None
        return self.terminal.status is not None

    def differences(self, quiet=3.0, limit=20.0):
        """What differs between the screen and the surface, as soon as nothing does, or once neither changes any more."""
        end = time.monotonic() + limit
        changed = time.monotonic()
        seen = None
        found = [(0, 0, "a surface", "none was recorded")]
        while True:
            surface = self.surface()
            came = self.pump(0 if seen is None else 0.02)
            if came or surface is not seen:
                seen, changed = surface, time.monotonic()
                while self.pump(0):
                    pass
                if surface is not None:
                    found = differences(surface, self.screen, self.kind)
                    # A surface that was recorded meanwhile is another one.
                    if not found and self.surface() is surface:
                        return []
            now = time.monotonic()
            if now - changed > quiet or now > end:
                return found
