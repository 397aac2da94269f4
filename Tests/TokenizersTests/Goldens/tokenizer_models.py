#!/usr/bin/env python3
"""Small tokenizers of every family, trained here, and what Hugging Face's library and SentencePiece make of texts.

  python tokenizer_models.py                                    writes tokenizer-models.json beside this file
  python tokenizer_models.py --fuzz 20000 --program 'bench ids {tokenizer} {lines} special offsets {parse}'

The golden holds, for each model, its file and cases of text, ids, byte ranges and decoded text. With --fuzz, nothing is
written, and a program is compared that prints `ids|start,end start,end ...` for each JSON string of a file.
"""
import argparse
import base64
import io
import json
import os
import random
import shlex
import subprocess
import tempfile

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from tokenizer_strings import WORDS, strings

HERE = os.path.dirname(os.path.abspath(__file__))
LLAMA = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CL100K = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def corpus(seed=7):
    rng = random.Random(seed)
    syllables = ["ta", "ke", "ni", "so", "ra", "mu", "the", "an", "ing", "tion", "re", "un", "er", "st", "qu"]
    words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(300)] + WORDS
    return [" ".join(rng.choice(words) for _ in range(rng.randint(3, 12))) + rng.choice(".!?") for _ in range(600)]


def byte_bpe(size, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, trainers.BpeTrainer(
        vocab_size=size, special_tokens=["<|end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)


def trained(tokenizer, trainer):
    tokenizer.train_from_iterator(corpus(), trainer)
    return tokenizer


def gpt2():
    tokenizer = trained(*byte_bpe(420))
    tokenizer.add_special_tokens([AddedToken("<|pad|>", special=True)])
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def llama3():
    tokenizer, trainer = byte_bpe(420)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(LLAMA), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer = trained(tokenizer, trainer)
    state = json.loads(tokenizer.to_str())
    state["model"]["ignore_merges"] = True
    # Tokens that merging does not give.
    for piece in ["Ġorr", "ery", "Ġorrery"]:
        state["model"]["vocab"][piece] = len(state["model"]["vocab"])
    tokenizer = Tokenizer.from_str(json.dumps(state))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="<|end|> $A", pair="<|end|> $A <|end|>:1 $B:1", special_tokens=[("<|end|>", 0)])])
    return tokenizer


def falcon():
    """Steps after the byte alphabet see its characters."""
    tokenizer, trainer = byte_bpe(400)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False),
        pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")])
    return trained(tokenizer, trainer)


def cl100k():
    tokenizer, trainer = byte_bpe(400)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(CL100K), "removed", invert=True),
        pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False)])
    return trained(tokenizer, trainer)


def llama2():
    bytes_ = [f"<0x{b:02X}>" for b in range(256)]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer = trained(tokenizer, trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<unk>", "<s>", "</s>"] + bytes_, show_progress=False, limit_alphabet=60,
        max_token_length=8))
    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [t for t in state["added_tokens"] if t["content"] not in bytes_]
    tokenizer = Tokenizer.from_str(json.dumps(state))
    tokenizer.decoder = decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1), ("</s>", 2)])
    tokenizer.add_tokens([AddedToken("turns", single_word=True), AddedToken("mid", lstrip=True, rstrip=True, normalized=False)])
    return tokenizer


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    tokenizer = trained(tokenizer, trainers.UnigramTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0), trim_offsets=False, add_prefix_space=False)
    return tokenizer


def t5():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.decoder = decoders.Metaspace()
    return trained(tokenizer, trainers.UnigramTrainer(
        vocab_size=280, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False))


def bert():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer = trained(tokenizer, trainers.WordPieceTrainer(
        vocab_size=450, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens([AddedToken("[MASK]", special=True, lstrip=True)])
    return tokenizer


def word_level():
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Nmt()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Split("a", "merged_with_next")])
    return trained(tokenizer, trainers.WordLevelTrainer(vocab_size=150, special_tokens=["[UNK]"], show_progress=False))


