"""Bar 4: one row and 32 rows times weights that were packed beforehand, which lie in memory (64 MiB); one thread."""

from figures import at_least, reported
from kernels import middle, openblas, repeated

RUNGS = ["prepacked", "openblas"]


def run(program):
    library = openblas(program)
    single = repeated(program, "linear-f32", "1x4096x4096", RUNGS)
    shares = single.values(lambda ladder: ladder.share_of_bandwidth("prepacked"))
    ratios = single.values(lambda ladder: ladder.ratio(*RUNGS))
    roof = single[0].report["bandwidth"]["name"]
    figures = [
        at_least(
            "4a", "M = 1, packed weights, share of the read roof", middle(shares), "", 0.85,
            spread=f"{single.spread(shares)} of {roof}, whose plain loop fetches less far ahead than the kernel",
        ),  # fmt: skip
        at_least(
            "4b", "M = 1, over OpenBLAS sgemm", middle(ratios), "", 3, spread=single.spread(ratios, 2),
            ratio=round(middle(ratios), 3), peer=f"{library} sgemm, one thread, same rounds",
        ),  # fmt: skip
    ]
    for bar, rows in (("4c", 32), ("4d", 8), ("4e", 64)):
        ladders = repeated(program, "linear-f32", f"{rows}x4096x4096", RUNGS)
        rates = ladders.values(lambda ladder: ladder.rate("prepacked") / 1e9)
        theirs = middle(ladders.values(lambda ladder: ladder.rate("openblas") / 1e9))
        what = f"M = {rows}, packed weights, one core"
        more = {
            "spread": ladders.spread(rates, 1),
            "peer": f"{library} sgemm, same rounds: {theirs:.1f} GFLOP/s",
            "ratio": round(middle(ladders.values(lambda ladder: ladder.ratio(*RUNGS))), 3),
        }
        if rows == 32:
            figures.append(at_least(bar, what + " (stretch 190)", middle(rates), "GFLOP/s", 150, **more))
        else:
            figures.append(reported(bar, what, middle(rates), "GFLOP/s", **more))
    return figures
