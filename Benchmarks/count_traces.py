#!/usr/bin/env python3
"""Count what is in agent traces, independently of Orrery.

usage: count_traces.py PATH...        (files, or folders that are searched)

Prints one JSON object a trace file: Claude Code JSONL (a session with its sub-agents is one object) and OTLP/JSON
(one object, an array, or one object a line). Any other shape is reported as {"file", "format": "unsupported"}.
Only the standard library is used, so that nothing is shared with the program under test.

Everything is counted over distinct keys: reading a record twice changes no figure.

LINES. Split at \\n, stripped of white space; a blank line is nothing. `records` are lines that hold a JSON object of
whatever type; `skipped` are lines that do not parse (strict JSON, valid UTF-8), hold something else than an object, or
are over 64 MiB. A last line that does not parse and has no final newline was cut off: neither record nor skipped.

CLAUDE CODE
  session       X.jsonl, X/subagents/agent-*.jsonl, and agent-*.jsonl beside X with the same sessionId. A record
                without a sessionId has that of the nearest earlier record of its file, else of the first later one,
                else the file's stem.
  traces        distinct sessionIds with at least one record of type user or assistant. Only these two types make
                messages and spans; progress, system, summary and all others are events.
  model_spans   distinct (session, message.id) of assistant records; an absent id: (session, uuid); neither: the line.
  usage         of a model span: that of its last record that has one. input = input_tokens +
                cache_creation_input_tokens + cache_read_input_tokens. A figure that is no natural number is 0.
  tool_spans    distinct (session, tool_use id); an absent id: (model span, uuid, index of the block). tool_calls too.
  tool_results  distinct (session, tool_use_id) of tool_result blocks in user records; absent: (session, uuid, index).
  agent_spans   one a trace, and one a distinct (session, agentId) of user and assistant records.
  spans         model_spans + tool_spans + agent_spans
  messages      model_spans + distinct (session, uuid) of user records; an absent uuid: the line.
  errors        distinct tool results with is_error true + model spans with isApiErrorMessage true.
  api_retries   system records with subtype api_error.

OTLP/JSON
  spans         distinct (traceId, spanId) in lower case, the last one of a pair; without both ids: skipped.
  traces        distinct traceIds. records: envelopes.
  kinds         by openinference.span.kind, gen_ai.operation.name, langsmith.span.kind, ai.operationId,
                mcp.method.name, then by other gen_ai attributes: see `span_kind`.
  tokens        summed over spans of kind model and embedding, as agents repeat the usage of what they called.
  messages      input and output messages recorded on spans of kind model, without de-duplication.
  tool_calls    spans of kind tool; tool_results those of them that hold a result.
  errors        spans with status code 2 or an error.type.
"""

import glob
import json
import os
import re
import sys

LONGEST_LINE = 64 << 20

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


def strict_json(data):
    """Parse bytes as JSON, refusing what JSON does not have (NaN, invalid UTF-8)."""

    def refuse(name):
        raise ValueError(name)

    return json.loads(data.decode("utf-8"), parse_constant=refuse)


class Lines:
    """The JSON objects of a JSONL file, and how many lines were none."""

    def __init__(self, path):
        self.objects, self.skipped, self.cut_off = [], 0, 0
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(b"\xef\xbb\xbf"):
            data = data[3:]
        lines = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            stripped = line.strip()
            if not stripped:
                continue
            if len(line) > LONGEST_LINE:
                self.skipped += 1
                continue
            try:
                value = strict_json(stripped)
            except (ValueError, RecursionError):
                if number == len(lines):
                    self.cut_off += 1
                else:
                    self.skipped += 1
                continue
            if isinstance(value, dict):
                self.objects.append((number, value))
            else:
                self.skipped += 1


def text(value):
    """The value if it is a string with something in it, else None."""
    return value if isinstance(value, str) and value else None


