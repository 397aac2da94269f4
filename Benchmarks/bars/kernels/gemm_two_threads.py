"""Bar 3: two threads against one, and against OpenBLAS with two.

orrery tells OpenBLAS's threads to sleep soon after their work. Here the library keeps its own default: its threads spin
for the next call, as they do in programs that use it alone.
"""

from figures import CouldNotRun, at_least
from kernels import middle, openblas, repeated
from program import cores

DEFAULT_TIMEOUT = {"OPENBLAS_THREAD_TIMEOUT": "26"}


def run(program):
    if cores() < 2:
        raise CouldNotRun("one processor only")
    figures = []
    peer = openblas(program) + ", two threads, same rounds"
    for gain_letter, ratio_letter, size in zip("abc", "def", (512, 1024, 2048)):
        alone = repeated(program, "gemm-f32", str(size), ["avx512", "avx512-threads"], threads=2)
        gains = alone.values(lambda ladder: ladder.ratio("avx512-threads", "avx512"))
        figures.append(
            at_least(
                f"3{gain_letter}", f"SGEMM {size}, two threads over one", middle(gains), "", 1.85,
                spread=alone.spread(gains),
            )  # fmt: skip
        )
        both = repeated(program, "gemm-f32", str(size), ["avx512-threads", "openblas"], threads=2, **DEFAULT_TIMEOUT)
        ratios = both.values(lambda ladder: ladder.ratio("avx512-threads", "openblas"))
        rate = middle(both.values(lambda ladder: ladder.rate("avx512-threads"))) / 1e9
        figures.append(
            at_least(
                f"3{ratio_letter}", f"SGEMM {size}, over OpenBLAS with two threads", middle(ratios), "", 0.98,
                spread=f"{both.spread(ratios)}; {rate:.0f} GFLOP/s", peer=peer, ratio=round(middle(ratios), 3),
            )  # fmt: skip
        )
    return figures
