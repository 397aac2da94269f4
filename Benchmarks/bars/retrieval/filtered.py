"""Bar 4: searches that a filter restricts, at random, to 50, 10, 1 and 0.1 % of the vectors.

The planner's choice stands against the graph with the same filter and against comparing all that are kept. The graph
counts where it finds at least .95 itself.
"""

from figures import at_least, attempt
from retrieval import Vectors, searching

SHARES = (0.5, 0.1, 0.01, 0.001)
EFFORTS = {"easy128": 40, "hard384": 80}
WANTED = 0.95


def run(program):
    figures = []
    for letter, name in zip("ab", EFFORTS):
        figures += attempt(f"4{letter}", f"{name}, filtered", lambda: filtered(program, letter, name))
    return figures


def filtered(program, letter, name):
    vectors, effort, rounds, figures = Vectors(program, name), EFFORTS[name], 2 if program.quick else 4, []
    with searching(program, vectors, "hnsw") as mine:
        for share in SHARES:
            kept = mine.ask(f"filter {int(share * len_of(name))} 5")["kept"]
            truth = [set(ids) for ids in mine.ask("compare")["ids"]]
            best, recalls, strategies = {}, {}, {}
            for _ in range(rounds):
                for how in (f"planned {effort}", f"graph {effort}", "compare"):
                    said = mine.ask(how)
                    word = how.split()[0]
                    best[word] = max(best.get(word, 0), len(said["ids"]) / said["cpu_seconds"])
                    recalls[word] = vectors.recall(said, truth)
                    strategies.update(said.get("strategies", {}))
            other = max(rate for word, rate in best.items() if word != "planned" and recalls[word] >= WANTED)
            text = (
                f"planned {best['planned']:,.0f} a CPU second ({', '.join(strategies)}), graph {best['graph']:,.0f} at recall "
                f"{recalls['graph']:.4f}, comparing {best['compare']:,.0f}; effort {effort}, {kept:,} kept"
            )
            figures.append(at_least(
                f"4{letter}", f"{name}, {100 * share:g} % kept: recall", recalls["planned"], "", WANTED, spread=text))
            figures.append(at_least(
                f"4{letter}", f"{name}, {100 * share:g} % kept: queries a second over the better of graph and comparing",
                best["planned"] / other, "", 0.8, ratio=round(best["planned"] / other, 3), spread=text,
            ))  # fmt: skip
    return figures


def len_of(name):
    return {"easy128": 100_000, "hard384": 50_000}[name]
