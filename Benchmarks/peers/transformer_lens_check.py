"""Hooks go both ways with TransformerLens: captures those of a tiny model, and opens a file that Orrery wrote of them.

    python transformer_lens_check.py capture captured.safetensors [FOLDER]
    python transformer_lens_check.py check written.safetensors

The model is seeded, so that both runs have the same activations. `capture` also writes it into FOLDER as a GPT-2 of
Hugging Face. `check` prints, as JSON, how many hooks the file holds, which of its names TransformerLens does not have,
and the largest difference from its own cache, absolute and as |a - b| / (1 + |b|).
"""

import json
import os
import sys
import warnings

import torch
from safetensors.torch import load_file, save_file

warnings.filterwarnings("ignore")
from transformer_lens import HookedTransformer, HookedTransformerConfig  # noqa: E402

LAYERS, WIDTH, CONTEXT, HEADS, INNER, VOCABULARY = 2, 16, 12, 4, 64, 20
TOKENS = [0, 7, 3, 19, 4, 7, 3]


def seeded():
    torch.manual_seed(11)
    model = HookedTransformer(
        HookedTransformerConfig(
            n_layers=LAYERS, d_model=WIDTH, n_ctx=CONTEXT, d_head=WIDTH // HEADS, n_heads=HEADS, d_mlp=INNER,
            d_vocab=VOCABULARY, act_fn="gelu_new", normalization_type="LN", seed=11, device="cpu"))
    # Larger than they start, so that patterns are far from even; GPT-2 has one matrix for both ends and no bias there.
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "ln" not in name:
                parameter.copy_(torch.randn_like(parameter) * 0.4)
        model.unembed.W_U.copy_(model.embed.W_E.T)
        model.unembed.b_U.zero_()
    return model


def run():
    with torch.no_grad():
        logits, cache = seeded().run_with_cache(torch.tensor([TOKENS]))
    found = {name: value.contiguous().clone() for name, value in cache.items()}
    return found | {"unembed.hook_out": logits.contiguous()}


def write_gpt2(folder):
    """The names and shapes of GPT2LMHeadModel: linear layers as [in, out], heads side by side."""
    state = seeded().state_dict()
    tensors = {"wte.weight": state["embed.W_E"], "wpe.weight": state["pos_embed.W_pos"],
               "ln_f.weight": state["ln_final.w"], "ln_f.bias": state["ln_final.b"]}  # fmt: skip
    for layer in range(LAYERS):
        own, there = f"blocks.{layer}.", f"h.{layer}."
        for a, b in (("ln1", "ln_1"), ("ln2", "ln_2")):
            tensors[f"{there}{b}.weight"], tensors[f"{there}{b}.bias"] = state[f"{own}{a}.w"], state[f"{own}{a}.b"]
        parts = [state[f"{own}attn.W_{name}"].permute(1, 0, 2).reshape(WIDTH, WIDTH) for name in "QKV"]
        tensors[f"{there}attn.c_attn.weight"] = torch.cat(parts, 1)
        tensors[f"{there}attn.c_attn.bias"] = torch.cat([state[f"{own}attn.b_{name}"].reshape(-1) for name in "QKV"])
        tensors[f"{there}attn.c_proj.weight"] = state[f"{own}attn.W_O"].reshape(WIDTH, WIDTH)
        tensors[f"{there}attn.c_proj.bias"] = state[f"{own}attn.b_O"]
        for a, b in (("in", "c_fc"), ("out", "c_proj")):
            tensors[f"{there}mlp.{b}.weight"] = state[f"{own}mlp.W_{a}"]
            tensors[f"{there}mlp.{b}.bias"] = state[f"{own}mlp.b_{a}"]
    os.makedirs(folder, exist_ok=True)
    tensors = {name: tensor.float().contiguous() for name, tensor in tensors.items()}
    save_file(tensors, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump({
            "model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_layer": LAYERS, "n_head": HEADS,
            "n_embd": WIDTH, "n_inner": INNER, "n_positions": CONTEXT, "n_ctx": CONTEXT, "vocab_size": VOCABULARY,
            "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "tie_word_embeddings": True,
        }, file)  # fmt: skip


def check(path):
    own, written = run(), load_file(path)
    worst, relative, unknown = 0.0, 0.0, [name for name in written if name not in own]
    for name, value in written.items():
        if name in own:
            expected = own[name].reshape(value.shape)
            same = expected == value  # minus infinity of masked scores is equal to itself
            distance = torch.where(same, 0.0, (expected - value).abs())
            worst = max(worst, distance.max().item())
            relative = max(relative, torch.where(same, 0.0, distance / (1 + expected.abs())).max().item())
    known = len(written) - len(unknown)
    return {"hooks": known, "unknown": unknown, "largest_difference": worst, "largest_relative": relative}


if __name__ == "__main__":
    if sys.argv[1] == "capture":
        cache = {name: value.float() for name, value in run().items()}
        save_file(cache, sys.argv[2], metadata={"model": "seeded", "tokens": " ".join(map(str, TOKENS))})
        if len(sys.argv) > 3:
            write_gpt2(sys.argv[3])
        print(json.dumps({"hooks": len(cache)}))
    else:
        print(json.dumps(check(sys.argv[2])))
