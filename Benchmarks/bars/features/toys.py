"""Bar 3: features that are known, and more features than dimensions."""

from figures import at_least, at_most, attempt, Figure
from features import answer


def run(program):
    figures = attempt("3a", "TopK on known features", lambda: top_k(program))
    figures += attempt("3d", "how many are active", lambda: sparsity(program))
    return figures + attempt("3g", "superposition", lambda: superposition(program))


def top_k(program):
    said = answer(program, "feature", "toy", "--kind", "topk", "--json")
    return [
        at_least("3a", "TopK with aux-k: mean of the best cosines", said["mean_max_cosine"], "", 0.98,
                 peer="PyTorch without aux-k .973 (reference run)"),
        at_least("3b", "TopK with aux-k: features found", said["recovered"], "", 0.95,
                 peer="PyTorch without aux-k .86 (reference run)"),
        at_most("3c", "TopK with aux-k: dead features", said["dead_share"], "", 0.01,
                peer="PyTorch without aux-k .07 (reference run)"),
    ]  # fmt: skip


def sparsity(program):
    figures = []
    for letter, kind in zip("def", ("topk", "batchtopk", "jumprelu")):
        said = answer(program, "feature", "toy", "--kind", kind, "--json")
        figures.append(
            at_most(f"3{letter}", f"{kind}: distance of L0 from 4", abs(said["l0"] - 4) / 4, "", 0.1,
                    spread=f"L0 {said['l0']:.3f}, recovered {said['recovered']:.3f}")
        )  # fmt: skip
    return figures


def superposition(program):
    said = answer(program, "feature", "superposition", "--sparsity", 0.9, "--json")
    best = said["models"][0]
    return Figure(
        "3g", "superposition at S = 0.9: the best of 8 is a pentagon", len(best["represented"]), "features",
        spread=f"{best['geometry']}, loss {best['loss']:.4f}", target="pentagon", met="pentagon" in best["geometry"],
    )  # fmt: skip
