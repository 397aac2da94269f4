"""Bar 4: searches that a filter restricts, at random, to 50, 10, 1 and 0.1 % of the vectors.

The planner's choice stands against the graph with the same filter and against comparing all that are kept. All are
compared by the fastest of their settings that finds at least .95.
"""

from figures import at_least, attempt
from retrieval import Vectors, lettered, searching, shown

SHARES = (0.5, 0.1, 0.01, 0.001)
EFFORTS = {"easy128": (10, 16, 28, 40), "hard384": (14, 24, 40, 80)}
COUNTS = {"easy128": 100_000, "hard384": 50_000}
WANTED = 0.95


def run(program):
    figures = []
    for letter, name in zip("ab", EFFORTS):
        figures += attempt(f"4{letter}", f"{name}, filtered", lambda: filtered(program, letter, name))
    return lettered(4, figures)


def filtered(program, letter, name):
    vectors, figures = Vectors(program, name), []
    with searching(program, vectors, "hnsw") as mine:
        for share in SHARES:
            kept = mine.ask(f"filter {int(share * COUNTS[name])} 5")["kept"]
            truth, strategies = [set(ids) for ids in mine.ask("compare")["ids"]], {}
            # A graph without room to walk takes seconds: once is enough to see that.
            rounds = 1 if share < 0.05 else 2 if program.quick else 4
            efforts = EFFORTS[name] if share >= 0.05 else EFFORTS[name][-1:]
            best = {}
            for turn in range(rounds):
                for how in [f"{word} {effort}" for effort in efforts for word in ("planned", "graph")] + ["compare"]:
                    for _ in range(1 if how.startswith("graph") or share >= 0.05 else 5):
                        said = mine.ask(how)
                        point = best.setdefault(how, [vectors.recall(said, truth), 0.0])
                        point[1] = max(point[1], len(said["ids"]) / said["cpu_seconds"])
                    for strategy, count in said.get("strategies", {}).items():
                        strategies[strategy] = strategies.get(strategy, 0) + count
            points = {
                word: [(how, *point) for how, point in best.items() if how.startswith(word + " ")]
                for word in ("planned", "graph")
            }
            planned, graph = (
                max((rate for _, recall, rate in points[word] if recall >= WANTED), default=0.0) for word in points
            )
            exact = best["compare"][1]
            text = (
                f"{kept:,} kept; planned by effort {shown(points['planned'])} ({', '.join(sorted(strategies))}); graph "
                f"{shown(points['graph'])}; comparing all kept {exact:,.0f}"
            )
            figures.append(at_least(
                f"4{letter}", f"{name}, {100 * share:g} % kept: recall at effort {efforts[-1]}", points["planned"][-1][1], "",
                WANTED, spread=text))  # fmt: skip
            ratio = planned / max(graph, exact)
            figures.append(at_least(
                f"4{letter}", f"{name}, {100 * share:g} % kept, at recall .95 and more: queries a second over the better of "
                "graph and comparing", ratio, "", 0.8, ratio=round(ratio, 3),
                spread=f"the fastest at that recall: planned {planned:,.0f} a CPU second, graph {graph:,.0f}, "
                f"comparing {exact:,.0f}",
            ))  # fmt: skip
    return figures
