"""Bar 6: softmax and layer norm of rows up to the L2, against a copy of as much data in the same cache; one thread.

In the L1 arithmetic is the lower roof of both: a copy stores 64 bytes a cycle there, and the exponentials of as many
numbers take three. Its figures are held to the same targets all the same, and the reason says what bounds them. Rows
whose data lie farther away are reported.
"""

from figures import at_least, reported
from kernels import middle, repeated

RUNGS = {"softmax": ("overlapped", 0.75), "layer-norm": ("avx512", 0.85)}
SHAPES = ("rows=2,columns=1024", "rows=32,columns=1024", "rows=8,columns=4096")
FARTHER = ("rows=512,columns=1024",)
OVER_LIBM = 15


def run(program):
    figures = []
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    for name, (rung, wanted) in RUNGS.items():
        for shape in SHAPES + FARTHER:
            rungs = [rung, "libm"] if name == "softmax" else [rung]
            ladders = repeated(program, name, shape, rungs, times=5, seconds=1)
            shares = ladders.values(lambda ladder: ladder.share_of_bandwidth(rung))
            first = ladders[0].report
            what = f"{name} {shape.replace('rows=', '').replace(',columns=', ' x ')}"
            share = f"{what}, share of the {first['level']} copy roof"
            rate = middle(ladders.values(lambda ladder: ladder[rung]["bytes_per_second"])) / 1e9
            roof = middle(ladders.values(lambda ladder: ladder.report["bandwidth"]["median"])) / 1e9
            spread = f"{ladders.spread(shares)}; {rate:.0f} of {roof:.0f} GB/s"
            bar = f"6{next(letters)}"
            if shape in FARTHER:
                figures.append(reported(bar, share, middle(shares), "", spread=spread))
            else:
                why = reason(first, middle(shares), wanted)
                figures.append(at_least(bar, share, middle(shares), "", wanted, spread=spread, reason=why))
            if name == "softmax":
                ratios = ladders.values(lambda ladder: ladder.ratio(rung, "libm"))
                figures.append(
                    at_least(
                        f"6{next(letters)}", f"{what}, over libm", middle(ratios), "", OVER_LIBM,
                        spread=ladders.spread(ratios, 1), ratio=round(middle(ratios), 1),
                    )  # fmt: skip
                )
    return figures


def reason(report, share, wanted):
    """Why a figure in the nearest cache is below its target; nothing where memory is the lower roof."""
    if share >= wanted or report["bound"] == "memory":
        return None
    peak = report["peak"]["median"] / 1e9
    return f"arithmetic is the lower roof here: {report['intensity']:.3g} FLOP a byte, peak {peak:.0f} GFLOP/s"
