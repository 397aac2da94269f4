"""Bar 7: flash attention against the one on our matrix products and our softmax, in processor time; scratch and error.

Scratch is measured: what the process's own memory grows by in its first call on all threads. The error is measured too,
against the same sums in float64 (`orrery-bench kernel bits`).
"""

from figures import CouldNotRun, at_least, at_most, reported
from kernels import bits, measure, middle, repeated

QUERIES, WIDTH = 4096, 64
# Operands of 67 MB, the loops of the ceilings, the program: far from scores of 17 GB.
MEMORY_MB = 256


def run(program):
    return speed(program) + accuracy(program) + long_context(program)


def shape(queries):
    return f"heads=1,kvheads=1,queries={queries},keys={queries},d={WIDTH}"


def speed(program):
    ladders = repeated(program, "attention", shape(QUERIES), ["gemm", "flash-avx512"], seconds=3)
    gains = ladders.values(
        lambda ladder: ladder["gemm"]["processor_seconds_per_call"]
        / ladder["flash-avx512"]["processor_seconds_per_call"]
    )
    shares = ladders.values(lambda ladder: ladder["flash-avx512"]["share_of_peak"])
    return [
        at_least(
            "7a", f"flash over the GEMM-based naive, N = {QUERIES}, d = {WIDTH}, processor time", middle(gains), "",
            1.15, spread=f"{ladders.spread(gains)}; flash at {middle(shares):.3f} of the FMA peak",
            ratio=round(middle(gains), 3),
            peer="our AVX-512 products with our overlapped softmax, same rounds",
        ),  # fmt: skip
    ]


def accuracy(program):
    found = bits(program)["attention"]
    if found["queries"] != QUERIES or found["width"] != WIDTH:
        raise CouldNotRun("`kernel bits` looks at another size")
    if "scratch_bytes" not in found:
        raise CouldNotRun("the system does not say what memory the process has of its own")
    return [
        at_most(
            "7b", "scratch of flash, share of the scores", found["scratch_bytes"] / found["score_bytes"], "", 0.01,
            spread=f"measured: {found['scratch_bytes'] / 1024:.0f} KiB on {found['threads']} threads, of "
            f"{found['score_bytes'] >> 20} MiB",
        ),  # fmt: skip
        at_most(
            "7c", "relative error against float64, worst row", found["worst_row_error"], "", 5e-6,
            spread=f"all of {found['rows_compared']} rows {found['relative_error']:.2g}",
        ),  # fmt: skip
    ]


def long_context(program):
    ladder = measure(program, "attention", shape(65_536), ["flash-avx512"], seconds=1)
    rung = ladder["flash-avx512"]
    operands = ladder.report["working_set_bytes"] / 1e6
    return [
        at_most(
            "7d", "N = 65,536: memory of the process", ladder.peak_mb, "MB", MEMORY_MB,
            spread=f"operands {operands:.0f} MB; the scores would be {4 * 65_536**2 / 1e9:.0f} GB",
        ),  # fmt: skip
        reported("7e", "N = 65,536: a call on one thread", rung["seconds_per_call"], "s"),
    ]
