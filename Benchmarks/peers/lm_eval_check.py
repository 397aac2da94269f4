#!/usr/bin/env python3
"""The same task files on the same server by lm-eval 0.4.13 and by Orrery.

  lm_eval_check.py goldens  PEERS VENV OUT    runs lm-eval on the tasks below, writes small goldens to OUT
  lm_eval_check.py run      PEERS VENV OUT    runs lm-eval and keeps its whole output under OUT/<task>
  lm_eval_check.py compare  OURS THEIRS       largest differences of two folders of results and samples, as JSON

PEERS is the folder with stub_server.py and make_task.py, VENV a Python environment with `lm-eval[api]`. Everything is
local: files of this script's own making, and gsm8k and bbh where ORRERY_DATA names a folder that has them.
"""
import glob, json, math, os, socket, subprocess, sys, time, urllib.request

TASKS = {}

def task(name, text):
    TASKS[name] = f"task: {name}\n" + text

DATA = "dataset_path: json\ndataset_kwargs: {data_files: {test: items.jsonl, train: shots.jsonl}}\ntest_split: test\n"
QA = 'doc_to_text: "Question: {{question}}\\nAnswer:"\ndoc_to_target: "{{answer}}"\n'
MC = 'output_type: multiple_choice\ndoc_to_text: "Question: {{question}}\\nAnswer:"\n'
GEN = "output_type: generate_until\ngeneration_kwargs: {until: [\"\\n\\n\"], do_sample: false, max_gen_toks: 64}\n"

task("orr_gen", DATA + GEN + QA + r"""filter_list:
  - name: strict
    filter:
      - {function: regex, regex_pattern: "#### (\\-?[0-9\\.\\,]+)"}
      - {function: take_first}
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
metadata: {version: 1}
""")
task("orr_mc", DATA + MC + 'doc_to_choice: "{{choices}}"\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}, {metric: acc_norm}, {metric: acc_bytes}]\nmetadata: {version: 1}\n')
task("orr_ppl", DATA + 'output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: "{{question}}"\nmetric_list: [{metric: word_perplexity}, {metric: byte_perplexity}, {metric: bits_per_byte}]\nmetadata: {version: 1.0}\n')
task("orr_shots", DATA + GEN + QA + "training_split: train\nfewshot_split: train\nnum_fewshot: 3\ndescription: \"Sums. \\n\\n\"\nrepeats: 1\nmetric_list: [{metric: exact_match, ignore_case: true, ignore_punctuation: true, regexes_to_ignore: [\"^.*#### \", \"\\n\"]}]\n")
task("orr_shots_own", DATA + GEN + QA + "fewshot_split: test\nnum_fewshot: 4\nfewshot_config: {sampler: default}\ntarget_delimiter: \"\"\nfewshot_delimiter: \"\\n##\\n\"\n")
task("orr_first", DATA + MC + 'doc_to_choice: [a, b, "c d", "é"]\ndoc_to_target: label\nfewshot_split: train\nnum_fewshot: 2\nfewshot_config: {sampler: first_n}\nmetric_list: [{metric: acc}, {metric: acc_mutual_info}]\n')
task("orr_prefix", DATA + GEN + QA + "training_split: train\nnum_fewshot: 2\ngen_prefix: \"It is\"\nfewshot_config: {samples: [{question: \"What is 1+1?\", answer: \"2\"}, {question: \"What is 2+2?\", answer: \"4\"}], sampler: first_n}\n")
task("orr_filters", DATA + GEN + QA + r"""repeats: 3
filter_list:
  - name: strict
    filter: [{function: regex, regex_pattern: "#### (\\-?[0-9\\.\\,]+)"}, {function: take_first}]
  - name: flexible
    filter: [{function: regex, group_select: -1, regex_pattern: "(-?[$0-9.,]{2,})|(-?[0-9]+)"}, {function: take_first}]
  - name: vote
    filter: [{function: regex, regex_pattern: "(\\d+)"}, {function: majority_vote}, {function: take_first}]
  - name: two
    filter: [{function: take_first_k, k: 2}, {function: remove_whitespace}, {function: uppercase}, {function: lowercase}]
  - name: mapped
    filter: [{function: regex, regex_pattern: "(\\d+)"}, {function: map, mapping_dict: {"4": "four"}, default_value: other}, {function: take_first}]
metric_list: [{metric: exact_match}]
""")
task("orr_ll", DATA + 'output_type: loglikelihood\ndoc_to_text: "{{question}} "\ndoc_to_target: "{{answer}}"\nmetric_list: [{metric: perplexity}, {metric: acc}]\n')
task("orr_empty", DATA + 'output_type: loglikelihood\ndoc_to_text: ""\ndoc_to_target: "{{question}}"\n')
task("orr_multi", DATA + GEN + 'doc_to_text: "{{question}}"\ndoc_to_target: "{{[answer, \'4\']}}"\nfilter_list: [{name: tail, filter: [{function: regex, regex_pattern: "#### (.*)"}, {function: take_first}]}]\nmetric_list: [{metric: exact_match}]\n')
task("orr_letters", DATA + GEN + QA + 'filter_list: [{name: letters, filter: [{function: multi_choice_regex, regex_pattern: "(\\\\([A-Z]\\\\))", ignore_case: true, ignore_punctuation: true}, {function: take_first}]}]\nmetric_list: [{metric: exact_match}]\n')

