"""Short forms of two bars of the benchmarks' area "contact": `contact.py figures|tasks FOLDER`.

`figures` compares figures that are shown at two places, `tasks` does a few tasks of a newcomer by keys alone. Prints what
does not hold and exits 1 if anything does not.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Benchmarks"))
sys.dont_write_bytecode = True

from bars.contact import figures_agree, newcomer_tasks  # noqa: E402
from figures import table  # noqa: E402
from program import Program  # noqa: E402

BARS = {"figures": figures_agree, "tasks": newcomer_tasks}


def main():
    program = Program(os.environ["ORRERY_BINARY"], sys.argv[2], quick=True)
    try:
        figures = BARS[sys.argv[1]].run(program)
    finally:
        program.clean_up()
    missed = [figure for figure in figures if not figure.met]
    if missed:
        print(table(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
