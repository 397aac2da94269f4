"""Bar 7: what `orrery model quantize` writes against what llama.cpp writes from the same file, byte by byte; and the
numbers that our reader makes of every format against the package gguf, bit by bit.

llama.cpp chooses formats by tensor; where its mixture is another than ours that tensor is not compared, and told.
"""

import os

from figures import at_least, at_most, attempt, reported
from models import ours, peer, random_model, require, version

PACKAGES = ("gguf", "numpy", "llama_cpp", "safetensors")
# What is encoded, and the tensor of that file by which the format's decoding is judged.
DECODED = {
    "f32": "blk.0.ffn_down.weight",
    "f16": "blk.0.ffn_down.weight",
    "bf16": "blk.0.ffn_down.weight",
    "q8_0": "blk.0.ffn_down.weight",
    "q4_0": "blk.0.attn_q.weight",
    "q4_k_m": "blk.0.attn_q.weight",
    "q5_k_m": "blk.0.attn_q.weight",
    "q6_k": "blk.0.ffn_down.weight",
    "nf4": "blk.0.ffn_down.weight",
    "int8": "blk.0.ffn_down.weight",
}
FOLDERS = ("nf4", "int8")
# Sums in another order, fused or not, may move a fit to its neighbor.
CONTRACTION = 0.999


def run(program):
    require(*PACKAGES)
    source = random_model(program, "110m-f16.gguf")
    theirs = f"llama.cpp of {version('llama-cpp-python')}"
    figures = []
    for letter, form in (("a", "q8_0"), ("b", "q4_0")):
        figures += attempt(f"7{letter}", f"bytes of {form}", lambda: simple(program, source, letter, form, theirs))
    figures += attempt("7c", "bytes of q4_k_m", lambda: mixture(program, source, theirs))
    return figures + attempt("7e", "decoding", lambda: decoding(program, source))


def place(program, name):
    folder = os.path.join(program.data, "models", "quantized")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


def ours_of(program, source, form):
    path = place(program, f"ours-{form}" if form in FOLDERS else f"ours-{form}.gguf")
    ours(program, "quantize", source, path, "--type", form, "--force")
    return path


def theirs_of(program, source, form):
    path = place(program, f"theirs-{form}.gguf")
    peer(program, PACKAGES, "llama_formats", source, path, form)
    return path


def compared(program, source, form):
    arguments = ours_of(program, source, form), theirs_of(program, source, form)
    found = peer(program, PACKAGES, "tensor_bytes", *arguments)
    told = [f"{kind}: {entry['equal']} of {entry['tensors']} tensors" for kind, entry in found["formats"].items()]
    told += [f"of another format: {'; '.join(found['other'][:3])}"] * bool(found["other"])
    return found, ", ".join(told)


def simple(program, source, letter, form, peer_name):
    found, told = compared(program, source, form)
    entry = found["formats"].get(form.upper(), {"tensors": 0, "equal": 0})
    wrong = max(entry["tensors"] - entry["equal"], int(entry["tensors"] == 0))
    what = f"tensors of {form} whose bytes are not llama.cpp's"
    return at_most(f"7{letter}", what, wrong, "tensors", 0, spread=told, peer=peer_name)


def mixture(program, source, peer_name):
    found, told = compared(program, source, "q4_k_m")
    entry = found["formats"]["Q4_K"]
    share = entry["same_scales"] / entry["blocks"]
    same = entry["same_bytes"] / entry["bytes"]
    six = found["formats"].get("Q6_K", {"same_bytes": 0, "bytes": 1})
    return [
        at_least(
            "7c", "blocks of Q4_K whose scales and minima are llama.cpp's", share, "", CONTRACTION,
            spread=f"{entry['blocks'] - entry['same_scales']} of {entry['blocks']} blocks differ; {told}",
            peer=peer_name,
        ),  # fmt: skip
        reported(
            "7d", "equal bytes of q4_k_m, Q4_K", same, "", peer=peer_name,
            spread=f"Q6_K {six['same_bytes'] / six['bytes']:.6f}",
        ),  # fmt: skip
    ]


def decoding(program, source):
    """Numbers that are not the reference's in every bit, of one tensor a format."""
    wrong, told = 0, []
    for form, tensor in DECODED.items():
        origin = random_model(program, "110m-hf") if form in FOLDERS else source
        path = source if form == "f16" else ours_of(program, origin, form)
        to = place(program, f"decoded-{form}.npy")
        ours(program.bench, "decode-tensor", path, tensor, "--to", to)
        found = peer(program, PACKAGES, "decoded_tensor", path, tensor, to)
        wrong += found["different"]
        told.append(f"{form} {found['different']} of {found['numbers']}")
        if found["different"]:
            told[-1] += f" (by {found['largest']:.1e} of {found['size']:.1e})"
    return at_most(
        "7e", "decoded numbers that differ from the reference's", wrong, "numbers", 0, spread=", ".join(told),
        peer=f"{version('gguf')}; nf4 and int8 by the definitions of bitsandbytes",
    )  # fmt: skip
