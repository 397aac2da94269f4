#!/usr/bin/env python3
"""Makes the sample profiles: two layers of an invented decoder on an H100, before and after two fusions.

Nothing here was measured. Each kernel has the operations and bytes that its shapes give, and the time that a roofline
with an efficiency for its kind gives, with a little seeded noise. Run it here; the files come out byte for byte the same.

    before.csv    Nsight Compute, wide: attention in three kernels, norms and residuals apart
    after.csv     the same step with flash attention, fused residual and norm, and one product for gate and up
    step.json     PyTorch profiler: the step before the change, with operators and shapes
"""

import json
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))

TOKENS, HIDDEN, HEADS, KV_HEADS, WIDTH, INNER, WORDS, LAYERS = 2048, 2048, 16, 4, 128, 5632, 32000, 2
SMS, CORE, MEMORY, L2_CLOCK = 132, 1.5e9, 2.619e9, 1.59e9
PEAK_F32 = SMS * 128 * 2 * CORE
PEAK_BF16 = SMS * 4096 * CORE
PEAK_DRAM = 1279.0 * MEMORY
L2_BYTES = 50e6


class Kernel:
    """One launch: what it does, and from that how long it takes."""

    def __init__(self, name, grid, block, tensor=0, fma=0, add=0, mul=0, read=0, write=0, reuse=1.0, efficiency=0.7,
                 registers=32, shared=0, occupancy=60.0, operator=None, dims=None, types=None, concrete=None):
        self.name, self.grid, self.block = name, grid, block
        self.tensor, self.fma, self.add, self.mul = tensor, fma, add, mul
        self.read, self.write, self.reuse, self.efficiency = read, write, reuse, efficiency
        self.registers, self.shared, self.occupancy = registers, shared, occupancy
        self.operator, self.dims, self.types, self.concrete = operator, dims, types, concrete

    def measure(self, rng):
        """Traffic and time; what fits into the L2 is read from memory only in part."""
        resident = 0.35 if self.read + self.write < L2_BYTES else 1.0
        self.dram_read = self.read * resident * rng.uniform(0.98, 1.02)
        self.dram_write = self.write * resident * rng.uniform(0.98, 1.02)
        self.l2 = (self.read + self.write) * self.reuse
        self.l1 = self.l2 * (1.6 if self.tensor else 1.05)
        flops = 2 * self.fma + self.add + self.mul
        bounds = [self.tensor / PEAK_BF16, flops / PEAK_F32, (self.dram_read + self.dram_write) / PEAK_DRAM,
                  self.l2 / (SMS * 46.5 * CORE)]
        self.seconds = (1.8e-6 + max(bounds) / self.efficiency) * rng.uniform(0.985, 1.015)
        return self


