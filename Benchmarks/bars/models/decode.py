"""Bar 4: decoding, token after token from an empty cache, against llama.cpp, by turns in processes that stay.

Both run the passes alone, without sampling. One thread of each has the last processor for itself.
"""

from figures import at_least, reported
from models import FORMATS, SHAPES, by_turns, geometric_mean, llama_engine, our_engine, random_model, require, version

TOKENS = {"110m": 64, "1b": 32}
ROUNDS = 5


def run(program):
    require("llama_cpp", "numpy")
    figures, ratios, rounds = [], {}, 2 if program.quick else ROUNDS
    cases = [(shape, form, threads) for shape in SHAPES for form in FORMATS for threads in (1, 2)]
    for shape, form, threads in [case for case in cases if not program.quick or case[0] == "110m"]:
        path = random_model(program, f"{shape}-{form}.gguf")
        request = f"write {TOKENS[shape]}"
        with our_engine(program, path, threads) as mine, llama_engine(program, path, threads) as theirs:
            best = by_turns({"mine": mine, "theirs": theirs}, [request], rounds)
        mine, theirs = best["mine", request], best["theirs", request]
        name = f"{shape} {form} x{threads}"
        ratios[name] = mine / theirs
        figures.append(
            reported(
                f"4{'cdefghijklmnopqrs'[len(figures)]}", f"decode {name}", mine, "tok/s",
                peer=f"llama.cpp: {theirs:.4g} tok/s", ratio=round(mine / theirs, 3),
            )  # fmt: skip
        )
    mean, worst = geometric_mean(ratios.values()), min(ratios, key=ratios.get)
    peer = f"llama.cpp of {version('llama-cpp-python')}, by turns, best of {rounds}"
    return [
        at_least(
            "4a", "decode over llama.cpp, geometric mean (stretch 1.15)", mean, "", 1.0,
            spread=", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()), peer=peer, ratio=round(mean, 3),
        ),  # fmt: skip
        at_least(
            "4b", "decode over llama.cpp, the worst", ratios[worst], "", 0.85, spread=worst, peer=peer,
            ratio=round(ratios[worst], 3),
        ),  # fmt: skip
        *figures,
    ]
