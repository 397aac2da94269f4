"""A small workspace with rows in the tables of every panel, and every command and panel that reads it."""

import os
import shutil

from bars.contact.newcomer_files import SAMPLES, fill
from figures import CouldNotRun
from program import last_line

# Panels with keys that make them read more; a panel says on its screen what it could not read.
PANELS = [
    ("traces", "]e"),
    ("tokens", "<enter>"),
    ("kernels", ""),
    ("training", ""),
    ("retrieval", "cnorth<enter>"),
    ("attention", ""),
    ("features", "<down>"),
    ("evals", "<enter>"),
]

# Commands that fill the workspace; %s is the folder with a newcomer's files.
FILLING = [
    ("show", "traces"),  # a new workspace is filled with the samples
    ("trace", "import", "%s/harbor.json"),
    ("kernel", "import", "%s/decoder.csv"),
    ("corpus", "add", "%s/notes", "--corpus", "harbor"),
    ("corpus", "questions", "asked", "--import", f"{SAMPLES}/corpus/questions.jsonl", "--corpus", "harbor"),
    ("model", "generate", "orrery-mini", "--prompt", "Why do the", "--seed", "8", "--max-tokens", "8", "--keep"),
    ("eval", "run", "%s/reading.toml", "--model", "orrery-mini"),
    ("train", "%s/short.toml"),
]


def filled(program):
    """A small workspace with rows in the tables of every panel, closed and without a log."""
    folder = os.path.join(program.home, "work")
    fill(folder)
    with open(os.path.join(folder, "tiny.toml"), encoding="utf-8") as recipe:
        short = recipe.read().replace("steps = 1000000", "steps = 20").replace("every = 1000", "every = 10")
    with open(os.path.join(folder, "short.toml"), "w", encoding="utf-8") as recipe:
        recipe.write(short)
    for words in FILLING:
        words = [word.replace("%s", folder) for word in words]
        done = program.run(*words, limit=300)
        if done.status != 0:
            raise CouldNotRun(f"`orrery {' '.join(words)}` ended with {done.status}: {last_line(done.errors)}")
    made = os.path.join(program.home, "data", "orrery", "default.orrery")
    if os.path.exists(made + "-wal") and os.path.getsize(made + "-wal") > 0:
        raise CouldNotRun("a log with data is next to the workspace after the last command")
    return shutil.copy(made, os.path.join(program.home, "good.orrery"))


def reading_commands(program, path):
    """Every command that reads the workspace, with what the file holds as arguments."""

    def rows(member, *words):
        done = program.run(*words, "--workspace", path, "--json", limit=120)
        if done.status != 0 or not (found := (done.json() or {}).get(member)):
            raise CouldNotRun(f"`orrery {' '.join(words)}` names nothing to read: {last_line(done.errors)}")
        return found

    traces = rows("traces", "trace", "list", "--origin", "all")
    longest = max(traces, key=lambda trace: trace["spans"])["id"]
    training = rows("runs", "train", "list")
    profile = str(rows("profiles", "kernel", "profiles")[0]["id"])
    dictionary = rows("dictionaries", "feature", "list")[0]["name"]
    corpora = [corpus["name"] for corpus in rows("corpora", "corpus", "list")]
    evals = [run["key"] for run in rows("runs", "eval", "list") if "sample-data" not in run.get("path", "")]
    if not evals:
        raise CouldNotRun("no eval run is stored in the workspace")
    found = [
        ("workspace", "info"),
        ("workspace", "info", "--sizes"),
        ("workspace", "jobs"),
        ("trace", "list", "--origin", "all"),
        ("trace", "list", "--sort", "cost", "--filter", "errors>0"),
        ("trace", "search", "shutter"),
        *(("trace", "show", trace["id"]) for trace in traces),
        ("trace", "show", longest, "--step", "2"),
        ("model", "list"),
        ("kernel", "history", "gemm-f32"),
        ("kernel", "profiles"),
        ("kernel", "profile", profile),
        ("train", "list"),
        *(("train", "show", str(run["id"])) for run in training),
        ("corpus", "list"),
        ("corpus", "pipeline"),
        ("feature", "list"),
        ("feature", "search", dictionary, "--label", "a"),
        ("feature", "search", dictionary, "--token", "the"),
        ("feature", "show", dictionary, "32"),
        ("feature", "show", dictionary, "636"),
        ("eval", "list"),
    ]
    for corpus in corpora:
        place = ("--corpus", corpus)
        found += [
            ("corpus", "show", "--limit", "1000", *place),
            ("corpus", "search", "how is the encoder tape cleaned?", "--no-trace", *place),
            ("corpus", "questions", *place),
            ("corpus", "questions", {"harbor": "asked"}.get(corpus, corpus), *place),
            ("corpus", "spaces", *place),
            ("corpus", "duplicates", *place),
            ("corpus", "check", *place),
        ]
    for run in evals:
        found += [("eval", "show", run), ("eval", "show", run, "--samples"), ("eval", "show", run, "--sample", "1")]
    exports = [("corpus", "export", "--chunks", "--corpus", corpus) for corpus in corpora]
    panels = [("show", panel, "--size", "120x40", "--keys", keys) for panel, keys in PANELS]
    return [(*words, "--json") for words in found] + exports + panels
