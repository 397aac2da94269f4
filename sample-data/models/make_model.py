#!/usr/bin/env python3
"""Make `wanderer`, the sample model: a folder as Hugging Face writes it, small enough to look through.

usage: make_model.py [FOLDER]          needs numpy; the same bytes every time with the same numpy

It is a Llama of two layers whose embeddings have learned which token follows which in wanderer.txt (a log-bilinear bigram
model, fitted here by gradient descent); attention and feed-forward are small seeded noise. So it writes words, knows
nothing, and everything about it can be seen. The tokenizer is byte-pair encoding, trained here on the same text.
"""

import json
import os
import re
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, LAYERS, HEADS, KV_HEADS, FEED_FORWARD, MERGES, CONTEXT = 64, 2, 4, 2, 128, 160, 512
SPECIAL = ["<|begin|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"]
PATTERN = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ '<|' + message.role + '|>' + message.content + '<|end|>' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def byte_alphabet():
    """The characters by which byte-level vocabularies write bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, extra = {}, 0
    for byte in range(256):
        if byte in printable:
            letters[byte] = chr(byte)
        else:
            letters[byte] = chr(256 + extra)
            extra += 1
    return letters


def train_tokenizer(text):
    letters = byte_alphabet()
    words = [[letters[b] for b in piece.encode()] for piece in PATTERN.findall(text)]
    merges = []
    for _ in range(MERGES):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        for index, word in enumerate(words):
            merged, place = [], 0
            while place < len(word):
                if tuple(word[place : place + 2]) == best:
                    merged.append(word[place] + word[place + 1])
                    place += 2
                else:
                    merged.append(word[place])
                    place += 1
            words[index] = merged
    pieces = SPECIAL + [letters[b] for b in range(256)] + [left + right for left, right in merges]
    return {piece: index for index, piece in enumerate(pieces)}, merges, words


def fit_bigrams(pairs, size, generator):
    """Embeddings E and outputs W so that softmax(rms(E[x]) W^T) is near the text's own bigrams."""
    embedding = generator.standard_normal((size, WIDTH)).astype(np.float64)
    output = 0.1 * generator.standard_normal((size, WIDTH))
    counts = np.full((size, size), 2e-4)
    for left, right in pairs:
        counts[left, right] += 1
    target = counts / counts.sum(1, keepdims=True)
    seen = counts.sum(1) > 0.5
    moments = [np.zeros_like(embedding), np.zeros_like(output), np.zeros_like(embedding), np.zeros_like(output)]
    for step in range(1, 401):
        scale = np.sqrt((embedding**2).mean(1, keepdims=True) + 1e-5)
        hidden = embedding / scale
        logits = hidden @ output.T
        logits -= logits.max(1, keepdims=True)
        predicted = np.exp(logits)
        predicted /= predicted.sum(1, keepdims=True)
        error = (predicted - target) * seen[:, None]
        to_hidden = error @ output
        to_embedding = (to_hidden - hidden * (to_hidden * hidden).mean(1, keepdims=True)) / scale
        for index, (value, gradient) in enumerate([(embedding, to_embedding), (output, error.T @ hidden)]):
            moments[index] = 0.9 * moments[index] + 0.1 * gradient
            moments[index + 2] = 0.99 * moments[index + 2] + 0.01 * gradient**2
            value -= 0.05 * (moments[index] / (1 - 0.9**step)) / (np.sqrt(moments[index + 2] / (1 - 0.99**step)) + 1e-8)
    return embedding, output


def weights(embedding, output, generator):
    noise = lambda *shape: 0.02 * generator.standard_normal(shape)  # noqa: E731
    head = WIDTH // HEADS
    yield "model.embed_tokens.weight", embedding
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        yield name + "input_layernorm.weight", np.ones(WIDTH)
        yield name + "self_attn.q_proj.weight", 10 * noise(HEADS * head, WIDTH)
        yield name + "self_attn.k_proj.weight", 10 * noise(KV_HEADS * head, WIDTH)
        yield name + "self_attn.v_proj.weight", noise(KV_HEADS * head, WIDTH)
        yield name + "self_attn.o_proj.weight", noise(WIDTH, HEADS * head)
        yield name + "post_attention_layernorm.weight", np.ones(WIDTH)
        yield name + "mlp.gate_proj.weight", noise(FEED_FORWARD, WIDTH)
        yield name + "mlp.up_proj.weight", noise(FEED_FORWARD, WIDTH)
        yield name + "mlp.down_proj.weight", noise(WIDTH, FEED_FORWARD)
    yield "model.norm.weight", np.ones(WIDTH)
    yield "lm_head.weight", output


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, array in tensors:
        content = np.ascontiguousarray(array, dtype="<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.write("\n")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "wanderer")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(HERE, "wanderer.txt"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    vocabulary, merges, words = train_tokenizer("\n".join(lines))
    ids = [vocabulary[piece] for word in words for piece in word]
    begin, end = vocabulary["<|begin|>"], vocabulary["<|end|>"]
    line_break = vocabulary[byte_alphabet()[10]]
    pairs = list(zip(ids, ids[1:])) + [(begin, ids[0])] * 4 + [(line_break, end)] * 12
    pairs += [(vocabulary["<|assistant|>"], right) for left, right in zip(ids, ids[1:]) if left == line_break]
    generator = np.random.default_rng(1705)
    embedding, output = fit_bigrams(pairs, len(vocabulary), generator)
    write_safetensors(os.path.join(folder, "model.safetensors"), weights(embedding, output, generator))
    write_json(
        os.path.join(folder, "config.json"),
        {
            "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": WIDTH, "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "intermediate_size": FEED_FORWARD,
            "vocab_size": len(vocabulary), "max_position_embeddings": CONTEXT, "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False, "torch_dtype": "float16",
            "bos_token_id": begin, "eos_token_id": end,
        },
    )  # fmt: skip
    added = [
        {
            "id": vocabulary[token], "content": token, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True,
        }
        for token in SPECIAL
    ]  # fmt: skip
    split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    write_json(
        os.path.join(folder, "tokenizer.json"),
        {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
            "pre_tokenizer": split, "post_processor": {
                "type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [begin], "tokens": ["<|begin|>"]}},
            },
            "decoder": split,
            "model": {
                "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                "vocab": vocabulary, "merges": [list(pair) for pair in merges],
            },
        },
    )  # fmt: skip
    write_json(
        os.path.join(folder, "tokenizer_config.json"),
        {
            "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<|begin|>", "eos_token": "<|end|>",
            "model_max_length": CONTEXT, "chat_template": TEMPLATE,
        },
    )  # fmt: skip


if __name__ == "__main__":
    main()
