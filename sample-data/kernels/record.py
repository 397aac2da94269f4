#!/usr/bin/env python3
"""Records sample-data/kernels/recorded.json: ceilings and ladders of one machine, to look at before anything is measured.

    python3 sample-data/kernels/record.py path/to/orrery

The name of the processor says that it is sample data, so that no machine takes the figures for its own.
"""
import json
import subprocess
import sys
import tempfile

KERNELS = ["gemm-f32", "gemm-f64", "gemm-bf16", "gemm-int8", "matvec-q4_k", "prefill-q4_k", "softmax", "rms-norm"]
THREADS = [1, 2]


def main():
    orrery = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        place = ["--workspace", folder + "/recorded.orrery"]

        def run(*words):
            return subprocess.run([orrery, "kernel", *words, *place], check=True, capture_output=True).stdout

        ceilings = json.loads(run("ceilings", "--json"))
        runs = []
        for kernel in KERNELS:
            for threads in THREADS:
                # Status 3 would mean a regression: each is measured once, so there is none.
                run("run", kernel, "--threads", str(threads), "--seconds", "6", *(["--size", "512"] if kernel == "gemm-f32" else []))
            newest = {}
            for each in json.loads(run("history", kernel, "--limit", "100", "--json"))["runs"]:
                newest[each["variant"], each["threads"]] = each
            runs += newest.values()
    name = ceilings["machine"]["processor"]
    ceilings["machine"]["processor"] = name + " (sample data)"
    for each in runs:
        each["machine"] = each["machine"].replace(name, name + " (sample data)", 1)
        for key in ["id", "commit", "verdict", "baseline", "threshold"]:
            each.pop(key, None)
    with open(__file__.replace("record.py", "recorded.json"), "w") as file:
        file.write('{\n"ceilings": ' + json.dumps(ceilings, separators=(",", ":")) + ',\n"runs": [\n')
        file.write(",\n".join(json.dumps(each, separators=(",", ":")) for each in runs))
        file.write("\n]\n}\n")


if __name__ == "__main__":
    main()
