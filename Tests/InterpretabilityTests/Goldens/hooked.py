#!/usr/bin/env python3
"""Golden values of TransformerLens for two tiny seeded models, float64: `llama` (rotary, RMS norms, grouped queries, a
gated feed-forward) and `gpt` (layer norms, learned positions, biases), with weights, every hook, logits, loss per token
and processed weights. Writes hooked.safetensors beside itself.

    pip install transformer-lens safetensors
    python hooked.py
"""
import os
import warnings

import torch

warnings.filterwarnings("ignore")
from safetensors.torch import save_file
from transformer_lens import HookedTransformer, HookedTransformerConfig

out = {}


def put(name, value):
    out[name] = value.detach().double().contiguous().clone()


common = dict(n_layers=2, d_model=16, n_ctx=12, d_head=4, n_heads=4, d_mlp=20, d_vocab=11, seed=0, device="cpu",
              dtype=torch.float64)
configurations = {
    "gpt": dict(act_fn="gelu_new", normalization_type="LN"),
    "llama": dict(act_fn="silu", normalization_type="RMS", positional_embedding_type="rotary", rotary_dim=4,
                  n_key_value_heads=2, gated_mlp=True),
}
for tag, own in configurations.items():
    model = HookedTransformer(HookedTransformerConfig(**common, **own))
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            base = 1.0 if name.endswith(("ln1.w", "ln2.w", "ln_final.w")) else 0.0
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.copy_(base + 0.3 * noise)
    model.cfg.use_attn_result = True
    for name, parameter in model.named_parameters():
        put(f"{tag}.w.{name}", parameter)
    tokens = torch.randint(0, 11, (2, 7), generator=generator)
    out[f"{tag}.tokens"] = tokens
    logits, cache = model.run_with_cache(tokens)
    for name in cache.keys():
        if name != "unembed.hook_in" and not (name.startswith("blocks.1") and name.endswith("hook_result")):
            put(f"{tag}.a.{name}", cache[name])
    put(f"{tag}.logits", logits)
    put(f"{tag}.loss_per_token", model(tokens, return_type="loss", loss_per_token=True))
    # The gradient of a logit difference with respect to the stream before the second block.
    kept = {}

    def keep(gradient, hook):
        kept[hook.name] = gradient.detach().clone()

    for name in ["blocks.1.hook_resid_pre", "blocks.0.attn.hook_pattern", "blocks.1.attn.hook_z"]:
        model.add_hook(name, keep, "bwd")
    answer = model(tokens)
    (answer[:, -1, 3] - answer[:, -1, 7]).sum().backward()
    model.reset_hooks()
    for name, gradient in kept.items():
        put(f"{tag}.g.{name}", gradient)
    if tag == "gpt":
        state = {name: value.clone() for name, value in model.state_dict().items()}
        model.load_and_process_state_dict(state, fold_ln=True, center_writing_weights=True, center_unembed=True,
                                          fold_value_biases=True)
        put(f"{tag}.folded_logits", model(tokens))
        for name, parameter in model.named_parameters():
            put(f"{tag}.fw.{name}", parameter)
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hooked.safetensors")
save_file(out, path)
print(len(out), "tensors,", os.path.getsize(path), "bytes")