def clip():
    tokenizer = Tokenizer(models.BPE(unk_token="<|end|>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(CLIP), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.BPEDecoder("</w>")
    return trained(tokenizer, trainers.BpeTrainer(
        vocab_size=380, special_tokens=["<|end|>"], end_of_word_suffix="</w>", show_progress=False, limit_alphabet=90))


def continued():
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.CharDelimiterSplit(" "), pre_tokenizers.FixedLength(length=9)])
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return trained(tokenizer, trainers.BpeTrainer(
        vocab_size=300, special_tokens=["[UNK]"], continuing_subword_prefix="##", show_progress=False, limit_alphabet=40))


def piece_model(kind, rules=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        if rules:
            table = os.path.join(folder, "rules.tsv")
            with open(table, "w", encoding="utf-8") as file:
                for source, target in rules:
                    file.write(" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n")
            options["normalization_rule_tsv"] = table
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(corpus()), model_writer=model, model_type=kind, minloglevel=2, **options)
        return model.getvalue()


RULES = [("ﬁ", "fi"), ("①", "1"), ("Ⅻ", "XII"), ("e\u0301", "é"), ("e\u0301\u0323", "ẹ́"), ("\t", " "), ("\n", " "), ("\u3000", " "), ("½", "1/2")]
PIECE_MODELS = {
    "sp-bpe": lambda: piece_model("bpe", vocab_size=560, byte_fallback=True, normalization_rule_name="identity",
                                  remove_extra_whitespaces=False, character_coverage=0.98, user_defined_symbols=["<mask>", "ta"]),
    "sp-bpe-plain": lambda: piece_model("bpe", RULES, vocab_size=300, add_dummy_prefix=False, character_coverage=0.98),
    "sp-unigram": lambda: piece_model("unigram", RULES, vocab_size=300, character_coverage=0.98),
    "sp-unigram-bytes": lambda: piece_model("unigram", RULES, vocab_size=500, byte_fallback=True, character_coverage=0.98),
}


def precompiled():
    """SentencePiece's Unigram as its converter writes it for Hugging Face."""
    from sentencepiece import sentencepiece_model_pb2 as pb
    proto = pb.ModelProto.FromString(piece_model("unigram", RULES, vocab_size=300, character_coverage=0.98))
    tokenizer = Tokenizer(models.Unigram([(p.piece, p.score) for p in proto.pieces], unk_id=0))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(["<s>", "</s>", "<unk>"])
    return tokenizer


MODELS = {f.__name__: f for f in [
    gpt2, llama3, falcon, cl100k, llama2, unigram, t5, bert, word_level, clip, continued, precompiled]}
# Models whose byte ranges are compared: nothing in them is composed or made from bytes.
OFFSETS = {"cl100k", "llama2", "t5", "continued"}
PLANTED = ["", " ", "the <|end|> of", "<|end|>", " <|end|> x<|pad|>", "turns returns turns.", "a mid b amidb", "<s>x</s>", "x [MASK] y[MASK]",
           "an orrery turns", " orrery", "[UNK] ## ##ing", "<unk> <0x0A>", "<mask>ta stats", "a" * 60]


def byte_ranges(text, offsets):
    places = [0]
    for c in text:
        places.append(places[-1] + len(c.encode()))
    return [[places[a], places[b]] for a, b in offsets]


def golden_case(tokenizer, text, keeps_offsets):
    parsed = tokenizer.encode(text)
    tokenizer.encode_special_tokens = True
    plain = tokenizer.encode(text)
    tokenizer.encode_special_tokens = False
    case = {"text": text, "ids": plain.ids, "decoded": tokenizer.decode(plain.ids)}
    if parsed.ids != plain.ids:
        case["parsed"] = parsed.ids
        if json.loads(tokenizer.to_str())["model"]["type"] == "Unigram":
            # Its trie holds special tokens, so that text becomes them even where that was not asked for: not ours.
            del case["ids"], case["decoded"]
    elif keeps_offsets:
        case["offsets"] = [x for r in byte_ranges(text, plain.offsets) for x in r]
    return case


