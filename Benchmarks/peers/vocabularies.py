"""Tokenizers of Hugging Face and of tiktoken, built from vocabulary-only GGUF files.

GGUF names the pieces, their kinds, merges and scores; what it does not hold, the pattern that cuts text into pieces,
is here.
"""

import functools

import gguf
import tiktoken
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PATTERNS = {"gpt-2": GPT2, "llama-bpe": LLAMA3, "qwen2": LLAMA3.replace("{1,3}", "")}
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6


@functools.cache
def alphabet():
    """The byte that each character of a byte-level vocabulary stands for."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


class Vocabulary:
    def __init__(self, folder, name):
        self.name = name
        self.reader = gguf.GGUFReader(f"{folder}/ggml-vocab-{name}.gguf")
        self.tokens, self.kinds = self.field("tokens"), self.field("token_type")

    def field(self, key):
        field = self.reader.fields.get("tokenizer.ggml." + key)
        return None if field is None else field.contents()

    def ids(self, *kinds):
        return {token: index for index, token in enumerate(self.tokens) if self.kinds[index] in kinds}

    def tiktoken(self):
        letters = alphabet()
        ranks = {}
        for token, index in self.ids(NORMAL).items():
            if all(letter in letters for letter in token):
                ranks[bytes(letters[letter] for letter in token)] = index
        special = self.ids(CONTROL, USER_DEFINED)
        return tiktoken.Encoding(self.name, pat_str=PATTERNS[self.name], mergeable_ranks=ranks, special_tokens=special)

    def hugging_face(self):
        if self.name in PATTERNS:
            return self.byte_level()
        return self.sentence_piece() if self.field("model") == "llama" else self.word_piece()

    def byte_level(self):
        merges = [tuple(merge.split(" ", 1)) for merge in self.field("merges")]
        is_llama = self.name == "llama-bpe"
        tokenizer = Tokenizer(models.BPE(vocab=self.ids(NORMAL), merges=merges, ignore_merges=is_llama))
        split = pre_tokenizers.Split(Regex(PATTERNS[self.name]), "isolated")
        letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, letters])
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    def sentence_piece(self):
        """Merges are what gives a piece, the best score first; of two that give the same, that of the lower ids."""
        ids, scores = self.ids(NORMAL, UNKNOWN, BYTE), self.field("scores")
        merges = []
        for piece, index in self.ids(NORMAL).items():
            for cut in range(1, len(piece)):
                left, right = piece[:cut], piece[cut:]
                if left in ids and right in ids:
                    merges.append((-scores[index], ids[left], ids[right], (left, right)))
        merges = [merge[3] for merge in sorted(merges)]
        tokenizer = Tokenizer(
            models.BPE(vocab=ids, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
        )
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        return tokenizer

    def word_piece(self):
        def spelled(token):
            if token.startswith("[") and token.endswith("]"):
                return token
            return token[1:] if token.startswith("▁") else "##" + token

        ids = {spelled(token): index for index, token in enumerate(self.tokens)}
        tokenizer = Tokenizer(models.WordPiece(vocab=ids, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer
