#!/usr/bin/env python3
"""Compares ids with Hugging Face tokenizers built from vocabulary-only GGUF files.

  python tokenizer_fuzz.py VOCAB_DIR --program '.build/release/orrery model tokenize --vocabulary {vocabulary} --lines {lines}'

The program gets a file with one JSON string a line and prints the ids of each, separated by spaces, without BOS or EOS
and without parsing special tokens.
"""
import argparse
import json
import os
import shlex
import subprocess
import tempfile

import gguf
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from tokenizer_strings import strings

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PATTERNS = {"gpt-2": GPT2, "llama-bpe": LLAMA, "qwen2": LLAMA.replace("{1,3}", "")}


class Vocabulary:
    def __init__(self, path):
        self.reader = gguf.GGUFReader(path)
        self.tokens = self.field("tokens")
        self.types = self.field("token_type")

    def field(self, key):
        value = self.reader.fields.get("tokenizer.ggml." + key)
        return None if value is None else value.contents()

    def normal(self):
        return {t: i for i, t in enumerate(self.tokens) if self.types[i] in (1, 6, 2)}


def byte_level(vocabulary, name):
    merges = [tuple(m.split(" ", 1)) for m in vocabulary.field("merges")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary.normal(), merges=merges, ignore_merges=name == "llama-bpe"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERNS[name]), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def sentence_piece(vocabulary):
    vocab = vocabulary.normal()
    scores = vocabulary.field("scores")
    merges = []
    for piece, i in vocab.items():
        if vocabulary.types[i] != 1:
            continue
        for cut in range(1, len(piece)):
            left, right = piece[:cut], piece[cut:]
            if left in vocab and right in vocab:
                merges.append((-scores[i], vocab[left], vocab[right], left, right))
    merges.sort(key=lambda m: m[:3])
    tokenizer = Tokenizer(models.BPE(
        vocab=vocab, merges=[(m[3], m[4]) for m in merges], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return tokenizer


def word_piece(vocabulary):
    def written(t):
        return t if t.startswith("[") and t.endswith("]") else t[1:] if t.startswith("▁") else "##" + t

    vocab = {written(t): i for i, t in enumerate(vocabulary.tokens)}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def build(name, path):
    vocabulary = Vocabulary(path)
    if name in PATTERNS:
        return byte_level(vocabulary, name)
    return sentence_piece(vocabulary) if name == "llama-spm" else word_piece(vocabulary)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--program", required=True)
    parser.add_argument("--names", default="gpt-2,llama-bpe,qwen2,llama-spm,bert-bge")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts = strings(options.count, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "texts.jsonl")
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(t) + "\n" for t in texts)
        for name in options.names.split(","):
            path = os.path.join(options.folder, f"ggml-vocab-{name}.gguf")
            command = [a.format(vocabulary=path, lines=lines) for a in shlex.split(options.program)]
            output = subprocess.run(command, capture_output=True, text=True)
            ours = [[int(x) for x in line.split()] for line in output.stdout.split("\n")[:-1]]
            theirs = [e.ids for e in build(name, path).encode_batch_fast(texts, add_special_tokens=False)]
            wrong = [i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b]
            print(json.dumps({"vocabulary": name, "strings": len(texts), "compared": len(ours), "different": len(wrong)}))
            if output.stderr:
                print("  " + output.stderr.strip()[:200])
            for i in sorted(wrong, key=lambda i: len(texts[i]))[:6]:
                print("  ", ascii(texts[i])[:160], ours[i][:24], theirs[i][:24])


main()
