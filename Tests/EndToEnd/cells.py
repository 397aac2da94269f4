"""Compares what terminals receive with what the program drew, cell by cell: `cells.py FOLDER`.

Every page in a few terminals and themes, and random surfaces with many equal colors in all terminals. The whole of it,
in every size and theme, is the bar `contact:1` of the benchmarks.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Benchmarks"))
sys.dont_write_bytecode = True

from bars.contact.terminal_equals_surface import Comparison, draw_surfaces, walk_through  # noqa: E402
from figures import CouldNotRun  # noqa: E402
from program import Program  # noqa: E402
from walk import TERMS, direct_color, prepare, restore  # noqa: E402

PAGES = [("xterm-256color", ["dark", "dusk"]), ("screen-256color", ["light"]), ("xterm", ["high-contrast"])]


def main():
    folder = sys.argv[1]
    program = Program(os.environ["ORRERY_BINARY"], folder)
    seen = Comparison()
    home = prepare(program)
    for term, themes in PAGES:
        restore(program, home)
        walk_through(program, term, themes, [(120, 40)], seen)
    try:
        bench = program.bench
    except CouldNotRun as reason:
        print(f"skipped random surfaces: {reason}")
    else:
        os.environ["TERMINFO"] = direct_color(folder)
        for term in [*TERMS, "xterm-direct", "vt100"]:
            draw_surfaces(bench, term, 6, (80, 24), seen)
    print(seen.described())
    for sequence in sorted(seen.unknown):
        print("not understood:", repr(sequence))
    return 1 if seen.found or seen.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
