#!/usr/bin/env python3
"""Run the bars, print a table, and write results.json.

usage: bench.py [--binary PATH] [--only kernels,foundation:1] [--quick] [--data FOLDER] [--output FILE]

Each bar is a module of bars/AREA/ with a function `run(program)` that returns figures. A bar that cannot run is in the
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

# Area, number, module, what the bar asks, in the order in which they run.
BARS = [
    ("foundation", 1, "first_frame", "first frame"),
    ("foundation", 2, "key_latency", "key to frame in 1,000,000 rows"),
    ("foundation", 3, "idle", "idle for 30 s"),
    ("foundation", 4, "output_volume", "bytes a key, Esc, resizes"),
    ("foundation", 5, "terminals", "terminals, NO_COLOR, ASCII"),
    ("foundation", 6, "restore", "the terminal afterwards"),
    ("foundation", 7, "import_rate", "import rate and memory"),
    ("foundation", 8, "large_trace", "a trace of 100,000 spans"),
    ("foundation", 9, "totals", "totals equal an independent count"),
    ("foundation", 10, "mutations", "10,000 mutations an importer"),
    ("kernels", 1, "ceilings", "ceilings against the reference programs"),
    ("kernels", 2, "gemm_one_thread", "matrix products, one thread"),
    ("kernels", 3, "gemm_two_threads", "matrix products, two threads"),
    ("kernels", 4, "skinny", "skinny products, packed weights"),
    ("kernels", 5, "dot_products", "bfloat16 and int8 products"),
    ("kernels", 6, "rows", "softmax and layer norm"),
    ("kernels", 7, "attention", "flash attention"),
    ("kernels", 8, "profiles_and_regressions", "imports by hand computation, regressions"),
    ("kernels", 9, "same_bits", "the same bits"),
    ("models", 1, "logits", "logits against transformers"),
    ("models", 2, "greedy", "200 greedy ids, every way"),
    ("models", 3, "tokenizers", "vocabularies, and how fast they encode"),
    ("models", 4, "decode", "decoding against llama.cpp"),
    ("models", 5, "prefill", "reading prompts against llama.cpp"),
    ("models", 6, "memory", "memory and the first token"),
    ("models", 7, "quantization", "quantized bytes and what they stand for"),
    ("models", 8, "watched", "decoding while everything is watched"),
    ("models", 9, "templates", "chat templates against Jinja"),
    ("models", 10, "mutations", "20,000 mutated inputs"),
    ("training", 1, "agreement", "curves and gradients against PyTorch"),
    ("training", 2, "speed", "steps against PyTorch"),
    ("training", 3, "kills", "killed twenty times"),
    ("training", 4, "learning", "digits, and one batch"),
    ("training", 5, "adapters", "adapters against PEFT"),
    ("training", 6, "held_out", "what orrery-mini has never seen"),
    ("training", 7, "recording", "overhead of recording"),
    ("retrieval", 1, "hnsw", "the graph against hnswlib"),
    ("retrieval", 2, "indexes", "the other indexes against faiss"),
    ("retrieval", 3, "sizes", "bytes a vector, and memory"),
    ("retrieval", 4, "filtered", "searches with filters"),
    ("retrieval", 5, "words", "BM25 against bm25s"),
    ("retrieval", 6, "encoder", "MiniLM against torch"),
    ("retrieval", 7, "duplicates", "near-duplicates against datasketch"),
    ("retrieval", 8, "verdicts", "measures, contributions, why not"),
    ("retrieval", 9, "kills", "killed a hundred times, damaged 200 times"),
    ("retrieval", 10, "typing", "search as you type in 1,000,000 chunks"),
    ("retrieval", 11, "server", "the same on PostgreSQL"),
    ("features", 1, "goldens", "tensors of TransformerLens"),
    ("features", 2, "induction", "induction heads"),
    ("features", 3, "toys", "known features, superposition"),
    ("features", 4, "step", "TopK steps against PyTorch"),
    ("features", 5, "exchange", "sae-lens and TransformerLens"),
    ("features", 6, "mini", "a dictionary of orrery-mini"),
    ("features", 7, "live", "live views"),
    ("features", 8, "index", "the index of 16,384 features"),
    ("evals", 1, "speed", "2,000 requests, each kept"),
    ("evals", 2, "faults", "refused, failed, killed"),
    ("evals", 3, "lm_eval", "lm-eval's tasks and files, Inspect's metrics"),
    ("evals", 4, "goldens", "reference values"),
    ("evals", 5, "simulation", "10,000 simulated runs"),
    ("evals", 6, "diff", "two runs of 10,000 samples"),
    ("evals", 7, "inspect_log", "a log of 1 GB"),
    ("evals", 8, "planted", "a planted bias and regression"),
    ("evals", 9, "journeys", "from a sample to its cause"),
    ("evals", 10, "sandbox", "the sandbox"),
    ("contact", 1, "terminal_equals_surface", "the terminal shows what was drawn"),
    ("contact", 2, "eval_intervals", "coverage of eval intervals"),
    ("contact", 3, "figures_agree", "figures that are shown twice"),
    ("contact", 4, "newcomer_tasks", "tasks of a newcomer by keys alone"),
    ("contact", 5, "composition", "headers, borders, and empty halves at five sizes"),
    ("contact", 6, "first_insight", "first start to first insight"),
    ("contact", 7, "damage", "1,000 damaged copies of a workspace"),
    ("contact", 8, "copies", "a copy of the file after 20 kinds of writes"),
    ("prose", 1, "patterns", "phrases that read as translated"),
    ("prose", 3, "option_help", "help for options"),
    ("prose", 4, "readme", "the README"),
    ("house", 1, "size", "lines of code, tests, and tracked files"),
    ("house", 2, "machinery", "machinery with one home"),
]


def wants(selection, area, number):
    """Whether `kernels`, `kernels:2` or `2` (of any area) asks for a bar."""
    return not selection or {area, f"{area}:{number}", str(number)} & selection


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")
    except OSError:
        return platform.processor()


def measure(area, number, module, what, program):
    """The figures of one bar; whatever goes wrong becomes a reason."""
    program.fresh_home()
    try:
        return importlib.import_module(f"bars.{area}.{module}").run(program)
    except (CouldNotRun, ImportError, RuntimeError, OSError) as error:
        return [not_run(str(number), what, str(error))]
    except Exception as error:  # a defect of the benchmark must not hide the other bars
        traceback.print_exc()
        return [not_run(str(number), what, f"{type(error).__name__}: {error}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(HERE, "..", ".build", "release", "orrery"))
    parser.add_argument("--only", default="", help="areas, bars (kernels:2) or numbers, with commas between")
    parser.add_argument("--quick", action="store_true", help="smaller inputs and fewer repetitions, for a look")
    parser.add_argument("--data", default=os.path.join(HERE, "..", ".build", "bench-data"))
    parser.add_argument("--output", default=os.path.join(HERE, "results.json"))
    options = parser.parse_args()
    wanted = {word.strip() for word in options.only.split(",") if word.strip()}
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
    measured = []
    for area, number, module, what in BARS:
        if not wants(wanted, area, number):
            continue
        start = time.perf_counter()
        found = measure(area, number, module, what, program) if program else [not_run(str(number), what, missing)]
        for figure in found:
            figure.area = area
        print(
            f"{area:<10} {number:2}  {what:<40} {sum(f.met for f in found)} of {len(found)} met, "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )
        figures += found
        measured.append((area, number))
        # After each bar, so that a run that is cut off leaves what it has measured.
        write_results(options.output, summaries(figures), measured)
    if program:
        program.clean_up()
    print("\n" + table(summaries(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
