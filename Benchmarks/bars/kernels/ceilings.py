"""Bar 1: our ceilings against stand-alone reference programs, medians of both, by turns.

The references are two C programs, `peak.c` and `bw.c`, in the folder that ORRERY_PEERS names,
compiled here. Without them the bar could not run. The references run before and after each of our runs, and ours is held
against the mean of both: the clock drifts by some percent within a minute, and what other machines on the same host leave
of the memory's bandwidth to two threads changes by half within as long. What counts is the median of these ratios.
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
        raise CouldNotRun(f"no {name}.c in {PEERS or 'ORRERY_PEERS, which is not set'}")
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
    programs = compiled(program, "peak"), compiled(program, "bw")
    before, ratios = references(*programs), {}
    for _ in range(1 if program.quick else TURNS):
        mine = flattened(ours(program))
        after = references(*programs)
        for key, rate in mine.items():
            if key in before and key in after:
                ratios.setdefault(key, []).append(2 * rate / (before[key] + after[key]))
        before = after
    return figures(differences(ratios))


def references(peak, bandwidth):
    """Operations or bytes a second by what and on how many threads, under our names."""
    names = {theirs: ours for ours, theirs in COMPUTE.items()}
    levels = {theirs: ours for ours, (_, theirs) in LEVELS.items()}
    found = {
        (names[entry["test"]], entry["threads"]): entry["median"] * 1e9
        for entry in reference(peak, "2", "100")
        if entry["test"] in names
    }
    for entry in reference(bandwidth, "2"):
        if "median_gbs" in entry and entry["level"] in levels:
            found[levels[entry["level"]], entry["kernel"], entry["threads"]] = entry["median_gbs"] * 1e9
    return found


def flattened(ceilings):
    found = {}
    for threads in ceilings["threads"]:
        count = threads["threads"]
        for ceiling in threads["compute"]:
            found[ceiling["name"], count] = ceiling["operations_per_second"]["median"]
        for ceiling in threads["memory"]:
            if ceiling["kernel"] in ("read", "write", "copy", "triad"):
                found[ceiling["level"], ceiling["kernel"], count] = ceiling["bytes_per_second"]["median"]
    return found


def differences(ratios):
    """For compute and each level: what, and by what part ours is larger or smaller than theirs."""
    found = {}
    for key, values in ratios.items():
        group = key[0] if key[0] in LEVELS else "compute"
        what = key[0] if group == "compute" else key[1]
        found.setdefault(group, []).append((f"{what} x{key[-1]}", middle(values) - 1))
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
