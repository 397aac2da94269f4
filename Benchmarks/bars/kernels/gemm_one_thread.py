"""Bar 2: float32 and float64 products with one thread, against the peak measured with them and OpenBLAS."""

import math

from figures import at_least
from kernels import middle, openblas, repeated

SIZES = (256, 512, 1024, 2048)
RUNGS = ["avx512", "openblas"]


def run(program):
    figures, ratios = [], {}
    peer = openblas(program) + ", one thread, same rounds"
    for size in SIZES:
        ladders = repeated(program, "gemm-f32", str(size), RUNGS)
        shares = ladders.values(lambda ladder: ladder["avx512"]["share_of_peak"])
        ratios[size] = middle(ladders.values(lambda ladder: ladder.ratio(*RUNGS)))
        wanted = {512: 0.90, 1024: 0.85}.get(size)
        if wanted:
            rate = middle(ladders.values(lambda ladder: ladder.rate("avx512"))) / 1e9
            figures.append(
                at_least(
                    "2a" if size == 512 else "2b", f"SGEMM {size}, share of the peak", middle(shares), "", wanted,
                    spread=f"{ladders.spread(shares)}; {rate:.0f} GFLOP/s", peer=peer, ratio=round(ratios[size], 3),
                )  # fmt: skip
            )
    mean = math.exp(sum(math.log(ratio) for ratio in ratios.values()) / len(ratios))
    figures.append(
        at_least(
            "2c", "SGEMM 256..2048 over OpenBLAS, geometric mean (stretch 1.03)", mean, "", 0.98,
            spread=", ".join(f"{size}: {ratio:.3f}" for size, ratio in ratios.items()), peer=peer,
            ratio=round(mean, 3),
        )  # fmt: skip
    )
    doubles = repeated(program, "gemm-f64", "1024", RUNGS)
    shares = doubles.values(lambda ladder: ladder["avx512"]["share_of_peak"])
    theirs = middle(doubles.values(lambda ladder: ladder["openblas"]["share_of_peak"]))
    figures.append(
        at_least(
            "2d", "DGEMM 1024, share of the peak", middle(shares), "", 0.80, spread=doubles.spread(shares),
            peer=f"{peer}: {theirs:.3f} of the peak",
            ratio=round(middle(doubles.values(lambda ladder: ladder.ratio(*RUNGS))), 3),
        )  # fmt: skip
    )
    return figures
