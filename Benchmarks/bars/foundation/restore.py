"""Bar 6: whatever ends the program, the shell that comes back is as it was."""

import os
import re
import signal

from figures import Figure
from pseudo_terminal import Terminal

PRIVATE_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
# Alternate screen, mouse reports in their variants, focus reports, bracketed paste, synchronized output.
MODES_OFF = (1049, 1047, 47, 9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026)
CURSOR = 25
F12 = "\x1b[24~"


def faults(terminal):
    """What was left behind."""
    found, modes = [], {}
    for numbers, letter in PRIVATE_MODE.findall(terminal.output()):
        for number in numbers.split(b";"):
            if number:
                modes[int(number)] = letter == b"h"
    found += [f"mode {mode} is on" for mode in MODES_OFF if modes.get(mode)]
    if modes.get(CURSOR) is False:
        found.append("the cursor is hidden")
    if 1049 not in modes and 1047 not in modes:
        found.append("the alternate screen was never used")
    if terminal.termios_now() != terminal.before:
        found.append("stty differs")
    return found


def end(program, workspace, cause):
    """Start, let `cause` end the program, and look at the terminal. Returns (faults, how it ended)."""
    with Terminal(program.workbench(workspace), program.environment(ORRERY_TEST_TRAP="1")) as terminal:
        terminal.wait_for_output()
        terminal.press("j", quiet=0.05)
        if terminal.termios_now() == terminal.before:
            return ["the terminal was never put into raw mode"], "not started"
        cause(terminal)
        status = terminal.wait_for_exit(5.0)
        if status is None:
            return ["it did not end within 5 s"], "running"
        code = os.waitstatus_to_exitcode(status)
        return faults(terminal), f"signal {-code}" if code < 0 else f"status {code}"


def trap(terminal):
    """A Swift trap by the hidden key; a program without it gets the signal that a trap raises."""
    terminal.write(F12)
    if terminal.wait_for_exit(1.0) is None:
        os.kill(terminal.pid, signal.SIGILL)


def killer(number):
    return lambda terminal: os.kill(terminal.pid, number)


def run(program):
    workspace = program.sample()
    causes = [
        ("6a", "q", lambda terminal: terminal.write("q")),
        ("6b", "SIGTERM", killer(signal.SIGTERM)),
        ("6c", "SIGHUP", killer(signal.SIGHUP)),
        ("6d", "SIGSEGV", killer(signal.SIGSEGV)),
        ("6e", "a Swift trap", trap),
    ]
    figures = []
    for bar, name, cause in causes:
        found, ended = end(program, workspace, cause)
        figures.append(
            Figure(
                bar,
                f"terminal restored after {name}",
                len(found),
                "faults",
                target="<= 0 faults",
                met=not found,
                spread=f"ended with {ended}" + (": " + ", ".join(found) if found else ""),
            )
        )
    return figures
