"""Bar 5: BM25: scores and quality as they should be, queries a second against bm25s with numba, megabytes indexed.

Quality is that of the exact scores of Lucene's BM25 (see peers/retrieval_words.py), worked out here with trec_eval's
definitions from our rankings: nDCG@10 with linear gain, recall@100. Speed is taken with queries whose words were analyzed
beforehand, on both sides; bm25s is called once a query, or once for all of them.
"""

import math
import os
import time

from figures import at_least, at_most, attempt
from models import REST, shared, version
from retrieval import COLLECTIONS, folder, lettered, ours, theirs

SETTINGS = (
    ("english", "en", 0.9, 0.4),
    ("english", "en", 1.2, 0.75),
    ("words", "none", 0.9, 0.4),
    ("words", "none", 1.2, 0.75),
)
# nDCG@10 and recall@100 of the exact scores, in the order of the settings.
QUALITY = {
    "cranfield": ((0.3433, 0.7221), (0.3597, 0.7314), (0.3163, 0.6758), (0.3337, 0.6943)),
    "xquad-en": ((0.9648, 0.9966), (0.9651, 0.9966), (0.9580, 0.9966), (0.9587, 0.9966)),
}
BYTE_NORMS = (0.3426, 0.7206)
ROUNDS = 9
COPIES = 24


def run(program):
    figures = []
    for name in COLLECTIONS:
        figures += attempt("5a", f"{name}, scores", lambda: scores(program, name))
        figures += attempt("5b", f"{name}, quality", lambda: quality(program, name))
    figures += attempt("5b", "cranfield, Porter and lengths in a byte", lambda: byte_norms(program))
    for name in COLLECTIONS:
        figures += attempt("5c", f"{name}, queries a second", lambda: speed(program, name))
    for name in COLLECTIONS:
        figures += attempt("5d", f"{name}, indexing", lambda: indexing(program, name))
    return lettered(5, figures)


def engine(program, name, analyzer="english", k1=0.9, b=0.4, *more):
    path = os.path.join(folder(program), "words.orrery")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    return ours(
        program, "words", shared("retrieval", name), path, "--analyzer", analyzer, "--k1", k1, "--b", b, *more)


def peer(program, name, kind="en", k1=0.9, b=0.4):
    packages = ("numpy", "bm25s", "numba", "Stemmer")
    return theirs(program, packages, "retrieval_words", shared("retrieval", name), kind, k1, b)


def scores(program, name):
    largest, compared, missing, where = 0.0, 0, 0, ""
    for analyzer, kind, k1, b in SETTINGS:
        with engine(program, name, analyzer, k1, b) as mine, peer(program, name, kind, k1, b) as their:
            found, right = mine.ask("run 100")["run"], their.ask("run 100")["run"]
        for query, ranking in right.items():
            known = dict(found.get(query, []))
            missing += len(ranking) != len(known)
            # What is equal may stand in another order, and only one of two that are equal be the hundredth.
            last = ranking[-1][1] if ranking else 0
            for document, score in ranking:
                if document not in known:
                    missing += score > last + 1e-6
                    continue
                compared += 1
                if abs(known[document] - score) > largest:
                    largest, where = abs(known[document] - score), f"{kind} {k1}/{b}, query {query}, document {document}"
    return [
        at_most(
            "5a", f"{name}: largest difference of a score among the first 100, four settings", largest, "", 1e-4,
            spread=f"of {compared:,} scores; {where}", peer="Lucene's formula in double precision",
        ),
        at_most("5a", f"{name}: documents that should be among the first 100 and are not", missing, "documents", 0),
    ]  # fmt: skip


