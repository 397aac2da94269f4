"""Bar 9: the same bits for one thread and all, and for a row alone or among 64."""

from figures import at_most
from kernels import bits


def run(program):
    found = bits(program)
    checks = found["checks"]
    differing = [check["what"] for check in checks if check["differing"]]
    compared = sum(check["compared"] for check in checks)
    return [
        at_most(
            "9", "results whose bits depend on threads or neighbors", len(differing), "results", 0,
            spread=f"{len(checks)} checks of {compared} numbers, {found['threads']} threads"
            + (": " + ", ".join(differing) if differing else ""),
        )  # fmt: skip
    ]
