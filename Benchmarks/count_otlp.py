"""The OTLP/JSON half of count_traces.py, whose first lines define every figure."""

import json
import re

# The first attribute that is present counts.
INPUT_TOKENS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.promptTokens",
    "ai.usage.inputTokens",
)
OUTPUT_TOKENS = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.completionTokens",
    "ai.usage.outputTokens",
)
CACHE_READ_TOKENS = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens",
)
CACHE_WRITE_TOKENS = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
)

OPENINFERENCE_KINDS = {
    "llm": "model",
    "tool": "tool",
    "agent": "agent",
    "retriever": "retrieval",
    "reranker": "reranker",
    "embedding": "embedding",
    "guardrail": "guardrail",
    "evaluator": "evaluator",
    "chain": "chain",
    "prompt": "chain",
}
OPERATION_KINDS = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "embeddings": "embedding",
    "retrieval": "retrieval",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
    "invoke_workflow": "chain",
    "plan": "chain",
}
LANGSMITH_KINDS = {
    "llm": "model",
    "tool": "tool",
    "retriever": "retrieval",
    "embedding": "embedding",
    "chain": "chain",
    "prompt": "chain",
    "parser": "chain",
    "agent": "agent",
}
MODEL_HINTS = (
    "gen_ai.request.model",
    "gen_ai.response.model",
    "gen_ai.usage.",
    "gen_ai.prompt",
    "gen_ai.completion",
    "llm.model_name",
)


def text(value):
    """The value if it is a string with something in it, else None."""
    return value if isinstance(value, str) and value else None


