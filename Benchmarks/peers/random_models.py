"""Makes a random model of the Llama architecture: for transformers, as GGUF of float16, and what llama.cpp quantizes
it to.

    python random_models.py FOLDER 110m

writes SHAPE-hf/ (config.json, model.safetensors) and SHAPE-{f16,q8_0,q4_0,q4_k_m}.gguf. The same seed gives the same
bytes. In q8_0 and q4_0 every matrix has the format of the name; q4_k_m is llama.cpp's mixture.
"""

import json
import os
import sys
from itertools import product

import gguf
import numpy as np
from llama_formats import quantize
from safetensors.numpy import save_file

SHAPES = {
    "110m": {"width": 768, "layers": 12, "heads": 12, "kv_heads": 4, "hidden": 2048},
    # That of TinyLlama.
    "1b": {"width": 2048, "layers": 22, "heads": 32, "kv_heads": 4, "hidden": 5632},
}
VOCABULARY, CONTEXT, EPSILON, BASE, SEED = 32000, 2048, 1e-5, 10000.0, 1234


def weights(shape):
    """Names of GGUF and of transformers beside the numbers, in the layout of transformers."""
    random = np.random.default_rng(SEED)
    width, hidden = shape["width"], shape["hidden"]
    kv_width = width // shape["heads"] * shape["kv_heads"]

    def matrix(rows, columns, gain=1.0):
        scale = np.float32(gain / np.sqrt(columns))
        return (random.standard_normal((rows, columns), dtype=np.float32) * scale).astype(np.float16)

    def norm():
        return (1 + 0.1 * random.standard_normal(width, dtype=np.float32)).astype(np.float16)

    yield "token_embd", "model.embed_tokens", matrix(VOCABULARY, width, np.sqrt(width))
    yield "output_norm", "model.norm", norm()
    yield "output", "lm_head", matrix(VOCABULARY, width, 2.0)
    for layer in range(shape["layers"]):
        ours, theirs = f"blk.{layer}.", f"model.layers.{layer}."
        yield ours + "attn_norm", theirs + "input_layernorm", norm()
        yield ours + "attn_q", theirs + "self_attn.q_proj", matrix(width, width)
        yield ours + "attn_k", theirs + "self_attn.k_proj", matrix(kv_width, width)
        yield ours + "attn_v", theirs + "self_attn.v_proj", matrix(kv_width, width)
        yield ours + "attn_output", theirs + "self_attn.o_proj", matrix(width, width)
        yield ours + "ffn_norm", theirs + "post_attention_layernorm", norm()
        yield ours + "ffn_gate", theirs + "mlp.gate_proj", matrix(hidden, width)
        yield ours + "ffn_up", theirs + "mlp.up_proj", matrix(hidden, width)
        yield ours + "ffn_down", theirs + "mlp.down_proj", matrix(width, hidden)


def paired(matrix, heads):
    """Rows of queries and keys as GGUF keeps them: the two halves that a rotation turns lie side by side."""
    halves = matrix.reshape(heads, 2, -1, matrix.shape[1])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(matrix.shape)


def pieces():
    """A vocabulary in the manner of SentencePiece: three special tokens, the bytes, then letters, pairs and triples."""
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    letters = "▁etaoinshrdlucmfwypvbgkjqxzETAOINSHRDLU0123456789.,;:!?()-'\n"
    tokens += ["".join(word) for length in (1, 2) for word in product(letters, repeat=length)]
    tokens += ["".join(word) for word in product(letters[:32], repeat=3)][: VOCABULARY - len(tokens)]
    kinds = [2, 3, 3] + [6] * 256 + [1] * (len(tokens) - 259)
    return tokens, [-float(index) for index in range(len(tokens))], kinds


def write_gguf(path, name, shape):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(f"random {name}")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_vocab_size(VOCABULARY)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(shape["width"])
    writer.add_block_count(shape["layers"])
    writer.add_feed_forward_length(shape["hidden"])
    writer.add_head_count(shape["heads"])
    writer.add_head_count_kv(shape["kv_heads"])
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_dimension_count(shape["width"] // shape["heads"])
    writer.add_rope_freq_base(BASE)
    tokens, scores, kinds = pieces()
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for ours, _, array in weights(shape):
        heads = {"attn_q": shape["heads"], "attn_k": shape["kv_heads"]}.get(ours.split(".")[-1])
        array = paired(array, heads) if heads else array
        writer.add_tensor(ours + ".weight", array.astype(np.float32) if array.ndim == 1 else array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_folder(folder, shape):
    os.makedirs(folder, exist_ok=True)
    tensors = {theirs + ".weight": array for _, theirs, array in weights(shape)}
    save_file(tensors, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    configuration = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": shape["width"],
        "num_hidden_layers": shape["layers"],
        "num_attention_heads": shape["heads"],
        "num_key_value_heads": shape["kv_heads"],
        "intermediate_size": shape["hidden"],
        "vocab_size": VOCABULARY,
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": EPSILON,
        "rope_theta": BASE,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "torch_dtype": "float16",
    }
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(configuration, file, indent=1)


def main():
    folder, name = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    shape = SHAPES[name]
    source = os.path.join(folder, f"{name}-f16.gguf")
    if not os.path.exists(source):
        write_gguf(source + ".part", name, shape)
        os.rename(source + ".part", source)
    if name == "110m":
        write_folder(os.path.join(folder, f"{name}-hf"), shape)
    for kind in ("q8_0", "q4_0", "q4_k_m"):
        quantize(source, os.path.join(folder, f"{name}-{kind}.gguf"), kind, pure=kind != "q4_k_m")
    print(json.dumps(sorted(os.listdir(folder))))


main()
