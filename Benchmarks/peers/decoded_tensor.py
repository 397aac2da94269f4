"""Decodes a tensor with the package gguf, or one of bitsandbytes' formats by its definition, and compares ours bit by
bit.

    python decoded_tensor.py MODEL TENSOR OURS.npy
"""

import json
import os
import sys

import gguf
import numpy as np
from safetensors.numpy import load_file

path, name, ours = sys.argv[1:]
NAMES = {"blk.0.ffn_down.weight": "model.layers.0.mlp.down_proj.weight"}
# The quantiles of a normal distribution; Dettmers and others 2023, appendix E.
NF4 = np.array(
    [
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
        -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
        0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ],
    np.float32,
)  # fmt: skip


def from_folder():
    """nf4: two codes a byte, the high one first, blocks of 64; int8: one scale a row."""
    tensors = {}
    for file in sorted(os.listdir(path)):
        if file.endswith(".safetensors"):
            tensors.update(load_file(os.path.join(path, file)))
    stored = tensors[NAMES[name]]
    if stored.dtype == np.int8:
        scales = tensors[NAMES[name].replace("weight", "SCB")].astype(np.float32)
        return stored.astype(np.float32) * scales[:, None] * np.float32(1 / 127)
    codes = np.stack([stored.reshape(-1) >> 4, stored.reshape(-1) & 15], axis=1).reshape(-1, 64)
    return NF4[codes] * tensors[NAMES[name] + ".absmax"].reshape(-1, 1)


def from_gguf():
    tensor = next(tensor for tensor in gguf.GGUFReader(path).tensors if tensor.name == name)
    return gguf.quants.dequantize(tensor.data, tensor.tensor_type)


reference = (from_folder() if os.path.isdir(path) else from_gguf()).astype(np.float32)
mine = np.load(ours)
reference = reference.reshape(mine.shape)
different = int((mine.view(np.uint32) != reference.view(np.uint32)).sum())
largest = float(np.abs(mine - reference).max())
size = float(np.abs(reference).max())
print(json.dumps({"numbers": mine.size, "different": different, "largest": largest, "size": size}))
