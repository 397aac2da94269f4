"""Bar 1: the graph against hnswlib: queries a second at a recall, building, two threads, recall at an equal effort.

Both have M 16 and efConstruction 200. hnswlib is asked through Python, which costs it about 2 µs a call for single
queries; asked for all at once it has no such cost, and then ours has the same batch on one thread.
"""

from figures import CouldNotRun, at_least, at_most, attempt
from models import version
from retrieval import Vectors, built, curves, lettered, peer_built, peer_searching, rate_at, searching, shown

EFFORTS = {"easy128": (10, 14, 20, 28, 40, 56, 80), "hard384": (10, 20, 28, 40, 56, 80, 120)}
EQUAL = (10, 20, 40, 80)
RECALLS = (0.95, 0.99)
SETS = ("easy128", "hard384")


def run(program):
    figures = []
    for letter, name in zip("ab", SETS):
        figures += attempt(f"1{letter}", f"{name}, searching", lambda: searches(program, letter, name))
    for letter, name in zip("cd", SETS):
        figures += attempt(f"1{letter}", f"{name}, building", lambda: building(program, letter, name))
    return lettered(1, figures)


def searches(program, letter, name):
    vectors, rounds = Vectors(program, name), 2 if program.quick else 7
    figures = []
    with searching(program, vectors, "hnsw") as mine, peer_searching(program, vectors, "hnswlib") as their:
        engines = {"ours": mine, "hnswlib": their}
        for how in ("single", "batch"):
            points = curves(engines, [f"{how} {effort}" for effort in EFFORTS[name]], vectors, rounds)
            for wanted in RECALLS:
                ours, peers = (rate_at(points[engine], wanted) for engine in engines)
                if ours is None or peers is None:
                    raise CouldNotRun(f"recall {wanted} was not reached: {shown(points['ours'])}")
                figures.append(at_least(
                    f"1{letter}", f"{name}, {how}, recall@10 {wanted}: queries a second over hnswlib (stretch 1.5)",
                    ours / peers, "", 1.1, ratio=round(ours / peers, 3),
                    spread=f"{ours:,.0f} a CPU second, best of {rounds} rounds; by effort {shown(points['ours'])}",
                    peer=f"{version('hnswlib')}: {peers:,.0f}; {shown(points['hnswlib'])}",
                ))  # fmt: skip
        recalls = {
            effort: [vectors.recall(engine.ask(f"single {effort}")) for engine in engines.values()] for effort in EQUAL
        }
    worst = max(recalls, key=lambda effort: recalls[effort][1] - recalls[effort][0])
    figures.append(at_most(
        f"1{letter}", f"{name}: recall at an equal effort, how far below hnswlib's", recalls[worst][1] - recalls[worst][0],
        "", 0.003, peer=version("hnswlib"),
        spread="; ".join(f"ef {effort}: {one:.4f}, hnswlib {other:.4f}" for effort, (one, other) in recalls.items()),
    ))  # fmt: skip
    return figures


def building(program, letter, name):
    """Each side builds on one thread, then on two; the processor time of one, and what a second thread is worth."""
    vectors = Vectors(program, name)
    _, one = built(program, vectors, "hnsw")
    _, two = built(program, vectors, "hnsw", threads=2)
    _, theirs = peer_built(program, vectors, "hnswlib")
    _, theirs_two = peer_built(program, vectors, "hnswlib", threads=2)
    speed_up, their_speed_up = one["seconds"] / two["seconds"], theirs["seconds"] / theirs_two["seconds"]
    return [
        at_most(
            f"1{letter}", f"{name}: processor time of building, over hnswlib's", one["cpu_seconds"] / theirs["cpu_seconds"],
            "", 1.0, ratio=round(one["cpu_seconds"] / theirs["cpu_seconds"], 3),
            spread=f"{one['cpu_seconds']:.2f} s, on two threads {two['cpu_seconds']:.2f} s",
            peer=f"{version('hnswlib')}: {theirs['cpu_seconds']:.2f} s, on two threads {theirs_two['cpu_seconds']:.2f} s",
        ),
        at_least(
            f"1{letter}", f"{name}: building on two threads, how many times as fast", speed_up, "", 1.8,
            spread=f"{one['seconds']:.2f} s and {two['seconds']:.2f} s",
            peer=f"{version('hnswlib')}: {their_speed_up:.2f}, {theirs['seconds']:.2f} s and {theirs_two['seconds']:.2f} s",
        ),
    ]  # fmt: skip
