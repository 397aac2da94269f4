"""Bar 1: our ceilings against stand-alone reference programs, medians of both in one run, by turns.

The references are two C programs of the workplace's peers folder (`peak.c`, `bw.c`; ORRERY_PEERS names another folder),
compiled here. Without them the bar could not run. A turn is peak, ours, peak again, bandwidths: the clock drifts by a
few percent within a minute, and arithmetic is compared within 3 %.
"""

import json
import os
import subprocess

from figures import CouldNotRun, at_most
from kernels import LARGEST_STEAL, PEERS, Steal, answer, middle, priority

# Ours, theirs.
COMPUTE = {
    "FMA f32 AVX-512": "avx512_fma_f32",
    "FMA f64 AVX-512": "avx512_fma_f64",
    "FMA f32 AVX2": "avx2_fma_f32",
    "FMA f64 AVX2": "avx2_fma_f64",
    "bf16 dot AVX-512": "avx512_bf16_dot",
    "int8 dot AVX-512": "avx512_vnni_int8",
}
LEVELS = {"L1": (0.05, "L1"), "L2": (0.10, "L2"), "L3": (0.20, "L3"), "memory": (0.30, "DRAM")}
TURNS = 5


def compiled(program, name):
    source = os.path.join(PEERS, name + ".c")
    if not os.path.exists(source):
        raise CouldNotRun(f"no reference program at {source}")
    binary = os.path.join(program.data, "reference-" + name)
    flags = ["-O2", "-march=cooperlake"] + (["-mavxvnni"] if name == "peak" else [])
    command = ["gcc", *flags, "-o", binary, source, "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CouldNotRun(f"gcc does not compile {source}: {done.stderr.strip()[-200:]}")
    return binary


def unstolen(what, measure):
    """What `measure` returns beside a false "was void"; it has three attempts."""
    for _ in range(3):
        found, is_void = measure()
        if not is_void:
            return found
    raise CouldNotRun(f"{what}: more than {LARGEST_STEAL:.0%} of the time was stolen, three times")


def reference(binary, *arguments):
    output = binary + ".json"

    def once():
        steal = Steal()
        subprocess.run([*priority(), binary, *arguments, output], check=True, capture_output=True)
        with open(output, encoding="utf-8") as file:
            return json.load(file), steal.share > LARGEST_STEAL

    return unstolen(os.path.basename(binary), once)


def ours(program):
    def once():
        found, _ = answer(program, "kernel", "ceilings", "--json", "--workspace", program.workspace("ceilings"))
        return found, found["conditions"]["standing"] == "void"

    return unstolen("kernel ceilings", once)


def run(program):
    peak, bandwidth = compiled(program, "peak"), compiled(program, "bw")
    mine, theirs = {}, {}
    for _ in range(1 if program.quick else TURNS):
        peaks = reference(peak, "2", "100")
        found = ours(program)
        peaks += reference(peak, "2", "100")
        for entry in peaks:
            theirs.setdefault((entry["test"], entry["threads"]), []).append(entry["median"] * 1e9)
        for entry in reference(bandwidth, "2"):
            if "median_gbs" in entry:
                key = (entry["level"], entry["kernel"], entry["threads"])
                theirs.setdefault(key, []).append(entry["median_gbs"] * 1e9)
        for threads in found["threads"]:
            for ceiling in threads["compute"]:
                key = (ceiling["name"], threads["threads"])
                mine.setdefault(key, []).append(ceiling["operations_per_second"]["median"])
            for ceiling in threads["memory"]:
                key = (ceiling["level"], ceiling["kernel"], threads["threads"])
                mine.setdefault(key, []).append(ceiling["bytes_per_second"]["median"])
    return figures(differences(mine, theirs))


def differences(mine, theirs):
    """For compute and each level: what, and by what part our median is larger or smaller than theirs."""
    pairs = [
        ("compute", f"{name} x{threads}", (name, threads), (peer, threads))
        for name, peer in COMPUTE.items()
        for threads in (1, 2)
    ] + [
        (level, f"{kernel} x{threads}", (level, kernel, threads), (peer, kernel, threads))
        for level, (_, peer) in LEVELS.items()
        for kernel in ("read", "write", "copy", "triad")
        for threads in (1, 2)
    ]
    found = {}
    for group, what, our_key, their_key in pairs:
        if our_key in mine and their_key in theirs:
            difference = middle(mine[our_key]) / middle(theirs[their_key]) - 1
            found.setdefault(group, []).append((what, difference))
    return found


def figures(found):
    limits = {"compute": 0.03, **{level: limit for level, (limit, _) in LEVELS.items()}}
    results = []
    for letter, (group, limit) in zip("abcde", limits.items()):
        if group not in found:
            raise CouldNotRun(f"no ceiling of {group} has a counterpart")
        worst = max(found[group], key=lambda pair: abs(pair[1]))
        results.append(
            at_most(
                f"1{letter}", f"{group}: largest difference to the reference", abs(worst[1]), "", limit,
                spread=f"at {worst[0]}; " + ", ".join(f"{what} {100 * part:+.1f} %" for what, part in found[group]),
            )  # fmt: skip
        )
    return results
