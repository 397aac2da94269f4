"""Training runs: the list, the overview, the legend of the chart, `train list`, and `train show`."""

import re

from agreement.figure import COMPACT, NUMBER
from agreement.screen import fields, line_with, table


def compare(look, pairs):
    runs = look.json("train", "list")["runs"]
    for index, run in enumerate(runs):
        compare_run(look, pairs, run, index)


def compare_run(look, pairs, run, index):
    screen = look.screen("training", "j" * index)
    row = table(screen.pane("^Runs"), "step", "loss")[index]
    overview = screen.pane("^Overview")
    shown = look.json("train", "show", run["id"])
    curves, last = shown["curves"], {entry["series"]: entry["value"] for entry in run["last"]}
    printed = line_with(look.text("train", "list"), run["name"])

    step = pairs.read("overview", overview, r"^ step\s+([\d,]+)", "step")
    pairs.compare("step", "list", row["step"], "overview", step)
    pairs.compare("step", "overview", step, "train list --json", run["step"])
    loss = pairs.read("overview", overview, rf"^ train/loss\s+({NUMBER})", "loss")
    pairs.compare("loss", "list", row["loss"], "overview", loss)
    pairs.compare("loss", "list", row["loss"], "train list --json", last["train/loss"])
    pairs.compare("loss", "overview", loss, "train show --json", curves["train/loss"]["values"][-1])
    validation = pairs.read("overview", overview, rf"^ validation/loss\s+({NUMBER})", "validation loss")
    pairs.compare("validation loss", "overview", validation, "train list --json", last["validation/loss"])
    for figure, text, value in zip(("step", "loss", "validation loss"), (step, loss, validation),
                                   fields(printed, rf"{re.escape(run['state'])}\s+([\d,]+)", NUMBER, NUMBER)):  # fmt: skip
        pairs.compare(figure, "overview", text, "train list", value)

    losses, steps = curves["train/loss"]["values"], curves["train/loss"]["steps"]
    found = pairs.read("overview", overview, rf"lowest\s+({NUMBER}) at step ([\d,]+)", "least loss")
    if found:
        pairs.compare("least loss", "overview", found[0], "train show --json", min(losses))
        pairs.compare(
            "step of the least loss", "overview", found[1], "train show --json", steps[losses.index(min(losses))]
        )
    rate = pairs.read("overview", overview, rf"^ learning rate\s+({NUMBER})", "learning rate")
    pairs.compare("learning rate", "overview", rate, "train list --json", last["learning_rate"])
    norm = pairs.read("overview", overview, rf"^ gradient norm\s+({NUMBER})", "gradient norm")
    speed = pairs.read("overview", overview, rf"^ speed\s+({COMPACT})", "speed")
    pairs.compare("speed", "overview", speed, "train list --json", last["speed/units_per_second"])
    norms = look.json("train", "show", run["id"], "--series", "norm/gradient")["curves"]["norm/gradient"]["values"]
    pairs.compare("gradient norm", "overview", norm, "train show --json", norms[-1])
    told = pairs.read(
        "train show", look.text("train", "show", run["id"]), rf"^train/loss\s+({NUMBER}) at step ([\d,]+)", "loss"
    )
    for figure, text, other in zip(("loss", "step"), (loss, step), told or ()):
        pairs.compare(figure, "overview", text, "train show", other)

    legend = line_with("\n".join(lines[0] for _, lines in screen.panes() if lines), "train", "validation")
    at = fields(legend, rf"train\s+({NUMBER})", rf"\(({NUMBER})\)", rf"validation\s+({NUMBER})", r"step ([\d,]+)")
    for figure, text, other in zip(("loss", "validation loss", "step"), at[1:], (loss, validation, step)):
        pairs.compare(figure, "legend", text, "overview", other)
    # The cursor of the chart names the value at a step, and the list of curves has it.
    screen = look.screen("training", "j" * index + "\t\t" + "h" * 12)
    legend = "\n".join(lines[0] for _, lines in screen.panes() if lines)
    raw, at_step = fields(legend, rf"train\s+{NUMBER}\s+\(({NUMBER})\)", r"step ([\d,]+)")
    if raw and at_step:
        place = steps.index(int(at_step.replace(",", "")))
        pairs.compare(f"loss at step {at_step}", "cursor of the chart", raw, "train show --json", losses[place])
