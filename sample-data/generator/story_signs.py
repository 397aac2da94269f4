"""A small service that shortens texts for museum signs, reporting itself with attributes of 2024.

They are the legacy ones: gen_ai.system, prompt_tokens and completion_tokens, numbered gen_ai.prompt keys on the first
spans, message events on the others.
"""

from .ids import Chance, estimated_tokens, moment, seconds
from .otlp import CLIENT, FAILED, Trace, compact

TRACE = "01dc0de5ba5ed0ca5cadefacade5ea11"
RULES = "Shorten texts for signs in a small observatory's museum. At most 25 words. Plain words. Keep every number."

SIGNS = [
    (
        "The orrery of 1781 was built by a clockmaker whose name is not recorded; its six planets are driven by 47 brass wheels, of "
        "which three were replaced after the fire of 1902.",
        "An orrery of 1781, its maker unknown. 47 brass wheels move six planets. Three wheels were replaced after the fire of 1902.",
    ),
    (
        "Visitors are asked not to touch the pendulum of the regulator clock, as the warmth of a hand lengthens the rod enough to lose "
        "about a fifth of a second a day.",
        "Please do not touch the pendulum: the warmth of a hand lengthens it, and the clock loses a fifth of a second a day.",
    ),
]
COUNT = "How many words has this text? Answer with the number alone."


def flattened(messages):
    found = {}
    for index, (role, content) in enumerate(messages):
        found.update({f"gen_ai.prompt.{index}.role": role, f"gen_ai.prompt.{index}.content": content})
    return found


def files():
    """The files of this story: (path below the traces, content)."""
    chance = Chance(20260930)
    trace = Trace(chance, TRACE, "museum-signs", "opentelemetry.instrumentation.openai.v1", "0.33.3")
    begin, root = moment("2026-09-30T15:20:31"), trace.identity()
    now = begin
    base = {
        "gen_ai.system": "openai",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
        "gen_ai.request.temperature": 0.3,
    }
    for text, short in SIGNS:
        asked = [("system", RULES), ("user", text)]
        start, now = now, now + seconds(chance.between(0.9, 1.6))
        trace.span(
            trace.identity(),
            root,
            "openai.chat",
            start,
            now,
            {
                **base,
                "llm.request.type": "chat",
                **flattened(asked),
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": short,
                "gen_ai.completion.0.finish_reason": "stop",
                "gen_ai.usage.prompt_tokens": estimated_tokens(RULES + text) + 9,
                "gen_ai.usage.completion_tokens": estimated_tokens(short),
            },
            CLIENT,
        )
        start, now = now, now + seconds(chance.between(0.3, 0.6))
        trace.span(
            trace.identity(),
            root,
            "chat gpt-4o-mini",
            start,
            now,
            {
                **base,
                "gen_ai.operation.name": "chat",
                "gen_ai.usage.prompt_tokens": estimated_tokens(short + COUNT) + 8,
                "gen_ai.usage.completion_tokens": 1,
            },
            CLIENT,
            events=[
                (start, "gen_ai.user.message", {"gen_ai.system": "openai", "content": f"{COUNT}\n\n{short}"}),
                (
                    now,
                    "gen_ai.choice",
                    {
                        "gen_ai.system": "openai",
                        "index": 0,
                        "finish_reason": "stop",
                        "message": compact({"role": "assistant", "content": str(len(short.split()))}),
                    },
                ),
            ],
        )
    start, now = now, now + seconds(0.4)
    words = "Rate limit reached for gpt-4o-mini: 3 requests per minute. Try again in 20 s."
    trace.span(
        trace.identity(),
        root,
        "openai.chat",
        start,
        now,
        {
            **base,
            "llm.request.type": "chat",
            "error.type": "RateLimitError",
            "gen_ai.prompt": compact(
                [{"role": "system", "content": RULES}, {"role": "user", "content": "The dome turns on 24 wheels."}]
            ),
        },
        CLIENT,
        status=(FAILED, words),
        events=[(now, "exception", {"exception.type": "openai.RateLimitError", "exception.message": words})],
    )
    trace.span(
        root,
        None,
        "shorten signs",
        begin,
        now,
        {"code.function": "shorten_all", "signs": 3},
        status=(FAILED, "1 of 3 signs failed"),
    )
    yield "otlp/museum-signs-legacy.json", trace.object()
