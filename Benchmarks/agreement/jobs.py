"""Progress of running work: an eval whose model stops answering, and a paused training run, at every place that shows it.

The eval's model answers three requests and no more, so that every place shows the same moment.
"""

import math
import os
import time

from agreement.pairs import Look
from agreement.screen import Screen, fields, line_with, table
from bars.contact.newcomer_files import fill, read, write
from figures import CouldNotRun
from tmux import Session, Stuck

ANSWERS, SAMPLES = 3, 120
# Folders are made by one process only, whichever asks first.
STALLED_MODEL = """#!/bin/sh
while read -r line; do
    if mkdir answer-1 2>/dev/null || mkdir answer-2 2>/dev/null || mkdir answer-3 2>/dev/null; then
        echo '{"text": "Answer: 42"}'
    else
        sleep 1000
    fi
done
"""


def compare(look, pairs):
    folder = os.path.join(look.program.home, "work")
    fill(folder)
    write(folder, "stalled.sh", STALLED_MODEL)
    os.chmod(os.path.join(folder, "stalled.sh"), 0o755)
    write(folder, "short.toml", read(folder, "tiny.toml").replace("1000000", "40000"))
    for part in (compare_eval, compare_training):
        try:
            part(look, pairs, folder)
        except Stuck as error:
            pairs.missing.append(f"jobs: {str(error).splitlines()[0]}")


def now(look):
    """A look without earlier replies."""
    return Look(look.program, fill=False)


def wait(condition, what, limit=60.0):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise CouldNotRun(f"it never came that {what}")
        time.sleep(0.1)


def job_of(look, title):
    jobs = now(look).json("workspace", "jobs")["jobs"]
    return next((job for job in jobs if title in job["title"]), None)


def progress(job):
    """Progress is rounded down: 100 % means that all is done."""
    return math.floor(100 * job["done"] / job["total"]) / 100


def compare_eval(look, pairs, folder):
    name = f"agreement-{os.getpid()}"
    with Session(name, [look.program.binary], look.program.environment(), folder, 200, 60) as session:
        session.wait_for(["duty-engineer"])
        session.press_for("5", ["desk-mini"])
        session.press_for("r", ["Run a task"])
        session.press_for("pat<Enter>", ["Model for patient.toml"])
        session.press_for("exec:./stalled.sh<Enter>", ["Run patient.toml"])
        session.press_for("<Enter>", ["running"])
        # The title is "eval patient.toml" in the panel and names the model for a run of the command line.
        wait(lambda: (job_of(look, "patient") or {}).get("done") == ANSWERS, "three samples were done")
        job = job_of(look, "patient")
        session.wait_for([f"{ANSWERS}/{SAMPLES}"])
        outside = now(look)
        compare_panel(pairs, Screen(session.screen(), "evals"), outside, job, "panel that runs it")
        compare_panel(pairs, outside.screen("evals"), outside, job, "panel of another process")
        compare_questions(pairs, session, job)
        compare_lists(pairs, outside, job)
        session.press_for("x", ["Stop "])
        session.press_for("s", ["cancelled"], gone=["Stop "])
    ended = job_of(look, "patient")
    after = now(look)
    for place, line in (
        ("workspace jobs", line_with(after.text("workspace", "jobs"), "patient")),
        (":jobs", line_with(after.screen("traces", ":jobs<enter>").pane("^Jobs"), "patient")),
    ):
        text = pairs.read(place, line, r"cancelled at (<?[\d.]+ %)", "the progress of the cancelled eval")
        pairs.compare("progress of the cancelled eval", place, text, "workspace jobs --json", progress(ended))


def compare_panel(pairs, screen, outside, job, place):
    run = next(run for run in outside.json("eval", "list")["runs"] if run["task"] == "patient")
    row = next((row for row in table(screen.pane("^Runs ─"), "samples") if "stalled" in row["line"]), None)
    line = row["line"] if row else ""
    share, done, total = fields(line, r"running\s+([\d.]+ ?%)", r"\d+(?=/\d)", r"/(\d+)")
    pairs.compare("samples of the eval", place, done, "workspace jobs --json", job["done"])
    pairs.compare("samples of the eval", place, done, "eval list --json", run["completed"])
    pairs.compare("samples in all", place, total, "workspace jobs --json", job["total"])
    pairs.compare("progress of the eval", place, share, "workspace jobs --json", progress(job))
    spelled = line_with(outside.text("workspace", "jobs"), "patient")
    pairs.compare_words("spelling of progress", place, share, "workspace jobs", fields(spelled, r"[\d.]+ ?%")[0])


