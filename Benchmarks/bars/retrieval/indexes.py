"""Bar 2: the other indexes: comparing all against faiss, inverted files at equal settings, Vamana from the file.

Inverted files have 1024 lists on both sides, trained by each for itself; product quantization has as many bytes a vector
(16 of 128 dimensions, 48 of 384). The largest difference counts where ours finds less. The gigabyte takes minutes to
build: it is measured where ORRERY_BENCH_GIGABYTE is set, and what was measured then is shown at other times.
"""

import json
import os

from figures import CouldNotRun, at_least, at_most, attempt
from models import version
from retrieval import Vectors, built, curves, folder, lettered, ours, peer_searching, searching, shown

PROBES = (1, 4, 16, 64)
SETS = ("easy128", "hard384")
GIGABYTE = "passes=1"


def run(program):
    figures = []
    for name in SETS:
        figures += attempt("2a", f"{name}, comparing all", lambda: flat(program, name))
    for letter, kind in (("b", "ivf"), ("c", "ivf-pq")):
        for name in SETS:
            figures += attempt(f"2{letter}", f"{name}, {kind}", lambda: lists(program, letter, kind, name))
    for name in SETS:
        figures += attempt("2d", f"{name}, ivf-pq with re-ranking", lambda: reranked(program, name))
    figures += attempt("2e", "Vamana", lambda: vamana(program))
    figures += attempt("2f", "Vamana over 1 GB", lambda: gigabyte(program))
    return lettered(2, figures)


def flat(program, name):
    vectors, rounds, figures = Vectors(program, name), 1 if program.quick else 3, []
    with searching(program, vectors, "flat") as mine, peer_searching(program, vectors, "faiss-flat") as their:
        for how in ("single", "batch"):
            points = curves({"ours": mine, "faiss": their}, [f"{how} 0"], vectors, rounds)
            (_, recall, rate), (_, _, theirs) = points["ours"][0], points["faiss"][0]
            figures.append(at_least(
                "2a", f"{name}, comparing all, {how}: queries a second over faiss", rate / theirs, "", 1.0,
                ratio=round(rate / theirs, 3), spread=f"{rate:,.0f} a CPU second, best of {rounds}; recall {recall:.4f}",
                peer=f"{version('faiss-cpu')}: {theirs:,.0f}",
            ))  # fmt: skip
    return figures


def lists(program, letter, kind, name):
    vectors = Vectors(program, name)
    ask = {"ours": [f"single {probes} -1" for probes in PROBES], "faiss": [f"single {probes}" for probes in PROBES]}
    with (
        searching(program, vectors, kind) as mine,
        peer_searching(program, vectors, f"faiss-{kind}") as their,
    ):  # fmt: skip
        points = curves({"ours": mine, "faiss": their}, ask, vectors, 1 if program.quick else 2)
    below = [their[1] - our[1] for our, their in zip(points["ours"], points["faiss"])]
    return at_most(
        f"2{letter}", f"{name}, {kind}: recall at equal settings, how far below faiss's", max(below), "", 0.01,
        spread=f"lists visited: recall at queries a CPU second: {shown(points['ours'])}",
        peer=f"{version('faiss-cpu')}: {shown(points['faiss'])}",
    )  # fmt: skip


def reranked(program, name):
    vectors = Vectors(program, name)
    with searching(program, vectors, "ivf-pq") as mine:
        points = curves({"ours": mine}, [f"single {probes} 100" for probes in (16, 32, 64, 128)], vectors, 1)["ours"]
    best = max(points, key=lambda point: point[1])
    return at_least(
        "2d", f"{name}, ivf-pq, 100 compared again: recall", best[1], "", 0.98,
        spread=f"lists visited: recall at queries a CPU second: {shown(points)}",
    )  # fmt: skip


def vamana(program):
    vectors = Vectors(program, "easy128")
    figures = []
    for what, more in (("in memory", ()), ("node by node from the file", ("--from-file",))):
        with searching(program, vectors, "vamana", *more) as mine:
            points = curves({"ours": mine}, [f"single {effort}" for effort in (10, 20, 40)], vectors, 1)["ours"]
        figures.append(at_least(
            "2e", f"easy128, Vamana, {what}: recall at L 10", points[0][1], "", 0.987, spread=shown(points),
            peer="diskannpy 0.7: .9876 from one thread, as measured once",
        ))  # fmt: skip
    return figures


def gigabyte(program):
    kept = os.path.join(folder(program), "gigabyte.json")
    if os.environ.get("ORRERY_BENCH_GIGABYTE"):
        vectors = Vectors(program, "gigabyte")
        path, made = built(program, vectors, "vamana", parameters=GIGABYTE, threads=2)
        with ours(
            program, "vectors", path, vectors.queries, "--kind", "vamana", "--metric", vectors.metric, "--from-file"
        ) as mine:
            ready = mine.ready
            said = {effort: mine.ask(f"single {effort}") for effort in (10, 20, 40, 80)}
        found = {
            "made": made,
            "before": ready["resident_mb_before"],
            "after": max(answer["resident_mb"] for answer in said.values()),
            "recall": {effort: vectors.recall(answer) for effort, answer in said.items()},
            "milliseconds": {effort: 1000 * answer["seconds"] / len(answer["ids"]) for effort, answer in said.items()},
            "megabytes": os.path.getsize(vectors.base) / 2**20,
        }
        with open(kept, "w", encoding="utf-8") as file:
            json.dump(found, file)
    if not os.path.exists(kept):
        raise CouldNotRun("ORRERY_BENCH_GIGABYTE is not set, and nothing was measured earlier")
    with open(kept, encoding="utf-8") as file:
        found = json.load(file)
    share = (found["after"] - found["before"]) / found["megabytes"]
    return at_most(
        "2f", "Vamana over 1 GB: memory that searching adds, of the vectors' bytes", 100 * share, "%", 25,
        spread=f"{found['after'] - found['before']:.0f} of {found['megabytes']:.0f} MB; "
        + ", ".join(
            f"L {effort}: recall {recall:.4f} in {found['milliseconds'][effort]:.2f} ms"
            for effort, recall in found["recall"].items()
        )
        + f"; built in {found['made']['seconds']:.0f} s",
    )  # fmt: skip