def natural(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def plain(value):
    """An OTLP AnyValue as the Python value it stands for."""
    if not isinstance(value, dict):
        return None
    if "stringValue" in value:
        return value["stringValue"]
    if "intValue" in value:
        try:
            return int(value["intValue"])
        except (TypeError, ValueError):
            return None
    for name in ("boolValue", "doubleValue", "bytesValue"):
        if name in value:
            return value[name]
    if isinstance(value.get("arrayValue"), dict):
        return [plain(v) for v in value["arrayValue"].get("values") or []]
    if isinstance(value.get("kvlistValue"), dict):
        return attributes(value["kvlistValue"].get("values"))
    return None


def attributes(pairs):
    found = {}
    for pair in pairs if isinstance(pairs, list) else []:
        if isinstance(pair, dict) and isinstance(pair.get("key"), str):
            found[pair["key"]] = plain(pair.get("value"))
    return found


def lowered(found, key):
    value = found.get(key)
    return value.lower() if isinstance(value, str) else ""


def span_kind(found):
    """What a span is, from its attributes: the first rule that knows the value wins."""
    kind = OPENINFERENCE_KINDS.get(lowered(found, "openinference.span.kind"))
    kind = kind or OPERATION_KINDS.get(lowered(found, "gen_ai.operation.name"))
    kind = kind or LANGSMITH_KINDS.get(lowered(found, "langsmith.span.kind"))
    if kind:
        return kind
    operation = found.get("ai.operationId")
    if isinstance(operation, str) and operation.startswith("ai."):
        if operation.endswith((".doGenerate", ".doStream")):
            return "model"
        if operation.endswith(".doEmbed"):
            return "embedding"
        return "tool" if operation == "ai.toolCall" else "chain"
    if isinstance(found.get("mcp.method.name"), str):
        return "tool" if found["mcp.method.name"].lower() == "tools/call" else "other"
    if "gen_ai.tool.name" in found or "gen_ai.tool.call.id" in found:
        return "tool"
    return "model" if any(key.startswith(MODEL_HINTS) for key in found) else "other"


def tokens(found, names):
    for name in names:
        value = found.get(name)
        if isinstance(value, str) and value.isdigit():
            return int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if name in found:
            return natural(value)
    return 0


def listed(value):
    """How many messages an attribute holds: the objects of an array, 1 for an object or plain text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return 1 if value else 0
    if isinstance(value, list):
        return sum(isinstance(element, dict) for element in value)
    return 1 if value not in (None, "") else 0


def flattened(found, prefix):
    """Distinct indices I of attributes named prefix.I or prefix.I.more."""
    pattern = re.compile(re.escape(prefix) + r"\.(\d+)(?:\.|$)")
    return len({int(match.group(1)) for match in map(pattern.match, found) if match})


def message_count(found, events):
    names = [event.get("name") for event in events if isinstance(event, dict)]
    asked = [
        name
        for name in names
        if isinstance(name, str) and re.fullmatch(r"gen_ai\.(system|user|assistant|tool)\.message", name)
    ]
    inputs = (
        listed(found.get("gen_ai.input.messages"))
        or flattened(found, "llm.input_messages")
        or listed(found.get("gen_ai.prompt"))
        or flattened(found, "gen_ai.prompt")
        or len(asked)
        or listed(found.get("ai.prompt.messages"))
        or flattened(found, "llm.prompts")
    )
    answered = any(found.get(f"ai.response.{part}") not in (None, "") for part in ("text", "toolCalls", "object"))
    outputs = (
        listed(found.get("gen_ai.output.messages"))
        or flattened(found, "llm.output_messages")
        or listed(found.get("gen_ai.completion"))
        or flattened(found, "gen_ai.completion")
        or names.count("gen_ai.choice")
        or int(answered)
        or flattened(found, "llm.choices")
    )
    return inputs + outputs


def is_failure(span, found):
    status = span.get("status")
    code = status.get("code") if isinstance(status, dict) else None
    return code in (2, "2", "STATUS_CODE_ERROR") or bool(text(found.get("error.type")))


def children(value, key):
    below = value.get(key) if isinstance(value, dict) else None
    return [child for child in below if isinstance(child, dict)] if isinstance(below, list) else []


def count_otlp(path, envelopes, skipped, cut_off):
    """Count the spans of OTLP/JSON envelopes."""
    spans = {}
    for envelope in envelopes:
        for resource in children(envelope, "resourceSpans"):
            for scope in children(resource, "scopeSpans"):
                for span in children(scope, "spans"):
                    trace, identity = text(span.get("traceId")), text(span.get("spanId"))
                    if trace and identity:
                        spans[trace.lower(), identity.lower()] = span
                    else:
                        skipped += 1
    count = {
        "file": path,
        "format": "otlp",
        "files": 1,
        "traces": len({trace for trace, _ in spans}),
        "model_spans": 0,
        "tool_spans": 0,
        "agent_spans": 0,
        "spans": len(spans),
        "messages": 0,
        "tool_calls": 0,
        "tool_results": 0,
        "input_tokens": 0,
        "cache_read_tokens": 0,
        "cache_write_tokens": 0,
        "output_tokens": 0,
        "errors": 0,
        "records": len(envelopes),
        "skipped": skipped,
        "cut_off": cut_off,
    }
    for span in spans.values():
        found = attributes(span.get("attributes"))
        kind = span_kind(found)
        if kind in ("model", "tool", "agent"):
            count[f"{kind}_spans"] += 1
        if kind == "model":
            events = span.get("events")
            count["messages"] += message_count(found, events if isinstance(events, list) else [])
        if kind == "tool":
            count["tool_calls"] += 1
            count["tool_results"] += "gen_ai.tool.call.result" in found or "output.value" in found
        if kind in ("model", "embedding"):
            count["input_tokens"] += tokens(found, INPUT_TOKENS)
            count["output_tokens"] += tokens(found, OUTPUT_TOKENS)
            count["cache_read_tokens"] += tokens(found, CACHE_READ_TOKENS)
            count["cache_write_tokens"] += tokens(found, CACHE_WRITE_TOKENS)
        count["errors"] += is_failure(span, found)
    return count


def is_envelope(value):
    return isinstance(value, dict) and ("resourceSpans" in value or "resourceLogs" in value)
