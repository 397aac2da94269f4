"""Writes orrery.jsonl, some samples of a recorded run, for the damage tests: python3 make_orrery_log.py"""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
RECORDED = HERE.parents[3] / "sample-data" / "evals" / "recorded" / "after.jsonl"
head, *samples = RECORDED.read_text(encoding="utf-8").splitlines()
lines = [json.loads(line) for line in samples]
chosen = [p for p, s in enumerate(lines) if "spans" in s][:2] + [p for p, s in enumerate(lines) if "problem" in s][:1]
chosen += [p for p, s in enumerate(lines) if p not in chosen][:12]
(HERE / "orrery.jsonl").write_text(
    "".join(text + "\n" for text in [head] + [samples[p] for p in sorted(chosen)]), encoding="utf-8", newline="\n")
