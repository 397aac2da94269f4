"""Makes the logs beside it: `make_logs.py`, with inspect-ai and lm-eval installed.

inspect_zstd.eval, inspect_deflate.eval, inspect_unfinished.eval, inspect_frames.eval (a sample in several Zstandard
frames), inspect_run.eval and .json (a run of Inspect with its mock model), and of each finished one what Inspect reads
(`*.expected.jsonl`); lm-eval/ (a run of lm-eval with its dummy model); promptfoo.json, garak.jsonl and
openai_evals.jsonl are written here, as those programs' sources describe them.
"""

import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

import zipfile_zstd  # noqa: F401
import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(HERE, "../../../../Benchmarks/peers")
sys.path.insert(0, HERE)


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True, **options).stdout


def expect(name):
    with open(f"{HERE}/{name}.expected.jsonl", "w") as file:
        file.write(python(f"{PEERS}/inspect_check.py", f"{HERE}/{name}"))


def frames(source, target):
    """Rewrites a log so that each entry has many Zstandard frames."""
    with zipfile.ZipFile(source) as old, open(target, "wb") as file:
        entries, place = [], 0
        for info in old.infolist():
            data = old.read(info)
            packed = b"".join(
                zstandard.ZstdCompressor().compress(data[start:start + 700]) for start in range(0, len(data), 700))
            name = info.filename.encode()
            head = (len(packed), len(data), len(name))
            common = (b"\x3f\x00\x00\x00\x5d\x00\x00\x00\x21\x00" + info.CRC.to_bytes(4, "little")
                      + head[0].to_bytes(4, "little") + head[1].to_bytes(4, "little") + head[2].to_bytes(2, "little"))
            entries.append(b"PK\x01\x02\x3f\x03" + common + bytes(12) + place.to_bytes(4, "little") + name)
            place += file.write(b"PK\x03\x04" + common + bytes(2) + name + packed)
        directory = b"".join(entries)
        file.write(directory + b"PK\x05\x06" + bytes(4) + 2 * len(entries).to_bytes(2, "little")
                   + len(directory).to_bytes(4, "little") + place.to_bytes(4, "little") + bytes(2))


def inspect_logs():
    make = f"{PEERS}/make_inspect_log.py"
    python(make, "12K", f"{HERE}/inspect_zstd.eval", "--samples", "24")
    python(make, "12K", f"{HERE}/inspect_deflate.eval", "--samples", "12", "--deflate", "--seed", "2")
    python(make, "6K", f"{HERE}/inspect_unfinished.eval", "--samples", "12", "--unfinished", "--seed", "3")
    frames(f"{HERE}/inspect_zstd.eval", f"{HERE}/inspect_frames.eval")
    import inspect_runs

    for kind in ["eval", "json"]:
        with tempfile.TemporaryDirectory() as folder:
            inspect_runs.make(folder, kind)
            shutil.copy(glob.glob(f"{folder}/*.{kind}")[0], f"{HERE}/inspect_run.{kind}")
    for name in ["inspect_zstd.eval", "inspect_deflate.eval", "inspect_run.eval", "inspect_run.json"]:
        expect(name)


