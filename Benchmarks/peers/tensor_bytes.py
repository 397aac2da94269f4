"""Compares the bytes of tensors in two GGUF files: ours first.

    python tensor_bytes.py OURS.gguf THEIRS.gguf

Prints for each format how many tensors are equal in every byte, how many of their blocks are, and how many differ in
format; for Q4_K and Q5_K also how many of the scales do: the two of a block, and the sixteen packed ones of its parts.
"""

import json
import sys

import gguf
import numpy as np

BLOCKS = {name: gguf.GGML_QUANT_SIZES[kind][1] for name, kind in gguf.GGMLQuantizationType.__members__.items()}


def tensors(path):
    return {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}


def main():
    ours, theirs = tensors(sys.argv[1]), tensors(sys.argv[2])
    found, other = {}, []
    for name, tensor in theirs.items():
        mine = ours.get(name)
        if mine is None or mine.tensor_type != tensor.tensor_type:
            other.append(f"{name}: {mine and mine.tensor_type.name} for {tensor.tensor_type.name}")
            continue
        kind = tensor.tensor_type.name
        a = np.ascontiguousarray(mine.data).view(np.uint8).reshape(-1, BLOCKS[kind])
        b = np.ascontiguousarray(tensor.data).view(np.uint8).reshape(-1, BLOCKS[kind])
        entry = found.setdefault(kind, {"tensors": 0, "equal": 0, "bytes": 0, "same_bytes": 0})
        entry["tensors"] += 1
        entry["equal"] += bool(np.array_equal(a, b))
        entry["bytes"] += a.size
        entry["same_bytes"] += int((a == b).sum())
        if kind in ("Q4_K", "Q5_K"):
            # Two float16 and twelve bytes of scales before the quants.
            entry["blocks"] = entry.get("blocks", 0) + len(a)
            entry["same_scales"] = entry.get("same_scales", 0) + int((a[:, :16] == b[:, :16]).all(axis=1).sum())
    print(json.dumps({"formats": found, "other": other, "missing": sorted(set(ours) - set(theirs))}))


main()
