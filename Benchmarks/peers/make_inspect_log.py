"""Makes a large Inspect log from a seed, through Inspect's own writer.

    make_inspect_log.py SIZE PATH [--samples N] [--deflate] [--unfinished]

SIZE is the file's in bytes, about (1e9, 1G, 200M); PATH ends with .eval or .json. Its samples have a
conversation with a tool, events, attachments, two scorers (one with a dictionary of values), limits, errors and
scores that could not be made.
"""

import argparse
import asyncio
import base64
import os
import random
from datetime import datetime, timedelta, timezone

from inspect_ai._util import zipfile as inspect_zip
from inspect_ai._util.error import EvalError
from inspect_ai.event import ModelEvent, ScoreEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalPlan, EvalPlanStep, EvalSample, EvalSpec, EvalStats
from inspect_ai.log._condense import condense_sample
from inspect_ai.log._log import EvalMetric, EvalResults, EvalSampleLimit, EvalScore
from inspect_ai.log._recorders import create_recorder_for_location
from inspect_ai.model import (
    ChatCompletionChoice, ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser, GenerateConfig,
    ModelOutput, ModelUsage,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolCallError, ToolInfo

WORDS = "orrery wheel planet gear moon clockwork turns brass sun shadow tooth axis orbit slow bright".split()


def size(text):
    scale = {"K": 1e3, "M": 1e6, "G": 1e9}.get(text[-1].upper())
    return int(float(text[:-1]) * scale) if scale else int(float(text))


def sample(number, payload, seed):
    rng = random.Random(seed * 1_000_003 + number)
    start = datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=number)

    def at(seconds):
        return start + timedelta(seconds=seconds)

    def words(count):
        return " ".join(rng.choice(WORDS) for _ in range(count))

    # Text of which little can be saved, so that the file's size is the text's.
    noise = base64.b64encode(rng.randbytes(payload * 3 // 4)).decode()
    question = f"Question {number}: what does {words(40)} do?"
    system = ChatMessageSystem(content=words(200), id=f"s{number}")
    user = ChatMessageUser(content=question, id=f"u{number}")
    call = ToolCall(id=f"call{number}", function="search", arguments={"query": words(3), "limit": number % 7})
    asked = ChatMessageAssistant(content=words(5), tool_calls=[call], id=f"a{number}", model="mockllm/model")
    fails = number % 17 == 3
    found = ChatMessageTool(content="" if fails else noise, tool_call_id=call.id, function="search", id=f"t{number}",
                            error=ToolCallError(type="timeout", message="the search took too long") if fails else None)
    answer = rng.choice(["gear", "moon", "sun"])
    said = ChatMessageAssistant(content=f"{words(30)} ANSWER: {answer}", id=f"b{number}", model="mockllm/model")
    usage = ModelUsage(input_tokens=100 + number % 9, output_tokens=20, total_tokens=120 + number % 9,
                       input_tokens_cache_read=number % 5, reasoning_tokens=3)

    def output(message):
        return ModelOutput(model="mockllm/model", choices=[ChatCompletionChoice(message=message, stop_reason="stop")],
                           usage=usage, time=0.5)

    def event(message, read, seconds):
        return ModelEvent(model="mockllm/model", input=read, tools=[ToolInfo(name="search", description="finds")],
                          tool_choice="auto", config=GenerateConfig(temperature=0.5), output=output(message),
                          timestamp=at(seconds), completed=at(seconds + 0.5), span_id=f"solver{number}",
                          working_start=seconds, uuid=f"m{number}-{seconds}")

    target = rng.choice(["gear", "moon"])
    scores = {
        "match": Score(value="C" if answer == target else "I", answer=answer, explanation=words(10)),
        "quality": Score(value={"style": rng.random(), "length": number % 4}, answer=answer),
    }
    failed = number % 97 == 5
    if number % 41 == 7:
        scores["match"] = Score.unscored(explanation="the judge said nothing") if hasattr(Score, "unscored") else Score(
            value=float("nan"), explanation="the judge said nothing")
    events = [
        SpanBeginEvent(id=f"solver{number}", name="generate", type="solver", timestamp=at(0), span_id=f"solver{number}",
                       working_start=0, uuid=f"sb{number}"),
        event(asked, [system, user], 0.1),
        ToolEvent(id=call.id, function="search", arguments=call.arguments, result=found.content, error=found.error,
                  timestamp=at(0.7), completed=at(0.9), span_id=f"solver{number}", working_start=0.7,
                  uuid=f"te{number}"),
        event(said, [system, user, asked, found], 1.0),
        SpanEndEvent(id=f"solver{number}", timestamp=at(1.6), span_id=f"solver{number}", working_start=1.6,
                     uuid=f"se{number}"),
        ScoreEvent(score=scores["match"], target=target, scorer="match", timestamp=at(1.7), working_start=1.7,
                   uuid=f"sc{number}"),
    ]
    return EvalSample(
        id=number + 1 if number % 2 else f"q{number + 1}", epoch=1, input=question, target=target,
        messages=[system, user, asked, found, said], output=output(said), scores=None if failed else scores,
        metadata={"topic": rng.choice(["sky", "clock"]), "level": number % 3}, events=events,
        model_usage={"mockllm/model": usage}, started_at=at(0).isoformat(), completed_at=at(2).isoformat(),
        total_time=2.0, working_time=1.9, uuid=f"uuid{number}",
        error=EvalError(message="the model is gone", traceback="", traceback_ansi="") if failed else None,
        limit=EvalSampleLimit(type="message", limit=5) if number % 53 == 11 else None)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("size", type=size)
    parser.add_argument("path")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deflate", action="store_true", help="as Inspect wrote before 2026")
    parser.add_argument("--unfinished", action="store_true", help="stop before the header is written")
    options = parser.parse_args()
    if options.deflate:
        inspect_zip.zipfile_compress_kwargs.update(compression=8, compresslevel=6)
    # The text of a tool stands in the message, in the event and among the attachments: Zstandard's window sees that,
    # deflate's does not, and JSON has all of them.
    room = options.size / options.samples
    payload = max(64, int(room * 1.38) - 1500)
    if options.deflate:
        payload = max(64, int(room * 1.38 / 3) - 1500)
    if options.path.endswith(".json"):
        payload = max(64, int(room / 3) - 2500)
    spec = EvalSpec(
        eval_id="made", run_id="made", created="2026-01-01T00:00:00+00:00", task="made", task_id="made",
        dataset=EvalDataset(name="made", samples=options.samples,
                            sample_ids=[n + 1 if n % 2 else f"q{n + 1}" for n in range(options.samples)]),
        model="mockllm/model", config=EvalConfig(epochs=1))
    recorder = create_recorder_for_location(options.path, ".")
    if os.path.exists(options.path):
        os.remove(options.path)
    await recorder.log_init(spec, options.path)
    await recorder.log_start(spec, EvalPlan(steps=[EvalPlanStep(solver="generate", params={})]))
    values = []
    for number in range(options.samples):
        one = sample(number, payload, options.seed)
        value = one.scores["match"].value if one.scores else None
        if isinstance(value, str):
            values.append(1.0 if value == "C" else 0.0)
        await recorder.log_sample(spec, condense_sample(one))
        if number % 50 == 49:
            await recorder.flush(spec)
    if options.unfinished:
        await recorder.flush(spec)
        return
    mean = sum(values) / len(values)
    error = (sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)) ** 0.5 / len(values) ** 0.5
    results = EvalResults(
        total_samples=options.samples, completed_samples=options.samples,
        scores=[EvalScore(name="match", scorer="match", scored_samples=len(values),
                          unscored_samples=options.samples - len(values),
                          metrics={"accuracy": EvalMetric(name="accuracy", value=mean),
                                   "stderr": EvalMetric(name="stderr", value=error)})])
    stats = EvalStats(started_at="2026-01-01T00:00:00+00:00", completed_at="2026-01-01T01:00:00+00:00",
                      model_usage={"mockllm/model": ModelUsage(input_tokens=1000, output_tokens=200, total_tokens=1200)})
    await recorder.log_finish(spec, "success", stats, results, None)


asyncio.run(main())