def data(folder):
    import random
    draw = random.Random(7)
    def rows(count, start):
        for index in range(start, start + count):
            a, b = draw.randrange(2, 99), draw.randrange(2, 99)
            row = {"id": index, "question": f"What is {a}+{b}? (item {index})", "answer": str(a + b),
                   "choices": [str(a + b), str(a + b + 1), str(a * 2), str(b * 2 + 3)], "label": index % 2,
                   "note": {"unicode": "é\u2028😀", "share": a / b if index % 3 else 2}}
            if index % 5 == 0:
                row["rare"] = [1, 2.5]
            yield row
    os.makedirs(folder, exist_ok=True)
    for name, count, start in (("items", 40, 0), ("shots", 30, 1000)):
        with open(f"{folder}/{name}.jsonl", "w") as file:
            for row in rows(count, start):
                file.write(json.dumps(row) + "\n")

def further(folder):
    """gsm8k and bbh, a few rows each."""
    base = os.environ.get("ORRERY_DATA", "")
    for path in sorted(glob.glob(f"{base}/gsm8k/*.jsonl"))[:1]:
        with open(path) as source, open(f"{folder}/gsm8k.jsonl", "w") as file:
            file.writelines(line for _, line in zip(range(60), source))
        task("orr_gsm8k", 'dataset_path: json\ndataset_kwargs: {data_files: {test: gsm8k.jsonl}}\ntest_split: test\n' + GEN
             + 'doc_to_text: "Question: {{question}}\\nAnswer:"\ndoc_to_target: "{{answer.split(\'####\')[-1].strip()}}"\nfewshot_split: test\nnum_fewshot: 2\nfewshot_config: {doc_to_target: "{{answer}}"}\n'
             + 'filter_list: [{name: strict-match, filter: [{function: regex, regex_pattern: "#### (\\\\-?[0-9\\\\.\\\\,]+)"}, {function: take_first}]}]\nmetric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true, ignore_case: true, ignore_punctuation: false, regexes_to_ignore: [",", "\\\\$", "(?s).*#### ", "\\\\.$"]}]\nmetadata: {version: 3.0}\n')

def write(folder):
    data(folder)
    further(folder)
    for name, text in TASKS.items():
        with open(f"{folder}/{name}.yaml", "w") as file:
            file.write(text)