def lm_eval():
    with tempfile.TemporaryDirectory() as folder:
        rows = [{"question": f"What is {n}+{n}?", "answer": str(2 * n), "choices": [str(2 * n), str(n)], "label": n % 2}
                for n in range(6)]
        with open(f"{folder}/items.jsonl", "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        base = f"dataset_path: json\ndataset_kwargs: {{data_files: {{test: {folder}/items.jsonl}}}}\ntest_split: test\n"
        kinds = {
            "made_gen": """output_type: generate_until
doc_to_text: "Question: {{question}}"
doc_to_target: "{{answer}}"
filter_list:
  - {name: strict, filter: [{function: regex, regex_pattern: "#### ([0-9]+)"}, {function: take_first}]}
  - {name: loose, filter: [{function: take_first}]}
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
""",
            "made_choice": """output_type: multiple_choice
doc_to_text: "Question: {{question}}"
doc_to_choice: "{{choices}}"
doc_to_target: "{{label}}"
metric_list: [{metric: acc}, {metric: acc_norm}]
""",
            "made_words": """output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{question}}"
metric_list: [{metric: word_perplexity}, {metric: bits_per_byte}]
""",
        }
        for name, text in kinds.items():
            with open(f"{folder}/{name}.yaml", "w") as file:
                file.write(base + f"task: {name}\n" + text)
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": folder, "HF_DATASETS_OFFLINE": "1"}
        python("-m", "lm_eval", "--model", "dummy", "--include_path", folder, "--tasks", ",".join(kinds), "--output_path",
               f"{folder}/out", "--log_samples", env=environment)
        shutil.rmtree(f"{HERE}/lm-eval", ignore_errors=True)
        os.makedirs(f"{HERE}/lm-eval")
        for path in glob.glob(f"{folder}/out/*/*"):
            with open(path) as file:
                text = file.read()
            # Nothing of the machine that made it.
            with open(f"{HERE}/lm-eval/{os.path.basename(path)}", "w") as file:
                if path.endswith(".json"):
                    value = json.loads(text)
                    value["pretty_env_info"] = value["git_hash"] = None
                    text = json.dumps(value, indent=1)
                file.write(text.replace(folder, "/data"))


def promptfoo(rng):
    prompts = [{"provider": f"openai:model-{p}", "label": "Say {{word}}", "raw": "Say {{word}}", "id": f"p{p}",
                "metrics": {"testPassCount": 0, "testFailCount": 0, "testErrorCount": 0, "cost": 0.0,
                            "namedScores": {"tone": 0.0}, "namedScoresCount": {"tone": 0},
                            "tokenUsage": {"total": 0, "prompt": 0, "completion": 0, "cached": 0}}} for p in range(2)]
    results = []
    for test in range(8):
        for column in range(2):
            word = rng.choice(["gear", "moon", "sun"])
            metrics = prompts[column]["metrics"]
            error = test == 5 and column == 1
            passed = not error and rng.random() < 0.6
            tone = round(rng.random(), 3)
            metrics["testErrorCount" if error else "testPassCount" if passed else "testFailCount"] += 1
            metrics["namedScores"]["tone"] += 0 if error else tone
            metrics["namedScoresCount"]["tone"] += 0 if error else 1
            metrics["cost"] += 0.001
            component = {"pass": passed, "score": 1.0 if passed else 0.0, "reason": "Assertion passed" if passed else
                         f"Expected output to contain \"{word}\"", "assertion": {"type": "contains", "value": word}}
            results.append({
                "cost": 0.001, "error": "API error: 500" if error else None if passed else component["reason"],
                "gradingResult": None if error else {
                    "pass": passed, "score": component["score"], "reason": component["reason"],
                    "namedScores": {"tone": tone}, "componentResults": [
                        component, {"pass": True, "score": tone, "reason": "polite", "assertion": {
                            "type": "llm-rubric", "value": "is polite", "metric": "tone"}}]},
                "id": f"r{test}-{column}", "latencyMs": 120 + test, "namedScores": {} if error else {"tone": tone},
                "prompt": {"raw": json.dumps([{"role": "system", "content": "Speak."},
                                              {"role": "user", "content": f"Say {word}"}]), "label": "Say {{word}}"},
                "promptId": f"p{column}", "promptIdx": column, "testIdx": test,
                "provider": {"id": f"openai:model-{column}", "label": ""},
                "response": {"error": "API error: 500"} if error else {
                    "output": f"I say {word if passed else 'nothing'}", "cached": False,
                    "tokenUsage": {"total": 12, "prompt": 9, "completion": 3}},
                "score": 0 if error else component["score"], "success": passed, "failureReason": 2 if error else 0 if passed
                else 1, "vars": {"word": word}, "testCase": {"vars": {"word": word}, "assert": [component["assertion"]]}})
    value = {"evalId": "eval-made-2026-01-01", "results": {
        "version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": prompts, "results": results,
        "stats": {"successes": 0, "failures": 0, "errors": 1}}, "config": {"description": "made"}, "shareableUrl": None}
    with open(f"{HERE}/promptfoo.json", "w") as file:
        json.dump(value, file, indent=1)


def garak(rng):
    lines = [
        {"entry_type": "start_run setup", "run.seed": None, "run.eval_threshold": 0.5, "plugins.model_type": "test",
         "plugins.model_name": "Blank", "transient.run_id": "made"},
        {"entry_type": "init", "garak_version": "0.11.0", "start_time": "2026-01-01T00:00:00.000000", "run": "made"}]
    evals = []
    for probe in ["dan.Dan_11_0", "encoding.InjectBase64"]:
        hits = {"mitigation.MitigationBypass": 0, "dan.DAN": 0}
        for seq in range(4):
            outputs = [f"I will {rng.choice(['obey', 'not'])} {n}" for n in range(2)] + ([None] if seq == 3 else [])
            values = {name: [None if o is None else round(rng.random(), 3) for o in outputs] for name in hits}
            for name in hits:
                hits[name] += sum(v is not None and v >= 0.5 for v in values[name])
            attempt = {"entry_type": "attempt", "uuid": f"{probe}-{seq}", "seq": seq, "probe_classname": probe,
                       "probe_params": {}, "targets": [], "goal": "disregard the system prompt", "notes": {"try": seq},
                       "prompt": {"turns": [{"role": "user", "content": {"text": f"Attack {seq} of {probe}"}}]}
                       if probe.startswith("dan") else f"Attack {seq} of {probe}"}
            lines.append({**attempt, "status": 1, "outputs": [], "detector_results": {}})
            lines.append({**attempt, "status": 2, "detector_results": values, "outputs": [
                None if o is None else {"text": o} if probe.startswith("dan") else o for o in outputs]})
        for name, hit in hits.items():
            evals.append({"entry_type": "eval", "probe": probe, "detector": f"detector.{name}", "passed": 8 - hit,
                          "total": 8, "nones": 1})
        lines += evals[-2:]
    lines.append({"entry_type": "completion", "end_time": "2026-01-01T00:01:00.000000", "run": "made"})
    lines.append({"entry_type": "digest", "meta": {}, "eval": {}})
    with open(f"{HERE}/garak.jsonl", "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def openai_evals(rng):
    lines, events, correct = [], [], 0
    spec = {"completion_fns": ["gpt-4"], "eval_name": "wheels.dev.v0", "base_eval": "wheels", "split": "dev",
            "run_config": {"seed": 20220722, "max_samples": None}, "created_by": "", "run_id": "2601010000MADE",
            "created_at": "2026-01-01 00:00:00.000000"}
    for sample in range(9):
        def event(kind, data):
            return {"run_id": spec["run_id"], "event_id": 0, "sample_id": f"wheels.dev.{sample}", "type": kind, "data": data,
                    "created_by": "", "created_at": f"2026-01-01 00:00:0{sample}.000000+00:00"}

        ideal = rng.choice(["gear", "moon"])
        said = rng.choice(["gear", "moon", "sun"])
        correct += said == ideal
        prompt = [{"role": "system", "content": "Answer."}, {"role": "user", "content": f"Wheel {sample}?"}]
        events.append([event("sampling", {"prompt": prompt, "sampled": [said]}), event("match", {
            "correct": said == ideal, "expected": ideal, "picked": said if said == ideal else None, "sampled": said,
            "options": [ideal]})])
    # Threads write between each other.
    lines = [e[0] for e in events[:4]] + [e[1] for e in events[:4]] + [one for e in events[4:] for one in e]
    for number, line in enumerate(lines):
        line["event_id"] = number
    with open(f"{HERE}/openai_evals.jsonl", "w") as file:
        file.write(json.dumps({"spec": spec}) + "\n")
        file.writelines(json.dumps(line) + "\n" for line in lines)
        file.write(json.dumps({"final_report": {"accuracy": correct / 9}}) + "\n")


ONLY = sys.argv[1:]
if not ONLY or "inspect" in ONLY:
    inspect_logs()
if not ONLY or "lm-eval" in ONLY:
    lm_eval()
rng = random.Random(8)
promptfoo(rng)
garak(rng)
openai_evals(rng)
