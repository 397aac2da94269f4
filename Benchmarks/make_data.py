#!/usr/bin/env python3
"""Large inputs for the benchmarks, made once, the same on every run.

usage: make_data.py [--data FOLDER]   makes all of them; the bars make what they need themselves
"""

import argparse
import glob
import hashlib
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from program import SAMPLE_TRACES, SHARED_TRACES  # noqa: E402

START = 1_790_000_000_000_000_000
REAL_SESSION = "ae4a77f8-aedd-4bc1-888f-c94edc91af04"

# What identifies a record: uuids, message, request, call and progress ids.
IDENTITIES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?:agent_msg|toolu|msg|req|srvtoolu)_[0-9A-Za-z]{16,}"
)

TEXTS = (
    "The answer depends on which of the two tables is newer, so I compare their dates first and read the rest afterwards. ",
    "Three of the eleven rows have no station, which is why the join loses them; an outer join keeps them and shows the gap. ",
    "I would rather not guess here: the log names the file but not the line, and both callers could have opened it. ",
)

QUERY = "SELECT station, level FROM readings"


def once(path, make):
    """Make a file or folder unless it is there; a partial one never stays."""
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        make(path + ".partial")
        os.rename(path + ".partial", path)
    return path


def string(key, value):
    return '{"key":"%s","value":{"stringValue":%s}}' % (key, json.dumps(value))


def number(key, value):
    return '{"key":"%s","value":{"intValue":"%d"}}' % (key, value)


def envelope(spans):
    return (
        '{"resourceSpans":[{"resource":{"attributes":['
        + string("service.name", "bench")
        + ']},"scopeSpans":[{"scope":{"name":'
        '"bench"},"spans":[' + ",".join(spans) + "]}]}]}\n"
    )


