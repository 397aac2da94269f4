"""Reads an Inspect log with Inspect itself and prints what `orrery eval show LOG --json` must tell of each sample.

    inspect_check.py LOG [--limit N] [--digests] [--processes N]

One JSON object a line: id, epoch, error, limit, input, answer, targets, scores (numbers as Inspect's metrics take
them, null where a score could not be made; dictionaries as `scorer/key`), `messages` (role, text and calls of each) and
`digest`, the SHA-256 of all that in canonical JSON; with --digests an id, an epoch and the digest that
`inspect_digest.py` tells of. The last line holds the metrics of the header.
"""

import argparse
import asyncio
import hashlib
import json
import math
import multiprocessing

from inspect_ai._util.async_zip import AsyncZipReader
from inspect_ai._util.asyncfiles import AsyncFilesystem
from inspect_ai.log import read_eval_log, read_eval_log_sample_async, read_eval_log_sample_summaries
from inspect_ai.log import resolve_sample_attachments
from inspect_digest import of_inspect
from inspect_ai.scorer import value_to_float

to_float = value_to_float()


def number(value):
    if isinstance(value, float) and math.isnan(value):
        return None
    return to_float(value)


def scores_of(sample):
    scores = {}
    for name, score in (sample.scores or {}).items():
        if isinstance(score.value, dict):
            scores.update({f"{name}/{key}": number(one) for key, one in score.value.items()})
        elif isinstance(score.value, (list, tuple)):
            scores.update({f"{name}/{place}": number(one) for place, one in enumerate(score.value)})
        else:
            scores[name] = number(score.value)
    return scores


def record(sample):
    sample = resolve_sample_attachments(sample, "full")
    given = sample.input if isinstance(sample.input, str) else next(
        (m.text for m in reversed(sample.input) if m.role == "user"), sample.input[-1].text)
    choices = sample.output.choices if sample.output else []
    fields = {
        "id": str(sample.id),
        "epoch": sample.epoch,
        "error": sample.error.message if sample.error else None,
        "limit": sample.limit.type if sample.limit else None,
        "input": given,
        "answer": choices[0].message.text if choices else None,
        "targets": [sample.target] if isinstance(sample.target, str) else list(sample.target),
        "scores": scores_of(sample),
        "messages": [
            {"role": m.role, "text": m.text, "calls": [[c.id, c.function] for c in getattr(m, "tool_calls", None) or []],
             "failed": bool(getattr(m, "error", None))}
            for m in sample.messages
        ],
    }
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return {**fields, "digest": hashlib.sha256(text.encode()).hexdigest()}, sample


def line(sample, is_digest):
    fields, sample = record(sample)
    if is_digest:
        fields = {"id": fields["id"], "epoch": fields["epoch"], "digest": of_inspect(fields, sample.messages)}
    return json.dumps(fields, ensure_ascii=False)


# Samples that a process reads between two answers.
PIECE = 50


def lines(job):
    """The lines of some samples of an archive, whose directory is read once for all of them."""
    path, names, is_digest = job

    async def read():
        async with AsyncFilesystem() as files:
            reader = AsyncZipReader(files, path)
            return [
                line(await read_eval_log_sample_async(path, id=name, epoch=epoch, reader=reader), is_digest)
                for name, epoch in names
            ]

    return asyncio.run(read())


def of_archive(options):
    """Piece by piece: a log of a gigabyte does not fit into memory as objects."""
    names = [(one.id, one.epoch) for one in read_eval_log_sample_summaries(options.log)][: options.limit]
    jobs = [(options.log, names[at : at + PIECE], options.digests) for at in range(0, len(names), PIECE)]
    if options.processes < 2:
        for job in jobs:
            yield from lines(job)
        return
    with multiprocessing.get_context("fork").Pool(options.processes) as pool:
        for found in pool.imap(lines, jobs):
            yield from found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--digests", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    if options.log.endswith(".json"):
        samples = (read_eval_log(options.log).samples or [])[: options.limit]
        found = (line(sample, options.digests) for sample in samples)
    else:
        found = of_archive(options)
    for text in found:
        print(text)
    header = read_eval_log(options.log, header_only=True)
    metrics = [
        {"score": score.name if score.scorer == score.name else f"{score.scorer}/{score.name}", "reducer": score.reducer,
         "name": name, "value": metric.value}
        for score in (header.results.scores if header.results else [])
        for name, metric in score.metrics.items()
    ]
    print(json.dumps({"status": header.status, "metrics": metrics}))


main()
