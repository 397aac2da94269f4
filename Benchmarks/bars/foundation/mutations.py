"""Bar 10: 10,000 seeded mutations an importer, no crash, memory bounded.

`orrery-bench trace fuzz` mutates in memory, if the format has a fuzzer. Otherwise mutated files are written here and
imported two hundred at a time, so that a crash is seen as a signal.
"""

import os
import random
import shutil

import make_data
from figures import at_most, not_run
from program import SAMPLE_TRACES

BOUND_MB = 300
BATCH = 200


def seeds(program):
    """A text to mutate for each format: the first records of the real session, and the sample's OTLP."""
    main, _ = make_data.real_session()
    with open(main, "rb") as file:
        claude_code = b"".join(file.readlines()[:60])
    with open(os.path.join(SAMPLE_TRACES, "otlp", "museum-signs-legacy.json"), "rb") as file:
        otlp = file.read()
    found = {}
    for name, data, suffix in (("claude-code", claude_code, ".jsonl"), ("otlp", otlp, ".json")):
        path = os.path.join(program.data, "mutate-" + name + suffix)
        with open(path, "wb") as file:
            file.write(data)
        found[name] = path
    return found


def mutated(data, chance):
    """One mutation, or a few: cut, flip, repeat, nest, swell, swap, or mix in bytes that are no UTF-8."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(data)) if data else 0
        kind = chance.randrange(9)
        if kind == 0:
            del data[at:]
        elif kind == 1 and data:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            data[at:at] = data[at : at + chance.randrange(1, 400)]
        elif kind == 3:
            data[at:at] = chance.choice((b"[", b'{"a":', b'{"arrayValue":{"values":[')) * chance.choice(
                (10, 1000, 20_000)
            )
        elif kind == 4:
            data[at:at] = b"x" * chance.choice((1000, 100_000))
        elif kind == 5:
            del data[at : at + chance.randrange(1, 200)]
        elif kind == 6:
            data[at:at] = chance.choice(
                (b"\xff\xfe", b"\xed\xa0\x80", b"\x00", b"\\ud800", b"\n", b'"', b"1e999", b"-9223372036854775809")
            )
        elif kind == 7:
            other = chance.randrange(len(data)) if data else 0
            low, high = sorted((at, other))
            data[low:high] = data[low:high][::-1] if high - low < 2000 else b"null"
        elif kind == 8 and data:
            for _ in range(20):
                data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def by_files(program, name, seed_path, count):
    """Import mutated files in batches. Returns (crashes, peak MB, what crashed)."""
    with open(seed_path, "rb") as file:
        data = file.read()
    suffix = os.path.splitext(seed_path)[1]
    chance, crashes, peak, where = random.Random(10), 0, 0.0, []
    folder = os.path.join(program.data, "mutations")
    for first in range(0, count, BATCH):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for index in range(first, min(first + BATCH, count)):
            with open(os.path.join(folder, f"{index:06d}{suffix}"), "wb") as file:
                file.write(mutated(data, chance))
        done = program.run(
            "trace", "import", "--workspace", program.workspace("mutations"), "--json", folder, limit=300
        )
        peak = max(peak, done.peak_mb)
        if done.status < 0 or done.status not in (0, 1):
            crashes += 1
            where.append(f"batch from {first}: status {done.status}")
            shutil.copytree(folder, f"{folder}-crash-{name}-{first}", dirs_exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    program.workspace("mutations")
    return crashes, peak, where


def run(program):
    count = 400 if program.quick else 10_000
    figures = []
    for letter, (name, path) in zip("ac", seeds(program).items()):
        done = program.bench.run(
            "trace", "fuzz", "--format", name, "--seed", "1", "--count", str(count), "--json", path, limit=900
        )
        said = done.json()
        if done.status == 64 or (said is None and done.status > 0):
            crashes, peak, where = by_files(program, name, path, count)
            how = f"{count} files, {BATCH} an import" + "".join(f"; {line}" for line in where[:3])
        elif isinstance(said, dict):
            # A crash ends the process by a signal; a broken promise of the reader ends it with 1.
            crashes, peak = int(done.status != 0), done.peak_mb
            how = f"{said.get('mutations', '?')} mutations in one process"
            how += "".join(f"; {line}" for line in said.get("violations", [])[:3])
            if said.get("mutations", count) < count:
                figures.append(not_run(f"10{letter}", f"mutations of {name}", f"only {how}"))
                continue
        else:
            crashes, peak, how = 1, done.peak_mb, f"`trace fuzz` ended with status {done.status}"
        figures.append(at_most(f"10{letter}", f"crashes of {name}", crashes, "crashes", 0, spread=how))
        figures.append(at_most(f"10{chr(ord(letter) + 1)}", f"memory under mutations of {name}", peak, "MB", BOUND_MB))
    return figures
