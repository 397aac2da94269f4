#!/usr/bin/env python3
"""Works out operations, bytes and intensities of the profiles beside this file, and writes them as expected.json.

The numbers on the right come from generate.py, the rules from the tools' own manuals; nothing is read from the profiles
and nothing of the program is used. A launch that is listed without figures has none.
"""

import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def launch(operations=None, **traffic):
    """A launch: operations by kind, bytes by level, and their quotients where operations were counted."""
    intensity = {} if operations is None else {
        level: sum(operations.values()) / size for level, size in traffic.items()
    }
    return {"operations": operations or {}, "bytes": traffic, "intensity": intensity}


# An addition or a multiplication is one operation a thread, a fused multiply-add two; a sector is 32 bytes; a wavefront
# of shared memory is 128.
NSIGHT_WIDE = [
    launch({"f32": 1_000_000 + 2_000_000 + 2 * 500_000_000}, dram=1_500e6 + 500e6, l2=32 * 100_000_000, l1=4_000e6,
           shared=128 * 1_000),
    # A metric and its split by sparsity are the same operations once. f16: two numbers an instruction.
    launch({"tensor bf16": 80e9, "tensor f16": 3e6 + 1e6 + 6e6, "f32": 2 * 1_000_000,
            "f16": 2 * 100_000 + 2 * 2 * 250_000}, dram=64e6 + 16e6, l2=32 * 10_000_000, l1=640e6),
    # A copy: every counter of operations is there and zero.
    launch({"f32": 0}, dram=8e6 + 8e6),
]

SECONDS = 50_000e-9
CYCLES = 1.20e9 * SECONDS

EXPECTED = {
    "ncu-wide.csv": NSIGHT_WIDE,
    "ncu-wide-crlf.csv": NSIGHT_WIDE,
    # Rates a cycle and a second, times cycles and seconds; the derived metric has the factor of two in it.
    "ncu-roofline.csv": [
        launch({"f32": (100 + 50 + 850) * CYCLES}, dram=900e9 * SECONDS, l2=1_500e9 * SECONDS,
               l1=128 * 20e9 * SECONDS),
    ],
    # A step of HMMA.884 is 512 operations of a warp: the tool's own derived metric of it ends in x512.
    "ncu-volta.csv": [launch({"tensor": 100_000_000 * 512}, dram=0.50e9)],
    # The second launch's bytes are "n/a".
    "ncu-long.csv": [
        launch({"f32": 64_000 + 0 + 2 * 128_000}, dram=512e3), launch({"f32": 64_000 + 0 + 2 * 128_000}),
    ],
    # A throughput of 400 GB/s for 10 us, and no counter of operations.
    "ncu-details.csv": [launch(dram=400e9 * 10e-6)],
    # Shapes: 2 m n k operations; operands and result once. Only the longest kernel of an operator has its work.
    "kineto-gpu.json": [
        launch({"tensor bf16": 2 * 64 * 4096 * 4096}, dram=2 * (64 * 4096 + 4096 * 4096 + 64 * 4096)),
        launch(),
        # Causal attention: half of 2 batches x 8 heads x two products of 128 x 128 x 64; Q, K, V and O.
        launch({"tensor bf16": 2 * 8 * 2 * (2 * 128 * 128 * 64) / 2}, dram=4 * 2 * (2 * 8 * 128 * 64)),
        launch(),
        launch({"f32": 4 * 2 * 32 * 64 * 16}, dram=4 * 4 * (32 * 64 + 64 * 16 + 32 * 16)),
        launch(),
    ],
    "kineto-cpu.json": [
        launch(),
        launch({"f32": 2 * 32 * 128 * 256}, dram=4 * (32 * 128 + 128 * 256 + 32 * 256)),
        launch(),
        # A convolution 3 x 3 of 3 channels to 8, stride 2, padding 1: 16 x 16 outputs of 27 multiply-adds each.
        launch({"f32": 2 * 8 * 16 * 16 * 3 * 3 * 3}, dram=4 * (3 * 32 * 32 + 8 * 3 * 3 * 3 + 8 * 16 * 16)),
        launch(),
    ],
    "nsys.sqlite": [launch(), launch(), launch()],
    "rocprof-trace.csv": [launch(), launch()],
    # A wave of 64 lanes; a MOPS is 512 operations; requests of 64 bytes, or of 32 where so counted; lines of 128.
    "rocprof-counters.csv": [
        launch({"f32": 64 * (1_000 + 2_000 + 500 + 2 * 10_000) * times, "tensor f16": 512 * 4_000 * times},
               dram=(64 * (30_000 - 10_000) + 32 * 10_000 + 64 * 6_000 + 32 * (8_000 - 6_000)) * times,
               l2=128 * 50_000 * times)
        for times in (1, 2)
    ],
    "rocprof-compute.csv": [
        launch({"f32": 64 * (1_000 + 2_000 + 500 + 2 * 10_000), "tensor f16": 512 * 4_000},
               dram=64 * (30_000 - 10_000) + 32 * 10_000 + 64 * 6_000 + 32 * (8_000 - 6_000), l2=128 * 50_000),
    ],
    # Retired instructions of 1, 8 and 16 float32 lanes; a missed line is 64 bytes.
    "perf-stat.csv": [launch({"f32": 1e9 + 8 * 500e6 + 16 * 250e6}, dram=64 * 40e6)],
    "perf-interval.csv": [launch(), launch()],
}


with open(os.path.join(HERE, "expected.json"), "w", encoding="utf-8") as file:
    json.dump(EXPECTED, file, indent=1)
    file.write("\n")
