"""Bar 5: bfloat16 and int8 products against the peaks of their dot instructions; one thread."""

from figures import at_least, reported
from kernels import measure, middle, repeated


def run(program):
    figures = []
    for bar, name, variant in (("5a", "gemm-bf16", "avx512-bf16"), ("5b", "gemm-int8", "avx512-vnni")):
        ladders = repeated(program, name, "1024", [variant, "prepacked"])
        shares = ladders.values(lambda ladder: ladder[variant]["share_of_peak"])
        packed = middle(ladders.values(lambda ladder: ladder["prepacked"]["share_of_peak"]))
        rate = middle(ladders.values(lambda ladder: ladder.rate(variant))) / 1e9
        peak = ladders[0].report["peak"]
        figures.append(
            at_least(
                bar, f"{name} 1024, share of the dot peak, packing included", middle(shares), "", 0.85,
                spread=f"{ladders.spread(shares)}; {rate:.0f} GOP/s of {peak['median'] / 1e9:.0f} ({peak['name']}); "
                f"with B packed before {packed:.3f}",
            )  # fmt: skip
        )
    for bar, name in (("5c", "matvec-q8_0"), ("5d", "matvec-q4_0"), ("5e", "matvec-q4_k")):
        ladder = measure(program, name, "m=1,n=4096,k=4096", ["avx512-vnni"])
        rung = ladder["avx512-vnni"]
        figures.append(
            reported(
                bar, f"{name} one row of 4096 x 4096, share of the read roof", ladder.share_of_bandwidth("avx512-vnni"),
                "", spread=f"data in {ladder.report['level']}, {rung['bytes_per_second'] / 1e9:.1f} GB/s",
            )  # fmt: skip
        )
    return figures
