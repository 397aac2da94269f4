"""Bar 5: reading prompts of 128 and 512 tokens against llama.cpp, by turns in processes that stay.

The model of 1.1 B reads 512 tokens with two threads alone: with one, a turn would take ten seconds.
"""

from figures import at_least, reported
from models import FORMATS, SHAPES, by_turns, geometric_mean, llama_engine, our_engine, random_model, require, version

ROUNDS = 5


def cases(program):
    """Shape, format, threads and prompts."""
    for shape in SHAPES[:1] if program.quick else SHAPES:
        for form in FORMATS:
            for threads in (1, 2):
                yield shape, form, threads, (128,) if (shape, threads) == ("1b", 1) else (128, 512)


def run(program):
    require("llama_cpp", "numpy")
    ratios, rates = {}, {}
    rounds = 1 if program.quick else ROUNDS
    for shape, form, threads, prompts in cases(program):
        path = random_model(program, f"{shape}-{form}.gguf")
        requests = [f"prompt {count}" for count in prompts]
        with our_engine(program, path, threads) as mine, llama_engine(program, path, threads) as theirs:
            best = by_turns({"mine": mine, "theirs": theirs}, requests, rounds)
        for request, count in zip(requests, prompts):
            mine, theirs = best["mine", request], best["theirs", request]
            ratios[form, f"{shape} {count} x{threads}"] = mine / theirs
            rates[form, f"{shape} {count} x{threads}"] = mine, theirs
    peer = f"llama.cpp of {version('llama-cpp-python')}, by turns, best of {rounds}"
    worst = min(ratios, key=ratios.get)
    figures = [
        at_least(
            "5a", "prefill over llama.cpp, the worst of every type", ratios[worst], "", 1.0, spread=" ".join(worst),
            peer=peer, ratio=round(ratios[worst], 3),
        )  # fmt: skip
    ]
    limits = {"q8_0": (1.5, " (stretch 2)"), "f16": (1.2, " (stretch 1.4)"), "q4_0": (1.0, ""), "q4_k_m": (1.0, "")}
    for letter, (form, (limit, stretch)) in zip("bcde", limits.items()):
        mine = {name: ratio for (kind, name), ratio in ratios.items() if kind == form}
        mean = geometric_mean(mine.values())
        figures.append(
            at_least(
                f"5{letter}", f"prefill over llama.cpp, {form}, geometric mean{stretch}", mean, "", limit,
                spread=", ".join(f"{name} {ratio:.2f}" for name, ratio in mine.items()), peer=peer,
                ratio=round(mean, 3),
            )  # fmt: skip
        )
    told = [(what, pair) for what, pair in rates.items() if what[1].endswith("512 x2")]
    for letter, ((form, name), (mine, theirs)) in zip("fghijklmnop", told):
        figures.append(
            reported(
                f"5{letter}", f"prefill {form} {name}", mine, "tok/s", peer=f"llama.cpp: {theirs:.4g} tok/s",
                ratio=round(mine / theirs, 3),
            )  # fmt: skip
        )
    return figures
