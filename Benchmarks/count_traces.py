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
                mcp.method.name, then by other gen_ai attributes: see `span_kind` in count_otlp.py.
  tokens        summed over spans of kind model and embedding, as agents repeat the usage of what they called.
  messages      input and output messages recorded on spans of kind model, without de-duplication.
  tool_calls    spans of kind tool; tool_results those of them that hold a result.
  errors        spans with status code 2 or an error.type.
"""

import glob
import json
import os
import sys

from count_otlp import count_otlp, is_envelope, natural, text

LONGEST_LINE = 64 << 20


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