def small_span(trace, index, parent, start):
    """A span of some 450 bytes: agent, model call or tool by turns."""
    kind = "root" if parent is None else "chat" if index % 2 else "tool"
    if kind == "root":
        name, found = (
            f"invoke_agent agent-{trace % 17}",
            [string("gen_ai.operation.name", "invoke_agent"), string("gen_ai.agent.name", f"agent-{trace % 17}")],
        )
    elif kind == "chat":
        name, found = (
            "chat gpt-4.1-mini",
            [
                string("gen_ai.operation.name", "chat"),
                string("gen_ai.request.model", "gpt-4.1-mini"),
                number("gen_ai.usage.input_tokens", 900 + 37 * (index % 400)),
                number("gen_ai.usage.output_tokens", 40 + index % 90),
            ],
        )
    else:
        tool = ("search", "read_file", "run_query", "bash")[index // 2 % 4]
        name, found = (
            f"execute_tool {tool}",
            [
                string("gen_ai.operation.name", "execute_tool"),
                string("gen_ai.tool.name", tool),
                string("gen_ai.tool.call.id", f"call_{trace}_{index}"),
            ],
        )
    failed = kind == "tool" and (trace + index) % 53 == 0
    parent_field = "" if parent is None else f'"parentSpanId":"{parent:016x}",'
    return (
        f'{{"traceId":"{trace + 1:032x}","spanId":"{trace * 1_000_000 + index + 1:016x}",{parent_field}"name":"{name}","kind":1,'
        f'"startTimeUnixNano":"{start}","endTimeUnixNano":"{start + 40_000_000 + 1_000_000 * (index % 200)}",'
        f'"attributes":[{",".join(found)}],"status":{{"code":{2 if failed else 1}}}}}'
    )


def small_traces(path, first, traces, spans):
    """Traces of `spans` spans each: a root, and groups of ten below one of its children."""
    with open(path, "w") as file:
        batch = []
        for trace in range(first, first + traces):
            start = START + trace * 7_000_000_000
            for index in range(spans):
                group = 1 if index % 10 == 1 else (index - 1) // 10 * 10 + 2
                above = None if index == 0 else trace * 1_000_000 + group
                batch.append(small_span(trace, index, above, start + index * 50_000_000))
                if len(batch) == 500:
                    file.write(envelope(batch))
                    batch = []
        if batch:
            file.write(envelope(batch))


def folder_of_traces(path, traces, spans, a_file):
    os.makedirs(path, exist_ok=True)
    for first in range(0, traces, a_file):
        small_traces(os.path.join(path, f"traces-{first:07d}.jsonl"), first, min(a_file, traces - first), spans)


def million_spans(data, quick=False):
    """10,000 traces of 100 spans."""
    traces = 500 if quick else 10_000
    return once(os.path.join(data, f"spans-{traces * 100}"), lambda p: folder_of_traces(p, traces, 100, 1000))


def million_traces(data, quick=False):
    """1,000,000 traces of one span."""
    traces = 20_000 if quick else 1_000_000
    return once(os.path.join(data, f"traces-{traces}"), lambda p: folder_of_traces(p, traces, 1, 100_000))


def one_large_trace(data, quick=False):
    """One trace of 100,000 spans."""
    spans = 5_000 if quick else 100_000
    return once(os.path.join(data, f"large-{spans}.jsonl"), lambda p: small_traces(p, 4242, 1, spans))


def chat_span(trace, index, chance):
    """A model call of some 1.2 KB with its messages, or a tool call with arguments and result."""
    start = START + trace * 60_000_000_000 + index * 900_000_000
    text = "".join(chance.choice(TEXTS) for _ in range(3))
    if index % 3 == 2:
        rows = [[chance.randrange(900), chance.random()] for _ in range(12)]
        name, found = (
            "execute_tool run_query",
            [
                string("gen_ai.operation.name", "execute_tool"),
                string("gen_ai.tool.name", "run_query"),
                string("gen_ai.tool.call.id", f"call_{trace:x}_{index}"),
                string(
                    "gen_ai.tool.call.arguments", json.dumps({"sql": f"{QUERY} WHERE day = {index} AND run = {trace}"})
                ),
                string("gen_ai.tool.call.result", json.dumps({"rows": rows})),
            ],
        )
    else:
        asked = [
            {
                "role": "user",
                "parts": [{"type": "text", "content": f"Question {trace}-{index}: " + chance.choice(TEXTS)}],
            }
        ]
        said = [{"role": "assistant", "parts": [{"type": "text", "content": text}], "finish_reason": "stop"}]
        name, found = (
            "chat gpt-4.1-mini",
            [
                string("gen_ai.operation.name", "chat"),
                string("gen_ai.provider.name", "openai"),
                string("gen_ai.request.model", "gpt-4.1-mini"),
                string("gen_ai.response.id", f"resp-{trace:x}-{index}"),
                number("gen_ai.usage.input_tokens", 400 + chance.randrange(4000)),
                number("gen_ai.usage.output_tokens", chance.randrange(400)),
                string("gen_ai.input.messages", json.dumps(asked)),
                string("gen_ai.output.messages", json.dumps(said)),
            ],
        )
    parent = "" if index == 0 else f'"parentSpanId":"{trace * 1000 + 1:016x}",'
    return (
        f'{{"traceId":"{trace + 1:032x}","spanId":"{trace * 1000 + index + 1:016x}",{parent}"flags":257,"name":"{name}","kind":3,'
        f'"startTimeUnixNano":"{start}","endTimeUnixNano":"{start + 800_000_000}","attributes":[{",".join(found)}],'
        f'"status":{{"code":1}}}}'
    )


def otlp_spans(data, quick=False):
    """200,000 spans with content, in traces of 40, a hundred spans a line. Returns (path, spans)."""
    spans = 20_000 if quick else 200_000

    def make(path):
        chance = random.Random(7)
        with open(path, "w") as file:
            batch = []
            for index in range(spans):
                batch.append(chat_span(index // 40, index % 40, chance))
                if len(batch) == 100:
                    file.write(envelope(batch))
                    batch = []

    return once(os.path.join(data, f"otlp-{spans}.jsonl"), make), spans


def real_session():
    """The real session if this checkout has it, else the first sample session: (main file, its sub-agents)."""
    main = os.path.join(SHARED_TRACES, "claude-code", REAL_SESSION + ".jsonl")
    if not os.path.exists(main):
        main = sorted(glob.glob(os.path.join(SAMPLE_TRACES, "claude-code", "projects", "*", "*.jsonl")))[-1]
    return main, sorted(glob.glob(os.path.join(main[: -len(".jsonl")], "subagents", "agent-*.jsonl")))


class Rewriter:
    """Copies of a text in which every identity is another one, the same in all places of one copy."""

    def __init__(self, paths):
        self.agents = [re.search(r"agent-([0-9a-f]+)\.jsonl$", path).group(1) for path in paths if "agent-" in path]
        pattern = IDENTITIES
        if self.agents:
            pattern = re.compile(IDENTITIES.pattern + "".join(rf"|\b{agent}\b" for agent in self.agents))
        self.pieces = {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            literal = pattern.split(text)
            self.pieces[path] = (literal, pattern.findall(text))

    @staticmethod
    def renamed(identity, copy):
        digest = hashlib.md5(f"{copy}:{identity}".encode()).hexdigest()
        if "_" in identity:
            prefix = identity[: identity.rindex("_") + 1]
            return prefix + (digest * 2)[: len(identity) - len(prefix)]
        if "-" in identity:
            return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:]}"
        return digest[: len(identity)]

    def copy(self, number):
        """The texts of one copy by path, and the map of its identities."""
        names = {}
        for _, identities in self.pieces.values():
            for identity in identities:
                if identity not in names:
                    names[identity] = self.renamed(identity, number)
        texts = {}
        for path, (literal, identities) in self.pieces.items():
            parts = [None] * (2 * len(literal) - 1)
            parts[0::2] = literal
            parts[1::2] = [names[identity] for identity in identities]
            texts[path] = "".join(parts)
        return texts, names


def sessions(data, megabytes=500, one_file=False):
    """Copies of the real session with other ids: a folder of sessions, or all of them in one file."""
    main, parts = real_session()

    def make(path):
        rewriter = Rewriter([main] + parts)
        session = os.path.basename(main)[: -len(".jsonl")]
        size = number = 0
        if one_file:
            file = open(path, "w", encoding="utf-8")
        else:
            os.makedirs(path, exist_ok=True)
        while size < megabytes * 1_000_000:
            texts, names = rewriter.copy(number)
            number += 1
            new = names.get(session) or Rewriter.renamed(session, number)
            for source, text in texts.items():
                size += len(text.encode())
                if one_file:
                    file.write(text)
                    continue
                target = os.path.join(path, new + ".jsonl")
                if source != main:
                    agent = re.search(r"agent-([0-9a-f]+)\.jsonl$", source).group(1)
                    target = os.path.join(path, new, "subagents", f"agent-{names.get(agent, agent)}.jsonl")
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w", encoding="utf-8") as part:
                    part.write(text)
        if one_file:
            file.close()

    kind = "one.jsonl" if one_file else "folder"
    return once(os.path.join(data, f"sessions-{megabytes}-{kind}"), make)


def size_of(path):
    """Bytes of a file, or of all files below a folder."""
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def trace_files_below(path):
    if os.path.isfile(path):
        return [path]
    return sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith(".jsonl")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.path.join(HERE, "..", ".build", "bench-data"))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    made = [
        million_spans(options.data, options.quick),
        million_traces(options.data, options.quick),
        one_large_trace(options.data, options.quick),
        otlp_spans(options.data, options.quick)[0],
        sessions(options.data, 20 if options.quick else 500),
        sessions(options.data, 20 if options.quick else 500, True),
    ]
    for path in made:
        print(f"{size_of(path) / 1e6:8.1f} MB  {path}")


if __name__ == "__main__":
    main()