def natural(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def count_claude_code(main, parts):
    """Count one session: its main file and the files of its sub-agents."""
    traces, agents, users = set(), set(), set()
    models, main_models, usages, tools, results = set(), set(), {}, set(), {}
    api_errors = set()
    records = skipped = cut_off = retries = 0
    for path in [main] + parts:
        lines = Lines(path)
        records += len(lines.objects)
        skipped += lines.skipped
        cut_off += lines.cut_off
        stem = os.path.splitext(os.path.basename(path))[0]
        session = next((text(o.get("sessionId")) for _, o in lines.objects if text(o.get("sessionId"))), stem)
        for number, record in lines.objects:
            session = text(record.get("sessionId")) or session
            kind = record.get("type")
            if kind == "system" and record.get("subtype") == "api_error":
                retries += 1
            if kind not in ("user", "assistant"):
                continue
            traces.add(session)
            if text(record.get("agentId")):
                agents.add((session, record["agentId"]))
            unique = text(record.get("uuid")) or f"{path}:{number}"
            message = record.get("message")
            message = message if isinstance(message, dict) else {}
            content = message.get("content")
            blocks = [(i, b) for i, b in enumerate(content) if isinstance(b, dict)] if isinstance(content, list) else []
            if kind == "user":
                users.add((session, unique))
                for index, block in blocks:
                    if block.get("type") == "tool_result":
                        key = (session, text(block.get("tool_use_id")) or (unique, index))
                        results[key] = results.get(key, False) or block.get("is_error") is True
                continue
            model = (session, text(message.get("id")) or (unique,))
            models.add(model)
            if path == main:
                main_models.add(model)
            if isinstance(message.get("usage"), dict):
                usages[model] = message["usage"]
            if record.get("isApiErrorMessage") is True:
                api_errors.add(model)
            for index, block in blocks:
                if block.get("type") == "tool_use":
                    tools.add((session, text(block.get("id")) or (model, unique, index)))

    def total(name):
        return sum(natural(usage.get(name)) for usage in usages.values())

    written, read = total("cache_creation_input_tokens"), total("cache_read_input_tokens")
    return {
        "file": main,
        "format": "claude-code",
        "files": 1,
        "subagent_files": len(parts),
        "traces": len(traces),
        "model_spans": len(models),
        "main_model_spans": len(main_models),
        "tool_spans": len(tools),
        "agent_spans": len(traces) + len(agents),
        "spans": len(models) + len(tools) + len(traces) + len(agents),
        "messages": len(models) + len(users),
        "tool_calls": len(tools),
        "tool_results": len(results),
        "input_tokens": total("input_tokens") + written + read,
        "cache_read_tokens": read,
        "cache_write_tokens": written,
        "output_tokens": total("output_tokens"),
        "errors": sum(results.values()) + len(api_errors),
        "api_retries": retries,
        "records": records,
        "skipped": skipped,
        "cut_off": cut_off,
    }


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


def looks_like_claude_code(objects):
    """Whether the first records are those of a coding agent's session."""
    return any(
        isinstance(o.get("type"), str) and ({"sessionId", "uuid", "leafUuid", "messageId"} & o.keys())
        for _, o in objects[:50]
    )


def session_parts(path):
    """The files of a session's sub-agents, in the new layout and in the old one."""
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    parts = sorted(glob.glob(os.path.join(glob.escape(os.path.join(folder, stem)), "subagents", "agent-*.jsonl")))
    if not name.startswith("agent-"):
        for beside in sorted(glob.glob(os.path.join(glob.escape(folder or "."), "agent-*.jsonl"))):
            if any(o.get("sessionId") == stem for _, o in Lines(beside).objects[:20]):
                parts.append(beside)
    return parts


def count(path):
    """The counts of one file, or None if the file is in neither format."""
    try:
        with open(path, "rb") as file:
            whole = strict_json(file.read())
        values = whole if isinstance(whole, list) else [whole]
        if values and all(is_envelope(value) for value in values):
            return count_otlp(path, values, 0, 0)
        if isinstance(whole, list) or not isinstance(whole, dict):
            return None
    except (ValueError, RecursionError):
        pass
    lines = Lines(path)
    if lines.objects and all(is_envelope(value) for _, value in lines.objects):
        return count_otlp(path, [value for _, value in lines.objects], lines.skipped, lines.cut_off)
    if looks_like_claude_code(lines.objects):
        return count_claude_code(path, session_parts(path))
    return None


def trace_files(paths):
    """The files named, and those below the folders named, without sub-agents whose session is there."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        found = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith((".json", ".jsonl"))
        )
        parts = {part for file in found for part in session_parts(file)}
        yield from (file for file in found if file not in parts and not file.endswith(".meta.json"))


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for path in trace_files(sys.argv[1:]):
        print(json.dumps(count(path) or {"file": path, "format": "unsupported"}))


if __name__ == "__main__":
    main()
