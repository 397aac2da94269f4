#!/usr/bin/env python3
"""Run the bars of the foundation, print a table, and write results.json.

usage: bench.py [--binary PATH] [--only 1,3] [--quick] [--data FOLDER] [--output FILE]

Each bar is a module of bars/ with a function `run(program)` that returns figures. A bar that cannot run is in the
results with met false and the reason. Large inputs are made once and kept below the data folder.
"""

import argparse
import importlib
import os
import platform
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from figures import CouldNotRun, not_run, summaries, table, write_results  # noqa: E402
from program import Program, allow_no_cores_dumped, cores  # noqa: E402

# Number, module, what the bar asks, in the order in which they run.
BARS = [
    (1, "first_frame", "first frame"),
    (2, "key_latency", "key to frame in 1,000,000 rows"),
    (3, "idle", "idle for 30 s"),
    (4, "output_volume", "bytes a key, Esc, resizes"),
    (5, "terminals", "terminals, NO_COLOR, ASCII"),
    (6, "restore", "the terminal afterwards"),
    (7, "import_rate", "import rate and memory"),
    (8, "large_trace", "a trace of 100,000 spans"),
    (9, "totals", "totals equal an independent count"),
    (10, "mutations", "10,000 mutations an importer"),
]


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")
    except OSError:
        return platform.processor()


def measure(number, module, what, program):
    """The figures of one bar; whatever goes wrong becomes a reason."""
    program.fresh_home()
    try:
        return importlib.import_module(f"bars.{module}").run(program)
    except (CouldNotRun, ImportError, RuntimeError, OSError) as error:
        return [not_run(str(number), what, str(error))]
    except Exception as error:  # a defect of the benchmark must not hide the other bars
        traceback.print_exc()
        return [not_run(str(number), what, f"{type(error).__name__}: {error}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(HERE, "..", ".build", "release", "orrery"))
    parser.add_argument("--only", default="", help="numbers of bars, with commas between")
    parser.add_argument("--quick", action="store_true", help="smaller inputs and fewer repetitions, for a look")
    parser.add_argument("--data", default=os.path.join(HERE, "..", ".build", "bench-data"))
    parser.add_argument("--output", default=os.path.join(HERE, "results.json"))
    options = parser.parse_args()
    wanted = {int(number) for number in options.only.split(",") if number.strip()}
    allow_no_cores_dumped()

    print(
        f"{processor()}, {cores()} cores, load {os.getloadavg()[0]:.2f}, {time.strftime('%Y-%m-%d %H:%M')}"
        + (", quick: figures are not comparable" if options.quick else ""),
        flush=True,
    )
    figures, program, missing = [], None, None
    try:
        program = Program(options.binary, options.data, options.quick)
    except CouldNotRun as error:
        missing = str(error)
    for number, module, what in BARS:
        if wanted and number not in wanted:
            continue
        start = time.perf_counter()
        found = measure(number, module, what, program) if program else [not_run(str(number), what, missing)]
        print(
            f"bar {number:2}  {what:<36} {sum(f.met for f in found)} of {len(found)} met, "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )
        figures += found
        # After each bar, so that a run that is cut off leaves what it has measured.
        write_results(options.output, summaries(figures), only=wanted)
    if program:
        program.clean_up()
    print("\n" + table(summaries(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
