"""Makes random-philox.json: NumPy's Philox4x64-10 stream, and Philox4x32-10 with its transformations from an
implementation of its own, in Python's integers and the C library's logarithm, sine and cosine.

Run it here: python random-make.py (numpy 2.4).
"""

import json
import math
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent


def numpy_stream(key, counter, count):
    generator = np.random.Philox(counter=counter, key=key)
    key = int(key)
    return {
        "key": [str(key % 2**64), str(key >> 64)],
        "counter": [str((int(counter) >> (64 * i)) % 2**64) for i in range(4)],
        "words": [str(word) for word in generator.random_raw(count)],
    }


def block(counter, key):
    words, key = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [
            (second >> 32) ^ words[1] ^ key[0],
            second % 2**32,
            (first >> 32) ^ words[3] ^ key[1],
            first % 2**32,
        ]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return words


def words(number, seed, stream):
    return block([number % 2**32, number >> 32, stream, 0], [seed % 2**32, seed >> 32])


def normals(count, seed, stream, wide):
    found = []
    number = 0
    while len(found) < count:
        w = words(number, seed, stream)
        if wide:
            pairs = [(1 - ((w[0] | w[1] << 32) >> 11) / 2**53, ((w[2] | w[3] << 32) >> 11) / 2**53)]
        else:
            pairs = [((w[0] + 1) / 2**32, w[1] / 2**32), ((w[2] + 1) / 2**32, w[3] / 2**32)]
        for u, v in pairs:
            radius = math.sqrt(-2 * math.log(u))
            found += [radius * math.cos(2 * math.pi * v), radius * math.sin(2 * math.pi * v)]
        number += 1
    return found[:count]


seed, stream = 0x0123456789ABCDEF, 5
golden = {
    "numpy": [
        numpy_stream(0, 0, 10),
        numpy_stream(12345, 7, 6),
        numpy_stream(2**127 + 3, 2**200 + 2**64 - 2, 12),
    ],
    "seed": str(seed),
    "stream": stream,
    "words": [word for number in range(3) for word in words(number, seed, stream)],
    "far": words(2**40 + 1, seed, stream),
    "normalsFloat64": normals(64, seed, stream, True),
    "normalsFloat32": normals(64, seed, stream, False),
}
(here / "random-philox.json").write_text(json.dumps(golden, indent=1) + "\n")
