"""Agents that report themselves with the gen_ai attributes of OpenTelemetry.

An `Agent` keeps its conversation; every `chat` span holds the whole of it as input, as the convention asks. Its input
tokens include what the provider's cache held: whole blocks of 128 tokens once the prompt is longer than 1,024.
"""

from .ids import estimated_tokens, seconds
from .otlp import CLIENT, FAILED, compact

PROVIDER = {"gen_ai.provider.name": "openai", "server.address": "api.openai.com", "server.port": 443}


class Agent:
    def __init__(self, trace, parent, name, description, model, instructions, tools, start):
        self.trace, self.parent, self.name, self.description = trace, parent, name, description
        self.model, self.instructions, self.tools = model, instructions, tools
        self.id, self.started, self.now = trace.identity(), start, start
        self.messages, self.last_prompt, self.usage = [], 0, [0, 0]
        self.answer = None

    def ask(self, text):
        self.messages.append({"role": "user", "parts": [{"type": "text", "content": text}]})

    def chat(self, text=None, calls=(), think=None, effort=64.0):
        """One model call. `calls` are (name, arguments) pairs; returns the ids of the tool calls."""
        parts = [{"type": "reasoning", "content": think}] if think else []
        parts += [{"type": "text", "content": text}] if text else []
        ids = [self.trace.chance.word("call_", 24) for _ in calls]
        parts += [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, (n, a) in zip(ids, calls)]
        prompt = estimated_tokens(self.instructions + compact(self.tools) + compact(self.messages)) + 11
        reasoning = estimated_tokens(think) if think else 0
        written = estimated_tokens(compact(parts))
        cached = self.last_prompt // 128 * 128 if self.last_prompt >= 1024 else 0
        self.last_prompt = prompt
        start = self.now
        self.now += seconds(self.trace.chance.between(0.5, 1.1) + written / effort)
        reason = "tool_calls" if calls else "stop"
        self.trace.span(
            self.trace.identity(),
            self.id,
            f"chat {self.model}",
            start,
            self.now,
            {
                "gen_ai.operation.name": "chat",
                **PROVIDER,
                "gen_ai.request.model": self.model,
                "gen_ai.response.model": self.model + "-2026-04-14",
                "gen_ai.response.id": self.trace.chance.word("chatcmpl-", 28),
                "gen_ai.request.temperature": 0.2,
                "gen_ai.request.max_tokens": 4096,
                "gen_ai.response.finish_reasons": [reason],
                "gen_ai.usage.input_tokens": prompt,
                "gen_ai.usage.output_tokens": written,
                "gen_ai.usage.cache_read.input_tokens": cached,
                "gen_ai.usage.reasoning.output_tokens": reasoning or None,
                "gen_ai.agent.name": self.name,
                "gen_ai.system_instructions": compact([{"type": "text", "content": self.instructions}]),
                "gen_ai.tool.definitions": compact(self.tools),
                "gen_ai.input.messages": compact(self.messages),
                "gen_ai.output.messages": compact([{"role": "assistant", "parts": parts, "finish_reason": reason}]),
            },
            CLIENT,
        )
        self.usage[0] += prompt
        self.usage[1] += written
        self.messages.append({"role": "assistant", "parts": parts})
        if not calls:
            self.answer = text
        return ids

    def tool(self, call, name, arguments, result, pause, error=None, inside=None):
        """Run one tool. `inside` may add spans below it: it gets the tool's span id and start, and returns the end."""
        identity, start = self.trace.identity(), self.now
        end = start + seconds(pause)
        if inside:
            end = inside(identity, start)
        events, status = (), None
        if error:
            status = (FAILED, error[1])
            events = [(end, "exception", {"exception.type": error[0], "exception.message": error[1]})]
        self.trace.span(
            identity,
            self.id,
            f"execute_tool {name}",
            start,
            end,
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": name,
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.id": call,
                "gen_ai.tool.call.arguments": compact(arguments),
                "gen_ai.tool.call.result": compact(result) if not isinstance(result, str) else result,
                "error.type": error[0] if error else None,
            },
            status=status,
            events=events,
        )
        self.messages.append(
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": call, "response": result}]}
        )
        return end

    def use(self, text, name, arguments, result, pause=0.2, error=None, inside=None, think=None):
        """One model call that asks for one tool, and the tool."""
        (call,) = self.chat(text, [(name, arguments)], think)
        self.now = self.tool(call, name, arguments, result, pause, error, inside)

    def done(self):
        """Close the agent's own span, which repeats the usage of what it called."""
        asked = self.messages[:1]
        self.trace.span(
            self.id,
            self.parent,
            f"invoke_agent {self.name}",
            self.started,
            self.now,
            {
                "gen_ai.operation.name": "invoke_agent",
                **PROVIDER,
                "gen_ai.agent.name": self.name,
                "gen_ai.agent.id": "asst_" + self.name,
                "gen_ai.agent.description": self.description,
                "gen_ai.request.model": self.model,
                "gen_ai.conversation.id": "conv-" + self.trace.trace_id[:8],
                "gen_ai.usage.input_tokens": self.usage[0],
                "gen_ai.usage.output_tokens": self.usage[1],
                "gen_ai.system_instructions": compact([{"type": "text", "content": self.instructions}]),
                "gen_ai.tool.definitions": compact(self.tools),
                "gen_ai.input.messages": compact(asked),
                "gen_ai.output.messages": compact(
                    [
                        {
                            "role": "assistant",
                            "finish_reason": "stop",
                            "parts": [{"type": "text", "content": self.answer}],
                        }
                    ]
                ),
            },
            CLIENT,
        )


def retrieval(trace, parent, start, query, source, documents):
    """Embed the query, then search: two spans. Returns when the search ended."""
    embedded = start + seconds(trace.chance.between(0.08, 0.19))
    trace.span(
        trace.identity(),
        parent,
        "embeddings text-embedding-3-small",
        start,
        embedded,
        {
            "gen_ai.operation.name": "embeddings",
            **PROVIDER,
            "gen_ai.request.model": "text-embedding-3-small",
            "gen_ai.response.model": "text-embedding-3-small",
            "gen_ai.embeddings.dimension.count": 1536,
            "gen_ai.usage.input_tokens": estimated_tokens(query),
        },
        CLIENT,
    )
    end = embedded + seconds(trace.chance.between(0.02, 0.06))
    trace.span(
        trace.identity(),
        parent,
        f"retrieval {source}",
        embedded,
        end,
        {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.data_source.id": source,
            "gen_ai.retrieval.query.text": query,
            "gen_ai.request.top_k": float(len(documents)),
            "gen_ai.retrieval.documents": compact([{"id": i, "score": s} for i, s, _ in documents]),
        },
    )
    return end
