"""Bar 3: every case of five vocabularies, the ids of Hugging Face on fuzz strings, the way back, and the rate.

The cases are llama.cpp's. The rate is that of text on one core, against tiktoken by turns: a fresh process of ours
reads the text for the first time, when every word is new to it; tiktoken, which remembers no words, has warmed up.
"""

import json
import os
import time

from figures import CouldNotRun, at_least, at_most, attempt
from make_texts import corpus, strings, write_lines
from models import REST, Engine, alone, edition, ours, peer, peer_command, peer_environment, require, shared, version

NAMES = ("gpt-2", "llama-bpe", "qwen2", "llama-spm", "bert-bge")
LOSSLESS = ("gpt-2", "llama-bpe", "qwen2", "llama-spm")
RATES = (("d", "gpt-2"), ("e", "llama-bpe"), ("f", "qwen2"))
ROUNDS = 5


def run(program):
    lines = fuzz_strings(program)
    figures = attempt("3a", "cases of the vocabularies", cases(program))
    figures += attempt("3b", "ids of Hugging Face", lambda: hugging_face(program, lines))
    figures += attempt("3c", "the way back", lambda: way_back(program, lines))
    for letter, name in RATES:
        figures += attempt(f"3{letter}", f"encoding, {name}", lambda: rate(program, letter, name))
    return figures


def vocabulary(name, more=""):
    return shared("inference", "vocab", f"ggml-vocab-{name}.gguf{more}")


def fuzz_strings(program):
    count = 5_000 if program.quick else 100_000
    path = os.path.join(program.data, f"strings-{count}-{edition('make_texts.py')}.jsonl")
    if not os.path.exists(path):
        write_lines(path, strings(count))
    return path


def encoded(program, name, text):
    """Our ids, a list for each line; nothing is added and no special token is read."""
    answer = ours(program, "tokenize", vocabulary(name), "--lines", "--no-bos", text=text)
    return answer.split("\n")[:-1]


def cases(program):
    def measure():
        wrong, count = [], 0
        for name in NAMES:
            with open(vocabulary(name, ".inp"), encoding="utf-8", newline="") as file:
                texts = file.read().split("\n__ggml_vocab_test__\n")
            with open(vocabulary(name, ".out"), encoding="utf-8") as file:
                expected = [" ".join(line.split()) for line in file.read().split("\n")][: len(texts)]
            found = encoded(program, name, "".join(json.dumps(text) + "\n" for text in texts))
            wrong += [f"{name} case {i}" for i, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]]
            wrong += [f"{name}: {len(found)} answers"] * (len(found) != len(texts))
            count += len(texts)
        return at_most(
            "3a", "cases of five vocabularies that differ", len(wrong), "cases", 0,
            spread=f"of {count}" + "".join(f"; {line}" for line in wrong[:5]), peer="llama.cpp's ids in the data",
        )  # fmt: skip

    return measure


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def hugging_face(program, lines):
    """Strings whose ids are not theirs. What they say of a file of strings is kept beside it."""
    texts, wrong, examples = read(lines), {}, []
    for name in NAMES:
        theirs = f"{lines[:-6]}-{name}.ids"
        if not os.path.exists(theirs):
            vocabularies = os.path.dirname(vocabulary(name))
            packages = ("tokenizers", "gguf", "tiktoken")
            peer(program, packages, "hugging_face_ids", vocabularies, name, lines, theirs)
        pairs = list(zip(encoded(program, name, texts), read(theirs).splitlines(), texts.splitlines(), strict=True))
        different = [text for mine, their, text in pairs if mine != their]
        wrong[name] = len(different)
        if different:
            examples.append(f"{name}: {min(different, key=len)[:60]}")
    return at_most(
        "3b", "strings whose ids are not Hugging Face's", sum(wrong.values()), "strings", 0,
        spread=", ".join(f"{name} {count}" for name, count in wrong.items())
        + f" of {texts.count(chr(10))} each" + "".join(f"; {line}" for line in examples),
        peer=version("tokenizers"),
    )  # fmt: skip


def way_back(program, lines):
    """Strings that decoding does not give back. SentencePiece writes spaces as ▁, so that ▁ cannot come back."""
    texts, wrong, count = [json.loads(line) for line in read(lines).splitlines()], [], 0
    for name in LOSSLESS:
        ids = encoded(program, name, read(lines))
        found = ours(program.bench, "detokenize", vocabulary(name), text="".join(line + "\n" for line in ids))
        for text, back in zip(texts, map(json.loads, found.split("\n")[:-1]), strict=True):
            if name == "llama-spm" and "▁" in text:
                continue
            count += 1
            if back != text:
                wrong.append(f"{name}: {ascii(text)[:60]} became {ascii(back)[:60]}")
    return at_most(
        "3c", "strings that do not come back", len(wrong), "strings", 0,
        spread=f"of {count}, {', '.join(LOSSLESS)}" + "".join(f"; {line}" for line in sorted(wrong, key=len)[:3]),
    )  # fmt: skip


def rate(program, letter, name):
    require("tiktoken", "gguf", "tokenizers")
    prose = [shared("retrieval", folder, "corpus.jsonl") for folder in ("cranfield", "xquad-en")]
    lines = os.path.join(program.data, f"corpus-{edition('make_texts.py')}.jsonl")
    if not os.path.exists(lines):
        write_lines(lines, corpus(prose, 4 << 20))
    texts, mine, again, theirs = read(lines), [], [], []
    command = [*alone(), *peer_command("tiktoken_pace", os.path.dirname(vocabulary(name)), name, lines)]
    with Engine(command, peer_environment(program)) as engine:
        engine.ask("again")
        for _ in range(1 if program.quick else ROUNDS):
            answer = engine.ask("again")
            theirs.append(answer["bytes_per_second"])
            time.sleep(REST)
            said = json.loads(ours(program.bench, "encode", vocabulary(name), "--repetitions", 2, text=texts, pinned=True))
            mine.append(said["bytes_per_second"][0])
            again.append(said["bytes_per_second"][1])
    if said["tokens"] != answer["tokens"]:
        raise CouldNotRun(f"{said['tokens']} tokens here, {answer['tokens']} with tiktoken")
    ratio = max(mine) / max(theirs)
    return at_least(
        f"3{letter}", f"encoding, {name}, one core, over tiktoken (stretch 2)", ratio, "", 1.0,
        spread=f"{max(mine) / 1e6:.1f} MB/s, a second pass {max(again) / 1e6:.1f}; {said['bytes'] / 1e6:.1f} MB of "
        f"code and prose, {said['tokens']} tokens on both sides", ratio=round(ratio, 3),
        peer=f"{version('tiktoken')}: {max(theirs) / 1e6:.1f} MB/s, by turns, best of {len(theirs)}",
    )  # fmt: skip