def write_golden():
    golden = []
    texts = PLANTED + [t[:44] for t in strings(26, 11)]
    for name, make in MODELS.items():
        tokenizer = make()
        entry = {"name": name, "tokenizer": json.loads(tokenizer.to_str()), "cases": [golden_case(tokenizer, t, name in OFFSETS) for t in texts]}
        if name in ("llama3", "llama2", "unigram", "bert"):
            pair = tokenizer.encode("the ring", "an orrery")
            entry["pair"] = {"ids": pair.ids, "types": pair.type_ids}
        golden.append(entry)
    for name, make in PIECE_MODELS.items():
        blob = make()
        processor = sentencepiece.SentencePieceProcessor(model_proto=blob)
        cases = [{"text": t, "ids": processor.encode(t), "decoded": processor.decode(processor.encode(t))}
                 for t in texts if "<s>" not in t and "<unk>" not in t]
        golden.append({"name": name, "model": base64.b64encode(blob).decode(), "cases": cases})
    path = os.path.join(HERE, "tokenizer-models.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(golden, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")
    print(path, os.path.getsize(path), "bytes", sum(len(e["cases"]) for e in golden), "cases")


def fuzz(options):
    texts = PLANTED + strings(options.fuzz, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "texts.jsonl")
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(t) + "\n" for t in texts)
        for name in options.names.split(",") if options.names else list(MODELS) + list(PIECE_MODELS):
            for parse in ([False, True] if name in MODELS else [False]):
                compare(name, parse, texts, lines, folder, options)


def compare(name, parse, texts, lines, folder, options):
    isPieces = name in PIECE_MODELS
    path = os.path.join(folder, name + (".model" if isPieces else ".json"))
    if isPieces:
        blob = PIECE_MODELS[name]()
        open(path, "wb").write(blob)
        processor = sentencepiece.SentencePieceProcessor(model_proto=blob)
        theirs = [(processor.encode(t), None) for t in texts]
    else:
        tokenizer = MODELS[name]()
        tokenizer.save(path)
        tokenizer = Tokenizer.from_file(path)
        tokenizer.encode_special_tokens = not parse
        theirs = [(e.ids, byte_ranges(t, e.offsets)) for t, e in zip(texts, tokenizer.encode_batch(texts))]
    command = [a.format(tokenizer=path, lines=lines, parse="parse" if parse else "") for a in shlex.split(options.program)]
    if isPieces:
        command = [a for a in command if a != "special"]
    output = subprocess.run(command, capture_output=True, text=True)
    ours = []
    for line in output.stdout.split("\n")[:-1]:
        ids, _, ranges = line.partition("|")
        ours.append(([int(x) for x in ids.split()], [[int(x) for x in r.split(",")] for r in ranges.split()]))
    wrong = [i for i, (a, b) in enumerate(zip(ours, theirs)) if a[0] != b[0]]
    moved = [i for i, (a, b) in enumerate(zip(ours, theirs)) if a[0] == b[0] and b[1] is not None
             and [whole(texts[i], r) for r in a[1]] != b[1]]
    print(json.dumps({"model": name, "parse": parse, "strings": len(texts), "compared": len(ours), "ids differ": len(wrong), "offsets differ": len(moved)}), flush=True)
    if output.stderr:
        print("  ", output.stderr.strip()[:300])
    for i in sorted(wrong, key=lambda i: len(texts[i]))[:4]:
        print("   ", ascii(texts[i])[:140], ours[i][0][:30], theirs[i][0][:30])
    for i in sorted(moved, key=lambda i: len(texts[i]))[:4]:
        print("    at", ascii(texts[i])[:100], ours[i][0][:12], ours[i][1][:12], theirs[i][1][:12])


def whole(text, span):
    """A byte range widened to whole characters."""
    data = text.encode()
    start, end = span
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while 0 < end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return [start, end]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fuzz", type=int, default=0)
    parser.add_argument("--program")
    parser.add_argument("--names")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    if options.fuzz:
        fuzz(options)
    else:
        write_golden()


main()
