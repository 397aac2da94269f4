"""Bar 5: it draws on every terminal it promises, without colour and without Unicode where that is asked."""

import re

from figures import Figure, at_least, at_most
from pseudo_terminal import Terminal

TERMS = ["xterm", "xterm-256color", "screen-256color", "tmux-256color", "linux", "vt100"]
KEYS = ["j", "\r", "\t", ".", ".", ".", "]", "e", "?", "\x1b", ":", "\x1b"]
SELECT_GRAPHICS = re.compile(rb"\x1b\[([0-9;:]*)m")


def drawn_rows(program, workspace, term):
    with Terminal(program.workbench(workspace), program.environment(), term=term) as terminal:
        terminal.wait_for_output(limit=5.0)
        for key in KEYS[:4]:
            terminal.press(key, limit=0.3, quiet=0.03)
        if terminal.wait_for_exit(0.05) is not None:
            return 0
        return sum(1 for row in terminal.rows_shown() if row.strip())


def output_with(program, workspace, *more, term="xterm-256color", **environment):
    """Everything written while a person walks through a run."""
    with Terminal(program.workbench(workspace, *more), program.environment(**environment), term=term) as terminal:
        terminal.wait_for_output(limit=5.0)
        for key in KEYS:
            terminal.press(key, limit=0.3, quiet=0.03)
        terminal.write("q")
        terminal.wait_for_exit(2.0)
        return terminal.output(), sum(1 for row in terminal.rows_shown() if row.strip()), terminal.first_frame()[0]


def colors(output):
    """Attributes that choose a colour; 39 and 49, the terminal's own colors, do not."""
    found = []
    for match in SELECT_GRAPHICS.finditer(output):
        for part in match.group(1).decode().split(";"):
            code = part.split(":")[0]
            if code.isdigit() and (
                int(code) in range(30, 39) or int(code) in range(40, 49) or int(code) in range(90, 108)
            ):
                found.append(part)
    return found


def dumb(program, workspace):
    """Whether TERM=dumb is answered with one sentence and a failure."""
    with Terminal(program.workbench(workspace), program.environment(), term="dumb") as terminal:
        status = terminal.wait_for_exit(5.0)
        said = terminal.output().decode(errors="replace").strip()
    exited = status is not None and status & 0x7F == 0 and status >> 8 != 0
    sentence = bool(said) and said.endswith((".", "!")) and "\x1b" not in said and len(said.splitlines()) <= 3
    return Figure(
        "5b",
        "TERM=dumb gives a sentence and fails",
        float(exited and sentence),
        "1 is yes",
        target=">= 1",
        met=exited and sentence,
        spread=f"status {status if status is None else status >> 8}: {said[:120]!r}",
    )


def run(program):
    workspace = program.sample()
    rows = {term: drawn_rows(program, workspace, term) for term in TERMS}
    figures = [
        at_least(
            "5a",
            "terminals that draw",
            sum(count >= 5 for count in rows.values()),
            "of 6",
            6,
            spread=", ".join(f"{term} {count} rows" for term, count in rows.items()),
        ),
        dumb(program, workspace),
    ]
    output, _, first = output_with(program, workspace, NO_COLOR="1")
    found = colors(output)
    figures.append(
        at_most(
            "5c",
            "colour attributes with NO_COLOR",
            len(found) if first else 999,
            "attributes",
            0,
            spread=f"{len(output)} bytes looked at" + (f": {sorted(set(found))[:8]}" if found else ""),
        )
    )
    output, _, first = output_with(program, workspace, ORRERY_ASCII="1")
    how = "ORRERY_ASCII=1"
    if any(byte > 0x7F for byte in output):
        flagged, _, flag_first = output_with(program, workspace, "--ascii")
        if flag_first:
            output, first, how = flagged, flag_first, "--ascii"
    high = sum(byte > 0x7F for byte in output)
    figures.append(
        at_most(
            "5d",
            "bytes above 0x7F in ASCII mode",
            high if first else 999_999,
            "bytes",
            0,
            spread=f"{len(output)} bytes looked at, {how}",
        )
    )
    return figures