def gemm(m, n, k, tile=(128, 256), efficiency=0.72, operator="aten::mm"):
    grid = ((m + tile[0] - 1) // tile[0] * ((n + tile[1] - 1) // tile[1]), 1, 1)
    return Kernel(
        f"gemm_bf16_tn_{tile[0]}x{tile[1]}x64_warpgroups2", grid, (384, 1, 1), tensor=2 * m * n * k, fma=0,
        read=2 * (m * k + k * n), write=2 * m * n, reuse=min(9.0, max(1.0, n / tile[1] * 0.35 + m / tile[0] * 0.1)),
        efficiency=efficiency, registers=168, shared=213 * 1024, occupancy=18.4, operator=operator,
        dims=[[m, k], [k, n]], types=["c10::BFloat16"] * 2)


def rows(name, elements, flops, reads, writes, operator=None, dims=None, efficiency=0.82, threads=256):
    """A kernel that goes over rows once: norms, residuals, activations."""
    return Kernel(
        name, (max(1, elements // (threads * 8)), 1, 1), (threads, 1, 1), fma=flops * elements // 4,
        add=flops * elements // 4, mul=flops * elements // 4, read=2 * reads * elements, write=2 * writes * elements,
        efficiency=efficiency, registers=32, shared=256, occupancy=88.0, operator=operator, dims=dims,
        types=["c10::BFloat16"] * len(dims or []))


def attention_naive():
    pairs = HEADS * TOKENS * TOKENS
    batched = lambda a, b: dict(operator="aten::bmm", dims=[a, b], types=["c10::BFloat16"] * 2)
    scores = Kernel("gemm_bf16_batched_nt_128x128x64", (HEADS * 256, 1, 1), (256, 1, 1), tensor=2 * pairs * WIDTH,
                    read=2 * 2 * HEADS * TOKENS * WIDTH, write=2 * pairs, reuse=1.4, efficiency=0.55, registers=152,
                    shared=98304, occupancy=24.1, **batched([HEADS, TOKENS, WIDTH], [HEADS, WIDTH, TOKENS]))
    softmax = Kernel("void softmax_causal_rows<__nv_bfloat16, 4>(__nv_bfloat16 *, int, float)", (HEADS * TOKENS, 1, 1),
                     (256, 1, 1), fma=2 * pairs, add=2 * pairs, mul=pairs, read=2 * pairs, write=2 * pairs, reuse=1.0,
                     efficiency=0.78, registers=40, shared=128, occupancy=91.5, operator="aten::_softmax",
                     dims=[[HEADS, TOKENS, TOKENS]], types=["c10::BFloat16"])
    mix = Kernel("gemm_bf16_batched_nn_128x128x64", (HEADS * 16, 1, 1), (256, 1, 1), tensor=2 * pairs * WIDTH,
                 read=2 * pairs + 2 * HEADS * TOKENS * WIDTH, write=2 * HEADS * TOKENS * WIDTH, reuse=1.3,
                 efficiency=0.5, registers=152, shared=98304, occupancy=24.4,
                 **batched([HEADS, TOKENS, TOKENS], [HEADS, TOKENS, WIDTH]))
    return [scores, softmax, mix]


def attention_flash():
    pairs = HEADS * TOKENS * TOKENS // 2
    return [Kernel("void flash_forward<128, 128, 128, true>(FlashParameters)", (HEADS * TOKENS // 128, 1, 1),
                   (384, 1, 1), tensor=4 * pairs * WIDTH, fma=3 * pairs, add=pairs, mul=pairs,
                   read=2 * (HEADS + 2 * KV_HEADS) * TOKENS * WIDTH, write=2 * HEADS * TOKENS * WIDTH, reuse=5.5,
                   efficiency=0.52, registers=168, shared=221184, occupancy=18.2)]


def step(fused):
    activations = TOKENS * HIDDEN
    qkv = (HEADS + 2 * KV_HEADS) * WIDTH
    norm = lambda: rows("void rms_norm<__nv_bfloat16, 8>(const __nv_bfloat16 *, const __nv_bfloat16 *, __nv_bfloat16 *)",
                        activations, 4, 1, 1, "aten::rms_norm", [[TOKENS, HIDDEN], [HIDDEN]])
    add = lambda: rows("void add_residual<__nv_bfloat16, 8>(const __nv_bfloat16 *, __nv_bfloat16 *)", activations, 1, 2,
                       1, "aten::add", [[TOKENS, HIDDEN], [TOKENS, HIDDEN]])
    add_norm = lambda: rows("void add_residual_rms_norm<__nv_bfloat16, 8>(const __nv_bfloat16 *, __nv_bfloat16 *)",
                            activations, 5, 2, 2)
    kernels = [rows("void gather_rows<__nv_bfloat16>(const int *, const __nv_bfloat16 *, __nv_bfloat16 *)", activations,
                    0, 1, 1, "aten::embedding", [[WORDS, HIDDEN], [TOKENS]]), norm()]
    for layer in range(LAYERS):
        kernels.append(gemm(TOKENS, qkv, HIDDEN))
        kernels.append(rows("void rotate_pairs<__nv_bfloat16>(__nv_bfloat16 *, const float2 *)", TOKENS * qkv, 3, 1, 1,
                            "aten::mul", [[TOKENS, qkv], [TOKENS, WIDTH]]))
        kernels += attention_flash() if fused else attention_naive()
        kernels.append(gemm(TOKENS, HIDDEN, HEADS * WIDTH, efficiency=0.68))
        kernels += [add_norm()] if fused else [add(), norm()]
        if fused:
            kernels.append(gemm(TOKENS, 2 * INNER, HIDDEN, efficiency=0.76))
        else:
            kernels += [gemm(TOKENS, INNER, HIDDEN), gemm(TOKENS, INNER, HIDDEN)]
        kernels.append(rows("void silu_multiply<__nv_bfloat16, 8>(const __nv_bfloat16 *, __nv_bfloat16 *)",
                            TOKENS * INNER, 5, 2, 1, "aten::mul", [[TOKENS, INNER], [TOKENS, INNER]]))
        kernels.append(gemm(TOKENS, HIDDEN, INNER, efficiency=0.7))
        kernels += [add_norm()] if fused else [add(), norm()]
    kernels.append(gemm(TOKENS, WORDS, HIDDEN, efficiency=0.75))
    return kernels


# Nsight Compute

DESCRIPTIVE = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size",
               "Grid Size", "Device", "CC"]


def number(value, decimals=0):
    return f"{value:,.{decimals}f}"


def metrics(k):
    cycles = k.seconds * CORE
    sass = lambda name: f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"
    path = "sm__ops_path_tensor_src_bf16_dst_fp32"
    values = {
        ("device__attribute_display_name", ""): "NVIDIA H100 80GB HBM3",
        ("gpu__time_duration.sum", "usecond"): number(k.seconds * 1e6, 2),
        ("sm__cycles_elapsed.max", "cycle"): number(cycles),
        ("smsp__cycles_elapsed.avg.per_second", "Ghz"): "1.50",
        ("sm__cycles_elapsed.avg.per_second", "Ghz"): "1.50",
        ("l1tex__cycles_elapsed.avg.per_second", "Ghz"): "1.50",
        ("lts__cycles_elapsed.avg.per_second", "Ghz"): "1.59",
        ("dram__cycles_elapsed.avg.per_second", "Ghz"): "2.619",
        ("dram__bytes_read.sum", "Mbyte"): number(k.dram_read / 1e6, 3),
        ("dram__bytes_write.sum", "Mbyte"): number(k.dram_write / 1e6, 3),
        ("dram__bytes.sum.peak_sustained", "Kbyte/cycle"): "1.279",
        ("lts__t_bytes.sum", "Mbyte"): number(k.l2 / 1e6, 3),
        ("lts__t_bytes.sum.peak_sustained", "Kbyte/cycle"): "6.144",
        ("lts__t_sector_hit_rate.pct", "%"): number(100 * (1 - (k.dram_read + k.dram_write) / max(1, k.l2)), 2),
        ("l1tex__t_bytes.sum", "Mbyte"): number(k.l1 / 1e6, 3),
        ("l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained", ""): str(SMS),
        ("launch__registers_per_thread", "register/thread"): str(k.registers),
        ("launch__shared_mem_per_block", "Kbyte/block"): number(k.shared / 1e3, 2),
        ("sm__warps_active.avg.pct_of_peak_sustained_active", "%"): number(k.occupancy, 2),
        ("sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", "inst/cycle"): number(SMS * 128),
        (path + ".sum.peak_sustained", ""): number(SMS * 4096),
        (sass("fadd"), "inst"): number(k.add), (sass("fmul"), "inst"): number(k.mul),
        (sass("ffma"), "inst"): number(k.fma),
    }
    for letter in "dh":
        for operation in ("add", "mul", "fma"):
            values[(sass(letter + operation), "inst")] = "0"
    for source in (path, "sm__ops_path_tensor_src_fp16", "sm__ops_path_tensor_src_tf32_dst_fp32"):
        values[(source + ".sum", "")] = number(k.tensor) if source == path else "0"
    values[(path + "_sparsity_off.sum", "")] = number(k.tensor)
    values[(path + "_sparsity_on.sum", "")] = "0"
    return values


def nsight(name, kernels):
    quote = lambda fields: ",".join('"' + str(field).replace('"', '""') + '"' for field in fields) + "\n"
    columns = sorted(metrics(kernels[0]))
    text = "==PROF== Connected to process 31337 (/opt/tidebook/decode)\n==PROF== Disconnected from process 31337\n"
    text += quote(DESCRIPTIVE + [column for column, _ in columns])
    text += quote([""] * len(DESCRIPTIVE) + [unit for _, unit in columns])
    for place, kernel in enumerate(kernels):
        values = metrics(kernel)
        text += quote([place, 31337, "decode", "hall-3", kernel.name, 1, 7, f"({', '.join(map(str, kernel.block))})",
                       f"({', '.join(map(str, kernel.grid))})", 0, "9.0"] + [values[column] for column in columns])
    with open(os.path.join(HERE, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


# PyTorch profiler

def kineto(name, kernels, rng):
    events = [{"ph": "M", "name": "process_name", "pid": 31337, "tid": 0, "ts": 0, "args": {"name": "python"}}]
    host, device = 120.0, 160.0
    for place, kernel in enumerate(kernels):
        duration = round(rng.uniform(14, 26), 3)
        args = {"External id": place + 1, "Record function id": 0, "Ev Idx": place, "Input Dims": kernel.dims,
                "Input type": kernel.types}
        events.append({"ph": "X", "cat": "cpu_op", "name": kernel.operator, "pid": 31337, "tid": 31337,
                       "ts": round(host, 3), "dur": duration, "args": args})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 31337, "tid": 31337,
                       "ts": round(host + 0.6 * duration, 3), "dur": 4.1,
                       "args": {"External id": place + 1, "cbid": 211, "correlation": 1000 + place}})
        device = max(device + 0.9, host + duration)
        micro = round(kernel.seconds * 1e6 * 0.91, 3)
        events.append({"ph": "X", "cat": "kernel", "name": kernel.name, "pid": 0, "tid": 7, "ts": round(device, 3),
                       "dur": micro, "args": {
                           "External id": place + 1, "device": 0, "context": 1, "stream": 7, "correlation": 1000 + place,
                           "registers per thread": kernel.registers, "shared memory": kernel.shared,
                           "grid": list(kernel.grid), "block": list(kernel.block),
                           "est. achieved occupancy %": round(kernel.occupancy)}})
        host += duration + 3
        device += micro
    trace = {"schemaVersion": 1, "deviceProperties": [
        {"id": 0, "name": "NVIDIA H100 80GB HBM3", "computeMajor": 9, "computeMinor": 0, "numSms": SMS}],
        "record_shapes": 1, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1790000000000000000, "traceEvents": events}
    with open(os.path.join(HERE, name), "w", encoding="utf-8", newline="") as file:
        head, tail = json.dumps(dict(trace, traceEvents=[])).split('"traceEvents": []')
        lines = ",\n".join(json.dumps(event) for event in events)
        file.write(head + '"traceEvents": [\n' + lines + "\n]" + tail + "\n")


if __name__ == "__main__":
    noise = random.Random(20261102)
    before = [kernel.measure(noise) for kernel in step(fused=False)]
    after = [kernel.measure(noise) for kernel in step(fused=True)]
    nsight("before.csv", before)
    nsight("after.csv", after)
    kineto("step.json", before, noise)
