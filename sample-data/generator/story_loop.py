"""An agent that waits for a job and asks for its state again and again, until the step limit ends it.

The reason stands in the very first answer: the queue has no workers. Nobody reads it. Around the loop there is one span
of every other kind that OpenInference knows.
"""

from .ids import Chance, estimated_tokens, moment, seconds
from .openinference import Loop
from .otlp import OK, Trace, compact

TRACE = "0ddba115c0ffee00deadbea7c1c1e5ed"
LIMIT = 24

RULES = (
    "You keep the search index of the star catalogue fresh. Start a rebuild, wait until it is done, check one query, report. Do "
    "not give up while a job is queued or running."
)
QUESTION = "Rebuild the index of catalogue north-12 and tell me when searches see last night's 214 new objects."

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "start_rebuild",
            "parameters": {
                "type": "object",
                "properties": {"catalogue": {"type": "string"}},
                "required": ["catalogue"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_job",
            "description": "State of a job.",
            "parameters": {"type": "object", "properties": {"job": {"type": "string"}}, "required": ["job"]},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "search_catalogue",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["query"],
            },
        },
    },
]

RUNBOOK = [
    ("runbook/index#3", 0.79, "A rebuild takes 4 to 6 minutes. Poll get_job at most once a minute."),
    (
        "runbook/queues#1",
        0.74,
        "A job that stays queued for more than 10 minutes: look at `workers`. If it is 0 the pool was scaled down "
        "overnight; scale it up with `pool set index 2`. Polling will not help.",
    ),
    ("runbook/index#5", 0.61, "After a rebuild, search for one of the new objects before you report."),
]

WORDS = [
    "The rebuild is queued. I will check again.",
    "Still queued. I will wait a little and check again.",
    None,
    "The job is still in the queue, so I check its state once more.",
    None,
    "Let me check the job again.",
]


def documents(prefix, found):
    attributes = {}
    for index, (identity, score, text) in enumerate(found):
        attributes.update(
            {
                f"{prefix}.{index}.document.id": identity,
                f"{prefix}.{index}.document.score": score,
                f"{prefix}.{index}.document.content": text,
            }
        )
    return attributes


def before(trace, root, now):
    """What happens before the agent starts: a guardrail, and a retrieval whose useful hit the reranker drops."""
    end = now + seconds(0.21)
    trace.span(
        trace.identity(),
        root,
        "input guardrail",
        now,
        end,
        {
            "openinference.span.kind": "GUARDRAIL",
            "input.value": QUESTION,
            "output.value": compact({"allowed": True, "rule": None}),
            "output.mime_type": "application/json",
        },
        status=(OK, ""),
    )
    query, now = "rebuild index catalogue wait for job", end
    retriever = trace.identity()
    end = now + seconds(0.13)
    trace.span(
        trace.identity(),
        retriever,
        "CreateEmbeddings",
        now,
        end,
        {
            "openinference.span.kind": "EMBEDDING",
            "embedding.model_name": "text-embedding-3-small",
            "embedding.embeddings.0.embedding.text": query,
            "llm.token_count.prompt": estimated_tokens(query),
            "llm.token_count.total": estimated_tokens(query),
        },
        status=(OK, ""),
    )
    trace.span(
        retriever,
        root,
        "runbook retriever",
        now,
        end + seconds(0.04),
        {"openinference.span.kind": "RETRIEVER", "input.value": query, **documents("retrieval.documents", RUNBOOK)},
        status=(OK, ""),
    )
    now = end + seconds(0.04)
    end = now + seconds(0.18)
    kept = [("runbook/index#3", 0.97, RUNBOOK[0][2]), ("runbook/index#5", 0.88, RUNBOOK[2][2])]
    trace.span(
        trace.identity(),
        root,
        "rerank",
        now,
        end,
        {
            "openinference.span.kind": "RERANKER",
            "reranker.query": query,
            "reranker.model_name": "bge-reranker-v2-m3",
            "reranker.top_k": 2,
            **documents("reranker.input_documents", RUNBOOK),
            **documents("reranker.output_documents", kept),
        },
        status=(OK, ""),
    )
    return end, kept


def files():
    """The files of this story: (path below the traces, content)."""
    chance = Chance(20261018)
    trace = Trace(chance, TRACE, "catalogue-reindexer", "openinference.instrumentation.openai", "0.1.34")
    begin, root = moment("2026-10-18T04:30:00"), trace.identity()
    now, kept = before(trace, root, begin)
    agent = Loop(
        trace,
        root,
        "reindexer",
        "gpt-4.1-mini",
        RULES + "\n\nFrom the runbook:\n" + "\n".join(f"- {text}" for _, _, text in kept),
        TOOLS,
        now,
    )
    agent.messages.append({"role": "user", "content": QUESTION})
    agent.use(
        "start_rebuild",
        {"catalogue": "north-12"},
        {"job": "idx-2291", "state": "queued"},
        0.09,
        "I start the rebuild of north-12.",
    )
    for step in range(1, LIMIT):
        waited = round((agent.now - begin).total_seconds())
        agent.use(
            "get_job",
            {"job": "idx-2291"},
            {"job": "idx-2291", "state": "queued", "position": 1, "workers": 0, "waiting_s": waited},
            0.04,
            WORDS[step % len(WORDS)],
        )
        agent.now += seconds(chance.between(8.0, 12.0))
    agent.fail("StepLimitExceeded", f"the agent stopped after {LIMIT} steps without an answer", QUESTION)
    end = agent.now + seconds(1.4)
    trace.span(
        trace.identity(),
        root,
        "task completion",
        agent.now,
        end,
        {
            "openinference.span.kind": "EVALUATOR",
            "input.value": QUESTION,
            "output.value": compact(
                {
                    "score": 0.0,
                    "label": "not done",
                    "explanation": "get_job was called 23 times with the same arguments and gave the same "
                    "state; the agent never acted on workers = 0.",
                }
            ),
            "output.mime_type": "application/json",
        },
        status=(OK, ""),
    )
    trace.span(
        root,
        None,
        "reindex north-12",
        begin,
        end,
        {
            "openinference.span.kind": "CHAIN",
            "session.id": "nightly-2026-10-18",
            "user.id": "scheduler",
            "input.value": QUESTION,
            "input.mime_type": "text/plain",
            "metadata": compact({"catalogue": "north-12", "new_objects": 214}),
            "tag.tags": ["nightly", "index"],
        },
        status=(2, "reindexer: StepLimitExceeded"),
    )
    yield "otlp/reindex-loop.jsonl", trace.lines(batch=16)
