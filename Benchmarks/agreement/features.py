"""Features of a dictionary: the list, the card, and `feature show`."""

import re

from agreement.figure import NUMBER, SHARE
from agreement.screen import fields, table

FEATURES = 8


def compare(look, pairs):
    screen = look.screen("features")
    title = next(iter(screen.panes()), ("", []))[0]
    name = pairs.read("border", title, r"^(\S+)", "the dictionary")
    dictionary = next(found for found in look.json("feature", "list")["dictionaries"] if found["name"] == name)
    count = pairs.read("border", title, r"─ ([\d,]+)", "number of features")
    pairs.compare("features", "border", count, "feature list --json", dictionary["features"])
    rows = [
        row for row in table("\n".join(screen.panes()[0][1]), "feature", "density", "max") if row["feature"].isdigit()
    ]
    listed = {row["feature"]: row for row in look.json("feature", "show", name, "-n", 1000)["features"]}
    for row in rows:
        feature = int(row["feature"])
        pairs.compare(
            f"feature {feature} density", "list", row["density"], "feature show --json", listed[feature]["density"]
        )
        pairs.compare(
            f"feature {feature} maximum", "list", row["max"], "feature show --json", listed[feature]["maximum"]
        )
    for place, row in enumerate(rows[:FEATURES]):
        compare_card(look, pairs, name, "gg" + "j" * place, row)


def compare_card(look, pairs, dictionary, keys, row):
    feature = row["feature"]
    card = look.screen("features", keys).pane(rf"^Feature {feature}\b")
    whole, printed = (
        look.json("feature", "show", dictionary, feature),
        look.text("feature", "show", dictionary, feature),
    )
    pattern = rf"([\d,]+) of ([\d,]+) tokens \(({SHARE})\), (?:at most|maximum) ({NUMBER}), (?:mean|on average) ({NUMBER})"
    found = pairs.read("card", card, pattern, f"figures of feature {feature}")
    told = pairs.read("feature show", printed, pattern, f"figures of feature {feature}")
    if not found or not told:
        return
    for figure, text, other in zip(("count", "tokens", "density", "maximum", "mean"), found, told):
        pairs.compare(f"feature {feature} {figure}", "card", text, "feature show --json", whole[figure])
        pairs.compare(f"feature {feature} {figure}", "card", text, "feature show", other)
    pairs.compare(f"feature {feature} density", "list", row["density"], "card", found[2])
    pairs.compare(f"feature {feature} maximum", "list", row["max"], "card", found[3])
    strongest = re.findall(rf"^\s+({NUMBER})\s", card.partition("strongest")[2], re.MULTILINE)
    if whole["top"]:
        pairs.compare(
            f"feature {feature} maximum", "card", found[3], "strongest example", strongest[0] if strongest else None
        )
    for label, key in (("nearest", "neighbors"), ("correlated", "correlated"), ("promotes", "positive_logits")):
        line = fields(card, rf"\b{label}\s+(\S.*)")[0]
        values = re.findall(rf"\S+ ({NUMBER})(?=\s|$)", line or "")
        for text, entry in zip(values, whole[key]):
            pairs.compare(
                f"feature {feature} {label}",
                "card",
                text,
                "feature show --json",
                entry.get("value", entry.get("logit")),
            )
