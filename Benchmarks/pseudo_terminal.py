"""A program on a pseudo-terminal: feed it keys, watch what comes back, and when."""

import array
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

try:
    import pyte
except ImportError:
    pyte = None

END_OF_FRAME = b"\x1b[?2026l"


class Terminal:
    """One start of a program. `record` holds (seconds since the start, bytes) and (seconds, (columns, rows))."""

    def __init__(self, command, environment, columns=120, rows=40, term="xterm-256color"):
        self.columns, self.rows = columns, rows
        self.master, self.slave = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        environment = dict(environment, TERM=term)
        self.began = time.perf_counter()
        self.record = [(0.0, (columns, rows))]
        self.status = None
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
                for number in (0, 1, 2):
                    os.dup2(self.slave, number)
                os.closerange(3, 64)
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)
        os.set_blocking(self.master, False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.columns, self.rows = columns, rows

    def resize_live(self, columns, rows):
        """Resize while the program runs; the kernel sends it SIGWINCH."""
        self.read_ready()
        self.resize(columns, rows)
        self.record.append((time.perf_counter() - self.began, (columns, rows)))

    def read_ready(self):
        """Read what is there now; None if nothing is, b"" if the program is gone."""
        try:
            data = os.read(self.master, 1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        if data:
            self.record.append((time.perf_counter() - self.began, data))
        return data

    def read(self, wait):
        """Read once, waiting at most `wait` seconds."""
        ready, _, _ = select.select([self.master], [], [], max(0.0, wait))
        return self.read_ready() if ready else None

    def settle(self, quiet=0.15, limit=20.0):
        """Read until nothing has come for `quiet` seconds. Returns the bytes read."""
        end, got = time.perf_counter() + limit, b""
        while time.perf_counter() < end:
            data = self.read(quiet)
            if not data:
                return got
            got += data
        return got

    def wait_for_output(self, limit=20.0, quiet=0.15):
        """Wait for the first output, then until it is quiet."""
        data = self.read(limit)
        return (data or b"") + self.settle(quiet, limit) if data else b""

    def write(self, keys):
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def press(self, keys, limit=0.5, quiet=0.002):
        """Send keys; returns (seconds to the first byte, seconds to the last byte of the frame, bytes), None without any."""
        while self.read_ready():
            pass
        start = time.perf_counter()
        self.write(keys)
        first = last = None
        got = b""
        while True:
            data = self.read(limit if first is None else quiet)
            if not data:
                break
            last = time.perf_counter() - start
            first = first or last
            got += data
            if got.endswith(END_OF_FRAME):
                break
        return None if first is None else (first, last, got)

    def wait_for_exit(self, limit=5.0):
        """The wait status, or None if the program still runs. Output is read meanwhile."""
        if self.status is not None:
            return self.status
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
                while self.read_ready():
                    pass
                return status
        return None

    def close(self):
        if self.status is None:
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.kill(self.pid, number)
                except ProcessLookupError:
                    pass
                if self.wait_for_exit(2.0) is not None:
                    break
        for descriptor in (self.master, self.slave):
            try:
                os.close(descriptor)
            except OSError:
                pass

    def output(self):
        return b"".join(data for _, data in self.record if isinstance(data, bytes))

    def termios_now(self):
        return termios.tcgetattr(self.slave)

    def pending(self):
        """Bytes that the program wrote and nobody has read yet."""
        count = array.array("i", [0])
        fcntl.ioctl(self.master, termios.FIONREAD, count)
        return count[0]

    # What the screen shows

    def frames(self):
        """Replay what was recorded: yields (seconds, rows of text) after each piece of output."""
        screen, stream = new_screen(*self.record[0][1])
        for when, what in self.record[1:]:
            if isinstance(what, bytes):
                stream.feed(plain(what))
                yield when, screen
            else:
                screen.resize(what[1], what[0])

    def rows_shown(self):
        screen = None
        for _, screen in self.frames():
            pass
        return [row.rstrip() for row in screen.display] if screen else []

    def first_frame(self, rows=5):
        """Seconds until at least `rows` rows were not blank, and until the screen looked as it does now."""
        first, settled, last = None, None, None
        for when, screen in self.frames():
            shown = list(screen.display)
            if first is None and sum(1 for row in shown if row.strip()) >= rows:
                first = when
            if shown != last:
                settled, last = when, shown
        return first, settled


# Sequences that pyte would print: device control, application commands, keyboard protocols.
HIDDEN = re.compile(rb"\x1b[P_^X].*?(?:\x1b\\|\x07)|\x1b\[[<>=][0-9;:]*[A-Za-z]|\x1b\[[0-9;?]*\$[a-z]", re.S)


def plain(data):
    return HIDDEN.sub(b"", data)


if pyte:

    class Screen(pyte.Screen):
        """pyte's screen with REP (CSI b), which xterm's terminfo entry has and pyte lacks."""

        last = " "

        def draw(self, data):
            super().draw(data)
            self.last = data[-1:] or self.last

        def repeat_last(self, count=1):
            super().draw(self.last * (count or 1))

        def set_margins(self, top=None, bottom=None, **_):
            super().set_margins(top, bottom)

        def report_device_status(self, *_, **__):
            pass

    class Stream(pyte.ByteStream):
        csi = {**pyte.ByteStream.csi, "b": "repeat_last"}
        events = pyte.ByteStream.events | {"repeat_last"}


def new_screen(columns, rows):
    if pyte is None:
        raise RuntimeError("the package pyte is missing")
    screen = Screen(columns, rows)
    return screen, Stream(screen)
