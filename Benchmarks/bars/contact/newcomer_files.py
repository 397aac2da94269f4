"""What a newcomer brings: a fresh home, and a folder of files that the program has never seen."""

import json
import os

from program import ROOT, SAMPLE_TRACES

SAMPLES = os.path.join(ROOT, "sample-data")

NOTES = {
    "ferry.md": "# Ferry\n\nThe last ferry leaves at 21:40 from the east pier. In fog it waits for the harbor pilot.\n",
    "pier.md": "# Piers\n\nThe east pier was dredged in May. The west pier is closed until the crane is repaired.\n",
}

RECIPE = """[data]
train = ["text.txt"]
context = 32
[data.tokenizer]
vocabulary = 280
[model]
layers = 1
width = 32
heads = 2
[training]
steps = 1000000
batch = 4
[checkpoints]
every = 1000
"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def fill(folder):
    """Writes a trace, two notes, a profile, a recipe for training, and a task with one sample that cannot pass."""
    os.makedirs(os.path.join(folder, "notes"))
    for name, text in NOTES.items():
        write(os.path.join(folder, "notes"), name, text)
    trace = read(SAMPLE_TRACES, "otlp", "museum-signs-legacy.json")
    write(folder, "harbor.json", trace.replace("museum", "harbor").replace("01dc0de5", "0ba5eba1"))
    write(folder, "decoder.csv", read(SAMPLES, "profiles", "after.csv").replace("hall-3", "pier-1"))
    write(folder, "tiny.toml", RECIPE)
    write(folder, "text.txt", "".join(f"The {i % 7} moons of planet {i % 5} rise at {i % 11}.\n" for i in range(200)))
    rows = [json.loads(line) for line in read(SAMPLES, "evals", "reading.jsonl").splitlines()[:8]]
    rows[3]["answer"] = "never"
    write(folder, "reading.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write(folder, "reading.toml", read(SAMPLES, "evals", "reading.toml"))
