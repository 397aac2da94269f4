"""Bar 8: measures against ir_measures, sums of contributions, and why-not over planted cases.

Measures are compared query by query over the runs of the data, and over one made here with many ties, grades and queries
without anything relevant.
"""

import glob
import os
import random

from figures import CouldNotRun, at_most, attempt
from models import peer, shared, version
from program import finish, last_line
from retrieval import COLLECTIONS, answer, folder, lettered
from bars.retrieval.words import engine

# Ours, and what ir_measures calls it.
MEASURES = {"nDCG@10": "nDCG@10", "RR": "RR", "R@100": "R@100", "P@5": "P@5", "AP": "AP"}


def run(program):
    figures = attempt("8a", "measures", lambda: measures(program))
    figures += attempt("8b", "contributions", lambda: contributions(program))
    return lettered(8, figures + attempt("8c", "why-not", lambda: planted(program)))


def made(program):
    """Judgments and a run in TREC's layouts: scores of two digits, so that many are equal."""
    chance = random.Random(8)
    judgments, run = [], []
    for query in range(300):
        documents = chance.sample(range(5000), 150)
        for document in documents[:: chance.choice((3, 7, 40))]:
            judgments.append(f"q{query} 0 d{document} {chance.choice((0, 0, 1, 1, 2, 3))}")
        ranked = sorted(((round(chance.uniform(0, 20), 1), document) for document in documents[20:]), reverse=True)
        run += [f"q{query} Q0 d{document} {rank + 1} {score} made" for rank, (score, document) in enumerate(ranked)]
    paths = [os.path.join(folder(program), name) for name in ("made.qrels", "made.run")]
    for path, lines in zip(paths, (judgments, run)):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return paths


def measures(program):
    qrels = shared("retrieval", "cranfield", "qrels", "test.tsv")
    runs = sorted(glob.glob(os.path.join(shared("retrieval", "runs"), "*.run")))
    wrong, compared, largest = [], 0, 0.0
    for judgments, path in [(qrels, path) for path in runs] + [made(program)]:
        mine = answer(program.bench, "measures", judgments, path, "--measures", ",".join(MEASURES))
        their = peer(program, ("ir_measures",), "retrieval_measures", judgments, path, ",".join(MEASURES.values()))
        for our_name, their_name in MEASURES.items():
            values = dict(zip(mine["queries"], mine["values"][our_name], strict=True))
            for query, value in their[their_name].items():
                if query not in values:
                    # A query without anything relevant has no value here, and 0 there.
                    if value != 0:
                        wrong.append(f"{os.path.basename(path)} {our_name} {query}: none, {value:.4f}")
                    continue
                compared += 1
                apart = abs(values[query] - value)
                largest = max(largest, apart)
                if apart > 5e-5:
                    wrong.append(f"{os.path.basename(path)} {our_name} {query}: {values[query]:.4f}, {value:.4f}")
    return at_most(
        "8a", f"values of {', '.join(MEASURES)} that are not those of ir_measures in four digits", len(wrong), "values", 0,
        spread=f"of {compared:,} over {len(runs) + 1} runs; largest difference {largest:.1e}"
        + "".join(f"; {line}" for line in wrong[:4]), peer=version("ir_measures"),
    )  # fmt: skip


def contributions(program):
    largest, count = 0.0, 0
    for name in COLLECTIONS:
        with engine(program, name) as mine:
            said = mine.ask("contributions")
        largest, count = max(largest, said["difference"]), count + said["scores"]
    return at_most(
        "8b", "largest difference between a score and the sum of its contributions", largest, "", 1e-6,
        spread=f"{count:,} scores of {', '.join(COLLECTIONS)}",
    )  # fmt: skip


def planted(program):
    """The cases are tests of the package: filter, analysis, a miss of the index, k, fusion, reranker, budget."""
    found = glob.glob(os.path.join(os.path.dirname(program.binary), "*PackageTests.xctest"))
    if not found:
        raise CouldNotRun("no test bundle beside the program; `make test` has PlantedCaseTests")
    command = [found[0], "--testing-library", "swift-testing", "--filter", r"^RetrievalTests\.PlantedCaseTests/"]
    said = finish(command, program.environment(), 300)
    text = (said.output + said.errors).decode(errors="replace")
    if "Test run with 0 tests" in text or "Test run with" not in text:
        raise CouldNotRun(f"{os.path.basename(found[0])} ran no tests: {last_line(said.errors)}")
    issues = text.count("recorded an issue")
    if said.status != 0 and not issues:
        raise CouldNotRun(f"the tests ended with status {said.status}: {last_line(said.errors)}")
    return at_most(
        "8c", "planted cases that are explained wrongly, or whose remedy does not work", issues, "cases", 0,
        spread="of 500: 60 each of filter, analysis, a miss of the index, k, fusion, reranker and budget, 80 of two faults",
    )  # fmt: skip
