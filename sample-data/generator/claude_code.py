"""Sessions as Claude Code writes them, with prompt caching that adds up.

A `Thread` is one file: the session itself, or a sub-agent. Its story calls `user`, `answer` and `compact`; the thread
keeps the clock, the chain of uuids and the tokens. Every call re-reads what the call before it left in the cache,
writes what is new since then, and bills a handful of tokens beside. After five minutes of silence the cache is gone.
"""

import json

from .ids import estimated_tokens, iso, seconds

CACHE_LIFE = 300
FORMATTER = {"Edit", "Write"}


class Call:
    """A tool call and what came back; `pause` is how long the tool ran, in seconds."""

    def __init__(self, name, arguments, result, raw=None, error=False, pause=0.1, progress=(), agent=None):
        self.name, self.arguments, self.result, self.raw = name, arguments, result, raw
        self.error, self.pause, self.progress, self.agent = error, pause, progress, agent
        self.id = None


class Thread:
    def __init__(self, chance, session, start, model, project, unlogged, warm, agent=None):
        self.chance, self.session, self.now, self.model = chance, session, start, model
        self.project, self.agent = project, agent
        self.lines, self.last, self.bash_runs = [], None, 0
        # Tokens: the system prompt and tools that no record holds, and what of it other sessions keep in the cache.
        self.unlogged, self.context = unlogged, 0
        self.cached, self.cached_at, self.warm = warm, start, warm
        self.total_tokens = self.tool_uses = 0
        self.started = start
        self.mirror = None

    def envelope(self, kind, parent=True, **fields):
        record = {
            "parentUuid": self.last if parent is True else parent,
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": self.project["cwd"],
            "sessionId": self.session,
            "version": self.project["version"],
            "gitBranch": self.project["branch"],
        }
        if self.agent:
            record["agentId"] = self.agent
        record["slug"] = self.project["slug"]
        record["type"] = kind
        record.update(fields)
        record.setdefault("uuid", self.chance.uuid())
        record.setdefault("timestamp", iso(self.now))
        return record

    def add(self, record, chain=True):
        self.lines.append(record)
        if chain:
            self.last = record["uuid"]
        if self.mirror and record["type"] in ("user", "assistant"):
            self.mirror(self, record)
        return record

    def wait(self, amount):
        self.now += seconds(amount)

    def snapshot(self):
        identity = self.chance.uuid()
        self.lines.append(
            {
                "type": "file-history-snapshot",
                "messageId": identity,
                "isSnapshotUpdate": False,
                "snapshot": {"messageId": identity, "trackedFileBackups": {}, "timestamp": iso(self.now)},
            }
        )

    def hook(self, event, name, command, tool=None):
        identity = tool or self.chance.uuid()
        self.add(
            self.envelope(
                "progress",
                data={"type": "hook_progress", "hookEvent": event, "hookName": f"{event}:{name}", "command": command},
                parentToolUseID=identity,
                toolUseID=identity,
            )
        )

    def user(self, text, **fields):
        self.context += estimated_tokens(text)
        return self.add(self.envelope("user", message={"role": "user", "content": text}, **fields))

    def usage(self, written, fresh=3):
        """The usage of a call that starts now and writes `written` tokens."""
        whole = self.unlogged + self.context
        if (self.now - self.cached_at).total_seconds() > CACHE_LIFE:
            self.cached = 0
        read = min(self.cached, whole - fresh)
        create = whole - fresh - read
        self.cached, self.cached_at = read + create, self.now
        return {
            "input_tokens": fresh,
            "cache_creation_input_tokens": create,
            "cache_read_input_tokens": read,
            "cache_creation": {"ephemeral_5m_input_tokens": create, "ephemeral_1h_input_tokens": 0},
            "output_tokens": written,
            "service_tier": "standard",
        }

    def answer(self, think=None, text=None, calls=(), more=None):
        """One model call: a line for each block, all with one message id, then the results of its tool calls."""
        blocks = []
        if think:
            blocks.append({"type": "thinking", "thinking": think, "signature": self.chance.word("Ep", 60) + "=="})
        if text:
            blocks.append({"type": "text", "text": text})
        for call in calls:
            call.id = self.chance.word("toolu_01", 22)
            blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})
        said = sum(estimated_tokens(b.get("thinking") or b.get("text") or json.dumps(b.get("input"))) for b in blocks)
        said += 22 * len(calls)
        usage = self.usage(said)
        message = self.chance.word("msg_01", 22)
        request = self.chance.word("req_011C", 20)
        self.wait(self.chance.between(1.3, 2.9))
        sources = []
        for index, block in enumerate(blocks):
            last = index == len(blocks) - 1
            self.wait(estimated_tokens(json.dumps(block)) / 78)
            figures = dict(usage) if last else dict(usage, output_tokens=min(said, 1 + 3 * index))
            record = self.envelope(
                "assistant",
                message={
                    "model": self.model,
                    "id": message,
                    "type": "message",
                    "role": "assistant",
                    "content": [block],
                    "stop_reason": None if not last else "tool_use" if calls else "end_turn",
                    "stop_sequence": None,
                    "usage": figures,
                },
                requestId=request,
            )
            self.add(record)
            sources.append(record["uuid"])
        self.context += said
        self.total_tokens = sum(v for k, v in usage.items() if k.endswith("_tokens"))
        self.results(calls, sources[len(blocks) - len(calls) :])

    def results(self, calls, sources):
        """The tools run side by side; their results come in the order in which they ended."""
        began, ended, first = self.now, [], len(self.lines)
        for call in calls:
            self.tool_uses += 1
            if call.agent:
                call.raw = call.agent(self, call)
        self.lines[first:] = sorted(self.lines[first:], key=lambda line: line["timestamp"])
        for call, source in zip(calls, sources):
            for after, output in call.progress:
                self.now = began + seconds(after)
                self.add(
                    self.envelope(
                        "progress",
                        data={
                            "type": "bash_progress",
                            "output": output.splitlines()[-1] if output else "",
                            "fullOutput": output,
                            "elapsedTimeSeconds": round(after),
                            "totalLines": len(output.splitlines()),
                            "timeoutMs": 120_000,
                        },
                        toolUseID=f"bash-progress-{self.bash_runs}",
                        parentToolUseID=call.id,
                    )
                )
            self.bash_runs += bool(call.progress)
            ended.append((began + seconds(call.pause), call, source))
        for when, call, source in sorted(ended, key=lambda item: item[0]):
            self.now = max(self.now, when)
            if call.name in FORMATTER and not call.error:
                self.hook("PostToolUse", call.name, 'ruff format --quiet "$CLAUDE_FILE_PATHS"', call.id)
            block = {"tool_use_id": call.id, "type": "tool_result", "content": call.result}
            if call.error or call.name == "Bash":
                block["is_error"] = call.error
            raw = f"Error: {call.result}" if call.error else call.raw if call.raw is not None else call.result
            texts = call.result if isinstance(call.result, str) else "".join(b.get("text", "") for b in call.result)
            self.context += estimated_tokens(texts) + 9
            self.add(
                self.envelope(
                    "user",
                    parent=source,
                    message={"role": "user", "content": [block]},
                    toolUseResult=raw,
                    sourceToolAssistantUUID=source,
                )
            )

    def turn_ends(self, since):
        tool = self.chance.uuid()
        self.add(
            self.envelope(
                "system",
                subtype="stop_hook_summary",
                hookCount=1,
                hookInfos=[{"command": ".claude/hooks/notify.sh done"}],
                hookErrors=[],
                preventedContinuation=False,
                stopReason="",
                hasOutput=False,
                level="suggestion",
                toolUseID=tool,
            )
        )
        spent = round((self.now - since).total_seconds() * 1000)
        self.add(self.envelope("system", subtype="turn_duration", durationMs=spent, isMeta=False))

    def compact(self, summary, trigger="manual"):
        """Replace the conversation with a summary; only the unlogged prefix stays in the cache."""
        before = self.unlogged + self.context
        self.wait(self.chance.between(34, 41))
        self.add(
            self.envelope(
                "system",
                parent=None,
                logicalParentUuid=self.last,
                subtype="compact_boundary",
                content="Conversation compacted",
                isMeta=False,
                level="info",
                compactMetadata={"trigger": trigger, "preTokens": before},
            )
        )
        self.context, self.cached = 0, self.warm
        self.user(summary, isVisibleInTranscriptOnly=True, isCompactSummary=True)

    def api_error(self, status, kind, words, attempt, delay):
        self.add(
            self.envelope(
                "system",
                subtype="api_error",
                level="error",
                retryAttempt=attempt,
                maxRetries=10,
                retryInMs=round(delay * 1000),
                error={"status": status, "error": {"type": "error", "error": {"type": kind, "message": words}}},
            )
        )
        self.wait(delay)

    def text(self):
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self.lines)


