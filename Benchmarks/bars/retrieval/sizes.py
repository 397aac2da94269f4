"""Bar 3: what the graph takes: bytes a vector in the workspace, and memory of a process that loads it and searches.

Memory is what loading and 1000 searches add to a process in which the queries and libraries are already there.
"""

from figures import at_most, attempt
from models import version
from retrieval import Vectors, built, lettered, peer_built, peer_searching, searching


def run(program):
    figures = []
    for name in ("easy128", "hard384"):
        figures += attempt("3a", f"{name}, bytes", lambda: on_disk(program, name))
        figures += attempt("3b", f"{name}, memory", lambda: in_memory(program, name))
    return lettered(3, figures)


def on_disk(program, name):
    vectors = Vectors(program, name)
    mine, theirs = built(program, vectors, "hnsw")[1], peer_built(program, vectors, "hnswlib")[1]
    each = [said["bytes"] / said["vectors"] for said in (mine, theirs)]
    return at_most(
        "3a", f"{name}, HNSW: bytes a vector on the disk, over hnswlib's", each[0] / each[1], "", 1.02,
        ratio=round(each[0] / each[1], 4), spread=f"{each[0]:.1f} bytes in segments",
        peer=f"{version('hnswlib')}: {each[1]:.1f} bytes",
    )  # fmt: skip


def in_memory(program, name):
    vectors, grown, whole = Vectors(program, name), [], []
    with searching(program, vectors, "hnsw") as mine, peer_searching(program, vectors, "hnswlib") as their:
        for engine in (mine, their):
            after = engine.ask("single 40")["resident_mb"]
            grown.append(after - engine.ready["resident_mb_before"])
            whole.append(after)
    return at_most(
        "3b", f"{name}, HNSW: memory of loading and searching, over hnswlib's", grown[0] / grown[1], "", 1.1,
        ratio=round(grown[0] / grown[1], 3), spread=f"{grown[0]:.1f} MB; the whole process {whole[0]:.0f} MB",
        peer=f"{version('hnswlib')}: {grown[1]:.1f} MB; with Python {whole[1]:.0f} MB",
    )  # fmt: skip
