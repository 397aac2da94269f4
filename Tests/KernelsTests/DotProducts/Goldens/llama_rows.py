"""Writes ../LlamaRowsGolden.swift: rows of 256 weights with the bytes that llama.cpp makes of them, by `ggml_quantize_chunk` of
the package llama-cpp-python (0.3.36).

    python llama_rows.py > ../LlamaRowsGolden.swift
"""

import ctypes
import importlib.util
import pathlib

import numpy as np

package = pathlib.Path(importlib.util.find_spec("llama_cpp").origin).parent
ggml = ctypes.CDLL(str(package / "lib" / "libggml-base.so"))
ggml.ggml_quantize_chunk.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 3 + [ctypes.c_void_p]
formats = {"q8_0": (8, 272), "q4_0": (2, 144), "q4_k": (12, 144), "q5_k": (13, 176), "q6_k": (14, 210)}

random = np.random.default_rng(20261123)
normal = random.standard_normal(256)
rows = {
    "normal": normal * 0.02,
    "half": (normal * 0.05).astype(np.float16),
    "laplace": random.laplace(size=256),
    "sparse": normal * (random.random(256) < 0.05),
    "positive": random.random(256),
    "flat runs": np.repeat(random.standard_normal(8), 32),
    "whole": random.integers(-3, 4, 256),
    "tiny": normal * 1e-9,
    "zero": np.zeros(256),
}

print("// Made by Goldens/llama_rows.py; do not edit.\n")
print("/// Rows of weights and what llama.cpp encodes them to.")
print("enum LlamaRowsGolden {")
print("    /// What the row is, the bits of its 256 weights.")
print("    static let rows: [(name: String, weights: String)] = [")
for name, row in rows.items():
    print(f'        (\n            "{name}",\n            "{row.astype("<f4").tobytes().hex()}"\n        ),')
print("    ]\n")
print("    /// Format, the bytes of each row in turn.")
print("    static let encoded: [(format: String, rows: [String])] = [")
for name, (number, size) in formats.items():
    print(f'        (\n            "{name}",\n            [')
    for row in rows.values():
        weights = np.ascontiguousarray(row.astype(np.float32))
        data = np.zeros(size, np.uint8)
        ggml.ggml_quantize_chunk(number, weights.ctypes.data, data.ctypes.data, 0, 1, 256, None)
        print(f'                "{data.tobytes().hex()}",')
    print("            ]\n        ),")
print("    ]\n}")