def delegate(parent, description, prompt, kind, model, unlogged, story, pause=0.2):
    """A Task call whose sub-agent runs `story` in a file of its own, linked from both sides.

    Returns the call and a list that will hold the sub-agent's thread.
    """
    threads = []

    def run(outer, call):
        agent = outer.chance.hexadecimal(7)
        thread = Thread(
            outer.chance, outer.session, outer.now + seconds(pause), model, outer.project, unlogged, 0, agent
        )
        turn = outer.chance.word("agent_msg_01", 22)

        def mirror(inner, record):
            message = {
                key: record[key] for key in ("type", "message", "uuid", "timestamp", "requestId") if key in record
            }
            progress = outer.envelope(
                "progress",
                timestamp=record["timestamp"],
                toolUseID=turn,
                parentToolUseID=call.id,
                data={
                    "message": message,
                    "normalizedMessages": [],
                    "type": "agent_progress",
                    "prompt": prompt,
                    "agentId": agent,
                },
            )
            outer.add(progress, chain=False)

        thread.mirror = mirror
        thread.user(prompt)
        call.result = [{"type": "text", "text": story(thread)}]
        threads.append(thread)
        call.pause = (thread.now - outer.now).total_seconds() + 0.05
        return {
            "status": "completed",
            "prompt": prompt,
            "agentId": agent,
            "content": call.result,
            "totalDurationMs": round((thread.now - thread.started).total_seconds() * 1000),
            "totalTokens": thread.total_tokens,
            "totalToolUseCount": thread.tool_uses,
        }

    arguments = {"description": description, "prompt": prompt, "subagent_type": kind}
    return Call("Task", arguments, "", agent=run), threads
