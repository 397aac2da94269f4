"""Makes Goldens/dictionaries: small dictionaries as sae-lens saves them, with what it computes with them.

    python dictionaries.py            (sae-lens 6.54, torch, safetensors)

Each folder holds cfg.json and sae_weights.safetensors; expected.safetensors holds the inputs and, for each folder, the
features and reconstructions of sae-lens, and the measures of its evaluation written out in float64 NumPy.
"""

import json
import math
import os
import shutil

import numpy as np
import torch
from safetensors.numpy import save_file
from sae_lens import (
    GatedSAE, GatedSAEConfig, JumpReLUSAE, JumpReLUSAEConfig, StandardSAE, StandardSAEConfig, TopKSAE, TopKSAEConfig,
)
from sae_lens.saes.batchtopk_sae import BatchTopKTrainingSAE, BatchTopKTrainingSAEConfig
from sae_lens.saes.matryoshka_batchtopk_sae import (
    MatryoshkaBatchTopKTrainingSAE, MatryoshkaBatchTopKTrainingSAEConfig,
)
from sae_lens.saes.sae import SAE, SAEMetadata

D, F, N = 16, 64, 48
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dictionaries")
generator = torch.Generator().manual_seed(7)


def normal(*shape, scale=1.0):
    return torch.randn(*shape, generator=generator) * scale


def metadata():
    return SAEMetadata(
        hook_name="blocks.3.hook_resid_post", model_name="tiny", prepend_bos=True, context_size=32,
        neuronpedia_id="tiny/3-res")


def fill(sae):
    sae.W_dec.data = normal(F, D)
    sae.W_dec.data /= sae.W_dec.data.norm(dim=-1, keepdim=True) / (0.5 + torch.rand(F, 1, generator=generator))
    sae.W_enc.data = (sae.W_dec.data.T + normal(D, F, scale=0.1)).contiguous()
    sae.b_dec.data = normal(D, scale=0.3)
    for name, scale in [("b_enc", 0.2), ("b_gate", 0.2), ("r_mag", 0.2), ("b_mag", 0.1)]:
        if getattr(sae, name, None) is not None:
            getattr(sae, name).data = normal(F, scale=scale)
    if hasattr(sae, "threshold"):
        sae.threshold.data = torch.rand(F, generator=generator) * 1.5
    return sae


def measures(x, codes, y):
    x, codes, y = (t.double().numpy() for t in (x, codes, y))
    error = x - y
    return {
        "l0": (codes > 0).sum(1).mean(), "l1": codes.sum(1).mean(), "mse": (error**2).sum(1).mean(),
        "explained_variance": 1 - error.var(0).sum() / x.var(0).sum(),
        "fvu": (error**2).sum() / ((x - x.mean(0)) ** 2).sum(),
        "cosine": ((x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)).mean(),
        "l2_ratio": (np.linalg.norm(y, axis=1) / np.linalg.norm(x, axis=1)).mean(),
        "bias": (y**2).sum(1).mean() / (x * y).sum(1).mean(), "dead": float(((codes > 0).sum(0) == 0).sum()),
    }


common = dict(d_in=D, d_sae=F)
made = {
    "standard": (StandardSAE, StandardSAEConfig, {}),
    "standard-norm": (StandardSAE, StandardSAEConfig, {"normalize_activations": "constant_norm_rescale"}),
    "topk": (TopKSAE, TopKSAEConfig, {"k": 5}),
    "topk-rescaled": (TopKSAE, TopKSAEConfig, {"k": 5, "rescale_acts_by_decoder_norm": True}),
    "topk-layernorm": (TopKSAE, TopKSAEConfig, {"k": 5, "normalize_activations": "layer_norm"}),
    "jumprelu": (JumpReLUSAE, JumpReLUSAEConfig, {"apply_b_dec_to_input": False}),
    "gated": (GatedSAE, GatedSAEConfig, {}),
}
inputs = normal(N, D) + normal(D, scale=0.5)
expected = {"inputs": inputs}
numbers = {}
shutil.rmtree(HERE, ignore_errors=True)
os.makedirs(HERE)

for name, (kind, config, extra) in made.items():
    sae = fill(kind(config(**common, **extra, metadata=metadata())))
    sae.save_model(os.path.join(HERE, name))
for name, kind, config, extra in [
    ("batchtopk", BatchTopKTrainingSAE, BatchTopKTrainingSAEConfig, {}),
    ("matryoshka", MatryoshkaBatchTopKTrainingSAE, MatryoshkaBatchTopKTrainingSAEConfig,
     {"matryoshka_widths": [16, 32, 64]}),
]:
    sae = fill(kind(config(**common, k=5, **extra, metadata=metadata())))
    sae.topk_threshold = torch.tensor(1.75, dtype=torch.double)
    if name == "matryoshka":
        sae.fold_activation_norm_scaling_factor(1.5)
    sae.save_inference_model(os.path.join(HERE, name))

# The configuration of a dictionary from before sae-lens 6: flat, with the activation's arguments apart.
old = os.path.join(HERE, "topk-flat")
shutil.copytree(os.path.join(HERE, "topk"), old)
json.dump(
    {"d_in": D, "d_sae": F, "dtype": "float32", "hook_point": "blocks.1.hook_mlp_out", "model_name": "tiny",
     "activation_fn_str": "topk", "activation_fn_kwargs": {"k": 7}, "normalize_activations": False,
     "prepend_bos": True, "sae_lens_training_version": "3.0.0"},
    open(os.path.join(old, "cfg.json"), "w"))

for name in sorted(os.listdir(HERE)):
    with torch.no_grad():
        sae = SAE.load_from_disk(os.path.join(HERE, name))
        codes = sae.encode(inputs)
        output = sae.decode(codes)
    expected[f"{name}/features"] = codes
    expected[f"{name}/reconstruction"] = output
    numbers[name] = measures(inputs, codes, output)
    expected[f"{name}/density"] = (codes > 0).float().mean(0)

# Gemma Scope: the weights alone, in a folder whose path says the rest.
gemma = os.path.join(HERE, "gemma-scope-2b-pt-res", "layer_20", "width_16k", "average_l0_71")
os.makedirs(gemma)
jump = SAE.load_from_disk(os.path.join(HERE, "jumprelu"))
np.savez(os.path.join(gemma, "params.npz"), **{
    k: getattr(jump, k).detach().numpy() for k in ["W_enc", "W_dec", "b_enc", "b_dec", "threshold"]})

# Losses: what a run gives and what becomes of them.
clean, dictionary, ablated = (torch.rand(40, generator=generator, dtype=torch.double) + c for c in (2.0, 2.2, 6.0))
expected |= {"losses/clean": clean, "losses/dictionary": dictionary, "losses/ablated": ablated}
numbers["losses"] = {"score": ((ablated.mean() - dictionary.mean()) / (ablated.mean() - clean.mean())).item()}

save_file({k: np.ascontiguousarray(v.detach().numpy()) for k, v in expected.items()},
          os.path.join(HERE, "expected.safetensors"))
with open(os.path.join(HERE, "measures.json"), "w") as f:
    json.dump({k: {n: float(x) for n, x in v.items()} for k, v in numbers.items()}, f, indent=1, sort_keys=True)
total = sum(os.path.getsize(os.path.join(p, n)) for p, _, names in os.walk(HERE) for n in names)
print(f"{total / 1024:.0f} KiB")
assert math.isfinite(total)