def judgments(name):
    grades = {}
    with open(shared("retrieval", name, "qrels", "test.tsv"), encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            query, document, grade = line.split("\t")
            grades.setdefault(query, {})[document] = int(grade)
    return grades


def measures(run, grades):
    """nDCG@10 and recall@100, means over the queries that have a relevant document."""
    gains, recalls = [], []
    for query, judged in grades.items():
        relevant = {document: grade for document, grade in judged.items() if grade > 0}
        if not relevant:
            continue
        ranking = [document for document, _ in run.get(query, [])]
        gain = sum(relevant.get(document, 0) / math.log2(rank + 2) for rank, document in enumerate(ranking[:10]))
        ideal = sorted(relevant.values(), reverse=True)[:10]
        gains.append(gain / sum(grade / math.log2(rank + 2) for rank, grade in enumerate(ideal)))
        recalls.append(sum(document in relevant for document in ranking[:100]) / len(relevant))
    return sum(gains) / len(gains), sum(recalls) / len(recalls)


def quality(program, name):
    grades, off, text = judgments(name), 0, []
    for (analyzer, kind, k1, b), right in zip(SETTINGS, QUALITY[name]):
        with engine(program, name, analyzer, k1, b) as mine:
            found = measures(mine.ask("run 100")["run"], grades)
        off += sum(f"{value:.4f}" != f"{known:.4f}" for value, known in zip(found, right))
        text.append(f"{kind} {k1}/{b}: {found[0]:.4f} {found[1]:.4f}")
    return at_most(
        "5b", f"{name}: nDCG@10 and recall@100 that differ in four digits, of 8", off, "values", 0, spread="; ".join(text),
        peer="exact scores: " + "; ".join(f"{one:.4f} {other:.4f}" for one, other in QUALITY[name]),
    )  # fmt: skip


def byte_norms(program):
    with engine(program, "cranfield", "standard", 0.9, 0.4, "--byte-norms") as mine:
        found = measures(mine.ask("run 100")["run"], judgments("cranfield"))
    off = sum(f"{value:.4f}" != f"{known:.4f}" for value, known in zip(found, BYTE_NORMS))
    return at_most(
        "5b", "cranfield, Porter's first stemmer and Lucene's lengths: values that differ, of 2", off, "values", 0,
        spread=f"{found[0]:.4f} {found[1]:.4f}", peer=f"exact scores: {BYTE_NORMS[0]:.4f} {BYTE_NORMS[1]:.4f}",
    )  # fmt: skip


def speed(program, name):
    figures, count = [], 0
    with engine(program, name) as mine, peer(program, name) as their:
        best = {}
        for turn in range(3 if program.quick else ROUNDS):
            for how in ("single 10", "batch 10"):
                for side, one in (("ours", mine), ("bm25s", their)):
                    time.sleep(REST / 5)
                    said = one.ask(how)
                    if turn:
                        best[side, how] = min(best.get((side, how), 9e9), said["cpu_seconds"])
        count = mine.ready["queries"]
        analyzed = count / min(mine.ask("analyzed 10")["cpu_seconds"] for _ in range(3))
    for how in ("single 10", "batch 10"):
        rate, peers = count / best["ours", how], count / best["bm25s", how]
        figures.append(at_least(
            "5c", f"{name}, {how.split()[0]}: queries a second over bm25s with numba (stretch 3)", rate / peers, "", 1.0,
            ratio=round(rate / peers, 3),
            spread=f"{rate:,.0f} a CPU second, k 10, best of {ROUNDS - 1}; {analyzed:,.0f} with analysis of the query",
            peer=f"{version('bm25s')}: {peers:,.0f}",
        ))  # fmt: skip
    return figures


def indexing(program, name):
    """The collection many times over, so that there is something to do: the vocabulary stays that of one."""
    copies = COPIES if name == "cranfield" else 4 * COPIES
    rates = []
    for _ in range(1 if program.quick else 3):
        with engine(program, name, "english", 0.9, 0.4, "--copies", copies) as mine:
            rates.append(mine.ready["bytes"] / 1e6 / mine.ready["cpu_seconds"])
    return at_least(
        "5d", f"{name}, {copies} times: megabytes a second that are analyzed, indexed and saved", max(rates), "MB/s", 40,
        spread=f"{', '.join(f'{rate:.1f}' for rate in sorted(rates))} MB/s of processor time; "
        f"{mine.ready['bytes'] / 1e6:.1f} MB, {mine.ready['documents']:,} documents",
    )  # fmt: skip
