#!/usr/bin/env python3
"""What torch says of the fused operations: writes fused.safetensors beside this file.

Each case has its inputs ("case/0", "case/1", ...), the gradient of its output ("case/seed"), its output ("case/y") and
the gradients of its inputs ("case/d0", ...). All float32, computed in float64 and rounded once.
"""
import math, os
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

g = torch.Generator().manual_seed(11)
tensors = {}


def case(name, shapes, f):
    inputs = [torch.randn(s, generator=g).double().requires_grad_() for s in shapes]
    y = f(*inputs)
    seed = torch.randn(y.shape, generator=g).double()
    gradients = torch.autograd.grad(y, inputs, seed)
    for i, (x, d) in enumerate(zip(inputs, gradients)):
        tensors[f"{name}/{i}"] = x.detach().float()
        tensors[f"{name}/d{i}"] = d.float().contiguous()
    tensors[f"{name}/seed"] = seed.float()
    tensors[f"{name}/y"] = y.detach().float().contiguous()


def heads(x, count, width):
    return x.view(x.shape[0], x.shape[1], count, width).transpose(1, 2)


def attend(qkv, count, kv, width, window=None):
    q, k, v = qkv.split([count * width, kv * width, kv * width], dim=2)
    k = heads(k, kv, width).repeat_interleave(count // kv, 1)
    v = heads(v, kv, width).repeat_interleave(count // kv, 1)
    at = torch.arange(qkv.shape[1])
    seen = at[None, :] <= at[:, None]
    if window:
        seen &= at[None, :] > at[:, None] - window
    y = F.scaled_dot_product_attention(heads(q, count, width), k, v, attn_mask=seen)
    return y.transpose(1, 2).flatten(2)


def rms(x, gain):
    return F.rms_norm(x, (x.shape[-1],), gain, 1e-6)


targets = torch.tensor([4, 0, -100, 16, 3, 3])  # FusedGoldenTests.swift has the same
case("linear", [(2, 3, 20), (17, 20), (17,)], F.linear)
case("layerNorm", [(5, 33), (33,), (33,)], lambda x, w, b: F.layer_norm(x, (33,), w, b, 1e-5))
case("rmsNorm", [(5, 33), (33,)], rms)
case("attention", [(2, 21, 4 * 3 * 8)], lambda x: attend(x, 4, 4, 8))
case("attentionShared", [(1, 21, 6 * 8)], lambda x: attend(x, 4, 1, 8, window=5))
case("relu", [(40,)], F.relu)
case("silu", [(40,)], F.silu)
case("gelu", [(40,)], F.gelu)
case("geluTanh", [(40,)], lambda x: F.gelu(x, approximate="tanh"))
case("tanh", [(40,)], torch.tanh)
case("swiGLU", [(3, 19), (3, 19)], lambda a, b: F.silu(a) * b)
case("crossEntropy", [(6, 17)], lambda x: F.cross_entropy(x, targets))
case("crossEntropySmoothed", [(6, 17)], lambda x: F.cross_entropy(x, targets, label_smoothing=0.1))
case("embedding", [(17, 9)], lambda x: F.embedding(targets.clamp(min=0), x))
save_file(tensors, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fused.safetensors"))
