"""Writes ../QuantizationGolden.swift: blocks of every format with what they decode to, and rows with what Q8_0 and Q4_0 make
of them, by numpy from the description of the formats alone.

    python quantization.py > ../QuantizationGolden.swift
"""

import numpy as np

random = np.random.default_rng(20261122)
f16, f32 = np.float16, np.float32


def halves(raw, count):
    return np.frombuffer(raw, "<f2", count).astype(f32)


def decode_q8_0(block):
    return halves(block, 1)[0] * np.frombuffer(block, np.int8, 32, 2).astype(f32)


def decode_q4_0(block):
    q = np.frombuffer(block, np.uint8, 16, 2)
    nibbles = np.concatenate([q & 15, q >> 4]).astype(np.int32) - 8
    return halves(block, 1)[0] * nibbles.astype(f32)


def with_minima(block, levels):
    d, dmin = halves(block, 2)
    s = np.frombuffer(block, np.uint8, 12, 4).astype(np.int32)
    scale = np.concatenate([s[0:4] & 63, (s[8:12] & 15) | (s[0:4] >> 6) << 4])
    minimum = np.concatenate([s[4:8] & 63, (s[8:12] >> 4) | (s[4:8] >> 6) << 4])
    step = (d * scale.astype(f32))[:, None]
    off = (dmin * minimum.astype(f32))[:, None]
    return (step * levels.astype(f32) - off).reshape(256)


def nibbles(block, offset):
    q = np.frombuffer(block, np.uint8, 128, offset).reshape(4, 32)
    return np.stack([q & 15, q >> 4], axis=1).reshape(8, 32)


def decode_q4_k(block):
    return with_minima(block, nibbles(block, 16))


def decode_q5_k(block):
    fifth = np.frombuffer(block, np.uint8, 32, 16)
    return with_minima(block, nibbles(block, 48) | np.stack([fifth >> j & 1 for j in range(8)]) << 4)


def decode_q6_k(block):
    q = np.frombuffer(block, np.uint8, 128).reshape(2, 2, 32)
    top = np.frombuffer(block, np.uint8, 64, 128).reshape(2, 32)
    low = np.stack([q[:, 0] & 15, q[:, 1] & 15, q[:, 0] >> 4, q[:, 1] >> 4], axis=1)
    high = np.stack([top >> 2 * p & 3 for p in range(4)], axis=1)
    levels = (low | high << 4).reshape(16, 16).astype(np.int32) - 32
    d = np.frombuffer(block, "<f2", 1, 208).astype(f32)[0]
    step = d * np.frombuffer(block, np.int8, 16, 192).astype(f32)
    return (step[:, None] * levels.astype(f32)).reshape(256)


def encode_q8_0(x):
    d = f32(np.abs(x).max()) / f32(127)
    steps = f32(1) / d if d else f32(0)
    scaled = x * steps
    q = np.sign(scaled) * np.floor(np.abs(scaled) + f32(0.5))  # half away from zero
    return f16(d).tobytes() + q.astype(np.int8).tobytes()


def encode_q4_0(x):
    extreme = x[np.argmax(np.abs(x))]
    d = extreme / f32(-8)
    steps = f32(1) / d if d else f32(0)
    q = np.minimum(15, (x * steps + f32(8.5)).astype(np.int32)).astype(np.uint8)
    return f16(d).tobytes() + (q[:16] | q[16:] << 4).tobytes()


formats = {
    "q8_0": (34, 32, [0], decode_q8_0, encode_q8_0),
    "q4_0": (18, 32, [0], decode_q4_0, encode_q4_0),
    "q4_k": (144, 256, [0, 2], decode_q4_k, None),
    "q5_k": (176, 256, [0, 2], decode_q5_k, None),
    "q6_k": (210, 256, [208], decode_q6_k, None),
}
# Scales: usual ones, negative, the smallest and the largest subnormal, the largest number.
scales = [0.0123, -0.5, 2.0**-24, 1023 * 2.0**-24, 65504.0, 0.0, 1.0]
rows = {
    "normal": random.standard_normal(256).astype(f32),
    "tiny": (random.standard_normal(256) * 1e-7).astype(f32),
    "large": (random.standard_normal(256) * 1e5).astype(f32),
    "halves": (random.integers(-254, 255, 256) / 2).astype(f32),  # ties for a scale of one
    "zero": np.zeros(256, f32),
}
rows["halves"][::32] = 127

print("// Made by Goldens/quantization.py; do not edit.\n")
print("/// Blocks and what they stand for, by numpy.")
print("enum QuantizationGolden {")
print("    /// Format, the bytes of one block, the bits of its weights.")
print("    static let decoded: [(format: String, block: String, weights: String)] = [")
for name, (size, _, places, decode, _) in formats.items():
    for scale in scales:
        block = bytearray(random.integers(0, 256, size, dtype=np.uint8).tobytes())
        for i, place in enumerate(places):
            block[place : place + 2] = f16(scale if i == 0 else abs(scale) / 3).tobytes()
        with np.errstate(over="ignore"):
            weights = decode(bytes(block)).astype("<f4")
        print(f'        (\n            "{name}",\n            "{block.hex()}",')
        print(f'            "{weights.tobytes().hex()}"\n        ),')
print("    ]\n")
print("    /// Format, the bits of a row of 256 weights, its bytes.")
print("    static let encoded: [(format: String, weights: String, row: String)] = [")
for name, (_, block, _, _, encode) in formats.items():
    if not encode:
        continue
    for row in rows.values():
        data = b"".join(encode(row[i : i + block]) for i in range(0, 256, block))
        print(f'        (\n            "{name}",\n            "{row.astype("<f4").tobytes().hex()}",')
        print(f'            "{data.hex()}"\n        ),')
print("    ]\n}")
