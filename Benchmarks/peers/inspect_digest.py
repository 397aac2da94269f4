"""What of a sample is held against Inspect, as one digest: both sides are far too large to be kept."""

import hashlib
import json


def digest(fields):
    """SHA-256 of canonical JSON of `{id, epoch, failed, input, answer, targets, scores, messages}`.

    `scores` are numbers by name, null where there is none; a message is `[role, text]`, with calls as
    `[name arguments]` behind the text.
    """
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def of_orrery(sample):
    """The digest of a line of `orrery eval show LOG --samples --json`."""
    return digest({
        "id": sample["id"],
        "epoch": sample["epoch"],
        "failed": sample["outcome"] == "error",
        "input": sample["input"],
        "answer": sample.get("answer"),
        "targets": sample["targets"],
        "scores": {score["name"]: score.get("value") for score in sample["scores"]},
        "messages": [[message["role"], message["text"]] for message in sample["messages"]],
    })  # fmt: skip


def of_inspect(record, messages):
    """The digest of a record of `inspect_check.py`, with the messages of its sample as Inspect has them."""
    return digest({
        **{key: record[key] for key in ("id", "epoch", "input", "answer", "targets", "scores")},
        "failed": record["error"] is not None,
        "messages": [[message.role, shown(message)] for message in messages],
    })  # fmt: skip


def shown(message):
    """A message as one text: of a tool that failed and said nothing its error."""
    error = getattr(message, "error", None)
    calls = getattr(message, "tool_calls", None) or []
    text = message.text or (error.message if error else "")
    return text + "".join(
        f"[{call.function} {json.dumps(call.arguments, ensure_ascii=False, separators=(',', ':'))}]" for call in calls
    )