def run(peers, venv, out, limit=20):
    out = os.path.abspath(out)
    write(f"{out}/tasks")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, f"{peers}/stub_server.py", "--port", str(port)])
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/stats").read()
                break
            except OSError:
                time.sleep(0.05)
        env = dict(os.environ, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_HOME=f"{out}/hf",
                   DO_NOT_TRACK="1", OPENAI_API_KEY="x", DISABLE_MULTIPROC="1")
        subprocess.run([f"{venv}/bin/lm_eval", "run", "--model", "local-completions", "--model_args",
                        f"model=stub,base_url=http://127.0.0.1:{port}/v1/completions,num_concurrent=8,tokenizer_backend=remote,tokenized_requests=False,max_retries=3",
                        "--include_path", f"{out}/tasks", "--tasks", ",".join(TASKS), "--limit", str(limit),
                        "--output_path", f"{out}/results", "--log_samples"], check=True, env=env, cwd=f"{out}/tasks",
                       stdout=open(f"{out}/lm_eval.log", "w"), stderr=subprocess.STDOUT)
    finally:
        server.terminate()
    return f"{out}/results"

def found(folder):
    """Results and samples by task of a folder that either side wrote."""
    results, samples = {}, {}
    for path in sorted(glob.glob(f"{folder}/**/results_*.json", recursive=True)):
        results.update(json.load(open(path))["results"])
    for path in sorted(glob.glob(f"{folder}/**/samples_*.jsonl", recursive=True)):
        name = os.path.basename(path)[len("samples_"):].rsplit("_", 1)[0]
        samples[name] = [json.loads(line) for line in open(path)]
    return results, samples

def difference(ours, theirs):
    """0 where equal, the distance of numbers, else infinity."""
    number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    if number(ours) and number(theirs):
        return 0 if ours == theirs or math.isnan(ours) and math.isnan(theirs) else abs(ours - theirs)
    if isinstance(ours, str) and isinstance(theirs, str) and ours != theirs:
        try:
            return abs(float(ours) - float(theirs))
        except ValueError:
            return math.inf
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return max([difference(a, b) for a, b in zip(ours, theirs)], default=0)
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return max([difference(ours[key], theirs[key]) for key in ours], default=0)
    return 0 if type(ours) == type(theirs) and ours == theirs else math.inf

def compare(ours_dir, theirs_dir):
    ours, theirs = found(ours_dir), found(theirs_dir)
    report = {"tasks": {}, "missing": sorted(set(theirs[0]) - set(ours[0]))}
    for name in sorted(set(ours[0]) & set(theirs[0])):
        figures = {key: difference(ours[0][name].get(key), value) for key, value in theirs[0][name].items()}
        rows = {"ours": len(ours[1].get(name, [])), "theirs": len(theirs[1].get(name, []))}
        fields, keys = {}, lambda row: (row["doc_id"], row["filter"])
        mine = {keys(row): row for row in ours[1].get(name, [])}
        for row in theirs[1].get(name, []):
            if keys(row) not in mine:
                fields["(row)"] = math.inf
                continue
            for key, value in row.items():
                fields[key] = max(fields.get(key, 0), difference(mine[keys(row)].get(key), value))
        report["tasks"][name] = {"figures": figures, "rows": rows, "fields": fields}
    every = [value for entry in report["tasks"].values() for part in ("figures", "fields") for value in entry[part].values()]
    report["largest"] = max(every, default=None)
    return report

def goldens(peers, venv, out):
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        results, samples = found(run(peers, venv, folder))
        os.makedirs(out, exist_ok=True)
        for path in glob.glob(f"{folder}/tasks/*"):
            with open(path) as source, open(f"{out}/{os.path.basename(path)}", "w") as file:
                file.write(source.read())
    for name in TASKS:
        with open(f"{out}/{name}.golden.json", "w") as file:
            json.dump({"results": results[name], "samples": samples[name]}, file, ensure_ascii=False)
            file.write("\n")

if __name__ == "__main__":
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "compare":
        print(json.dumps(compare(words[1], words[2]), indent=1))
    elif len(words) == 4 and words[0] in ("goldens", "run"):
        {"goldens": goldens, "run": run}[words[0]](*words[1:])
    else:
        sys.exit(__doc__)