def compare_questions(pairs, session, job):
    """The line of titles, and what the boxes say that ask before the work is stopped."""
    titles = session.wait_for(["patient.toml"]).split("\n")[0]
    share = pairs.read("line of titles", titles, r"patient.toml\s+([\d.]+ %)", "progress of the eval")
    pairs.compare("progress of the eval", "line of titles", share, "workspace jobs --json", progress(job))
    for key, text, pattern, place in (
        ("x", "Stop ", r"([\d,]+) of ([\d,]+) samples \(([\d.]+ %)\)", "question of x"),
        ("q", "Leave Orrery?", r"running at ([\d.]+ %)", "question of q"),
    ):
        screen = session.press_for(key, [text])
        found = pairs.read(place, screen, pattern, "how far the eval is")
        found = found if isinstance(found, tuple) else (None, None, found)
        for figure, shown, value in zip(("samples", "samples in all"), found, (job["done"], job["total"])):
            if shown:
                pairs.compare(f"{figure} of the eval", place, shown, "workspace jobs --json", value)
        pairs.compare("progress of the eval", place, found[2], "workspace jobs --json", progress(job))
        if key == "q":
            shown = pairs.read(place, screen, r"([\d,]+) of [\d,]+ samples", "samples of the eval")
            pairs.compare("samples of the eval", place, shown, "workspace jobs --json", job["done"])
        session.press_for("<Escape>", gone=[text])
    session.press(":jobs<Enter>")
    screen = Screen(session.wait_for(["x cancel"]), "jobs")
    share = pairs.read(":jobs", line_with(screen.pane("^Jobs"), "patient"), r"([\d.]+ %)", "progress of the eval")
    pairs.compare("progress of the eval", ":jobs", share, "workspace jobs --json", progress(job))
    session.press_for("<Escape>", gone=["x cancel"])


def compare_lists(pairs, outside, job):
    share = pairs.read(
        "workspace jobs", line_with(outside.text("workspace", "jobs"), "patient"), r"([\d.]+ %)", "progress of the eval"
    )
    pairs.compare("progress of the eval", "workspace jobs", share, "workspace jobs --json", progress(job))
    counts = pairs.read(
        "eval list", line_with(outside.text("eval", "list"), "stalled"), r"(\d+)/(\d+)", "samples of the eval"
    )
    for figure, shown, key in zip(("samples", "samples in all"), counts or (), ("done", "total")):
        pairs.compare(f"{figure} of the eval", "eval list", shown, "workspace jobs --json", job[key])


def compare_training(look, pairs, folder):
    """A paused run has one step; the job, the list, the page, and the box of jobs show it."""
    name = f"agreement-{os.getpid()}-training"

    def entry():
        return next((run for run in now(look).json("train", "list")["runs"] if run["name"] == "short"), None)

    with Session(name, [look.program.binary], look.program.environment(), folder, 200, 60) as session:
        session.wait_for(["1 Traces"])
        session.press_for("gn", ["orrery-mini"])
        session.press_for("r", ["Train from a configuration"])
        session.press_for("sho<Enter>", ["running", "short"])
        wait(lambda: ((entry() or {}).get("step") or 0) > 0, "the training run made a step")
        session.press_for("p", ["paused"])
        wait(lambda: entry()["state"] == "paused", "the training run paused")
        run, job = entry(), job_of(look, "short")
        line = line_with(now(look).text("train", "list"), "short")
        step = pairs.read("train list", line, r"paused\s+([\d,]+)", "step")
        pairs.compare("step of the paused run", "train list", step, "train list --json", run["step"])
        pairs.compare("step of the paused run", "workspace jobs --json", job["done"], "train list --json", run["step"])
        for place, screen in (
            ("panel that runs it", Screen(session.screen(), "training")),
            ("panel of another process", now(look).screen("training")),
        ):
            row = next((row for row in table(screen.pane("^Runs"), "step") if "short" in row["line"]), {})
            pairs.compare("step of the paused run", place, row.get("step"), "train list --json", run["step"])
            step = pairs.read(place, screen.pane("^Overview"), r"^ step\s+([\d,]+)", "the step in the overview")
            pairs.compare("step of the paused run", place + ", overview", step, "train list --json", run["step"])
        session.press(":jobs<Enter>")
        box = Screen(session.wait_for(["x cancel"]), "jobs").pane("^Jobs")
        done = run["step"] / job["total"] if job.get("total") else run["step"]
        for place, text in ((":jobs", box), ("workspace jobs", now(look).text("workspace", "jobs"))):
            line = line_with(text, "short")
            share = pairs.read(place, line, r"\s([\d,.]+(?: %)?)\s+train", "progress of the training run")
            value = math.floor(100 * done) / 100 if job.get("total") else done
            pairs.compare("progress of the training run", place, share, "train list --json", value)
        session.press_for("<Escape>", gone=["x cancel"])
        session.press_for("x", ["Stop training"])
        session.press_for("s", ["stopped"], gone=["Stop training"])
