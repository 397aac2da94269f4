"""Makes a small corpus and what Hugging Face's trainers learn from it.

Writes training-corpus.txt (texts of one line each) and training-expected.json: the merges of byte-level BPE in order, the
WordPiece vocabulary as a set, and the Unigram vocabulary with the log-likelihood per character that it gives to the last
tenth of the corpus, which it has not seen.
"""

import json
import pathlib
import random

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

FOLDER = pathlib.Path(__file__).parent


def corpus():
    """Words of syllables with Zipf's frequencies, with numbers, contractions, accents and other scripts among them."""
    rng = random.Random(7)
    onsets = ["b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w", "sh", ""]
    nuclei = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
    codas = ["", "", "n", "r", "s", "t", "l", "ng", "st"]
    syllables = [a + b + c for a in onsets for b in nuclei for c in codas]
    words = ["".join(rng.choice(syllables) for _ in range(rng.choice([1, 1, 2, 2, 3]))) for _ in range(1500)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    unusual = ["café", "naïve", "Straße", "日本語", "東京都", "привет", "🙂", "x²", "e\u0301t\u0301", "ﬁn"]
    lines = []
    for _ in range(600):
        line = []
        for word in rng.choices(words, weights, k=rng.randint(4, 14)):
            draw = rng.random()
            if draw < 0.03:
                word = str(rng.randint(0, 99999))
            elif draw < 0.06:
                word += rng.choice(["'s", "'ll", "n't", "-" + rng.choice(words)])
            elif draw < 0.09:
                word = rng.choice(unusual)
            elif draw < 0.2:
                word = word.capitalize()
            line.append(word + rng.choice(["", "", "", "", "", ",", ";", "!"]))
        lines.append(rng.choice(["", "", "  ", "\t"]) + rng.choice([" ", " ", " ", "  "]).join(line) + rng.choice([".", "?", ""]))
    return lines


def bpe(lines):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=1000, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    frequent = Tokenizer(models.BPE())
    frequent.pre_tokenizer = tokenizer.pre_tokenizer
    trainer = trainers.BpeTrainer(
        vocab_size=5000, min_frequency=20, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    frequent.train_from_iterator(lines, trainer)
    return {
        "merges": [" ".join(merge) for merge in model["merges"]],
        "pieces": sorted(model["vocab"], key=model["vocab"].get),
        "frequent": frequent.get_vocab_size(),
    }


def wordpiece(lines):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=800, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    return sorted(tokenizer.get_vocab())


def unigram(lines):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=600, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    held_out = lines[len(lines) * 9 // 10 :]
    tokenizer.train_from_iterator(lines[: len(lines) * 9 // 10], trainer)
    scores = json.loads(tokenizer.to_str())["model"]["vocab"]
    lowest = min(score for _, score in scores)
    total = sum(scores[id][1] if id else lowest - 10 for line in held_out for id in tokenizer.encode(line).ids)
    return {
        "pieces": [piece for piece, _ in scores],
        "logLikelihood": total / sum(len(line) for line in held_out),
        "tokens": sum(len(tokenizer.encode(line).ids) for line in held_out),
    }


def main():
    lines = corpus()
    (FOLDER / "training-corpus.txt").write_text("\n".join(lines) + "\n")
    expected = {"bpe": bpe(lines), "wordpiece": wordpiece(lines), "unigram": unigram(lines)}
    (FOLDER / "training-expected.json").write_text(
        json.dumps(expected, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n")
    print(len(expected["bpe"]["merges"]), "merges,", len(expected["wordpiece"]), "pieces of WordPiece,",
          len(expected["unigram"]["pieces"]), "of Unigram")


main()
