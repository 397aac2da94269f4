"""Agents that report themselves with OpenInference attributes: lists are flattened into numbered keys."""

from .ids import estimated_tokens, seconds
from .otlp import FAILED, OK, compact


def flat_message(prefix, message):
    """One message as attributes below `prefix`."""
    found = {f"{prefix}.message.role": message["role"]}
    if message.get("content"):
        found[f"{prefix}.message.content"] = message["content"]
    if message.get("call"):
        found[f"{prefix}.message.tool_call_id"] = message["call"]
    for index, (identity, name, arguments) in enumerate(message.get("calls", ())):
        below = f"{prefix}.message.tool_calls.{index}.tool_call"
        found[f"{below}.id"] = identity
        found[f"{below}.function.name"] = name
        found[f"{below}.function.arguments"] = compact(arguments)
    return found


class Loop:
    """An agent whose spans are LLM and TOOL below one AGENT span."""

    def __init__(self, trace, parent, name, model, instructions, tools, start):
        self.trace, self.parent, self.name, self.model, self.tools = trace, parent, name, model, tools
        self.id, self.started, self.now = trace.identity(), start, start
        self.messages, self.last_prompt = [{"role": "system", "content": instructions}], 0

    def chat(self, text=None, call=None, temperature=0.0):
        """One model call that may ask for one tool: (name, arguments). Returns the id of the tool call."""
        answer = {"role": "assistant", "content": text}
        if call:
            answer["calls"] = [(self.trace.chance.word("call_", 24), *call)]
        attributes = {
            "openinference.span.kind": "LLM",
            "llm.model_name": self.model,
            "llm.provider": "openai",
            "llm.system": "openai",
            "llm.invocation_parameters": compact({"temperature": temperature, "max_tokens": 512}),
        }
        for index, tool in enumerate(self.tools):
            attributes[f"llm.tools.{index}.tool.json_schema"] = compact(tool)
        for index, message in enumerate(self.messages):
            attributes.update(flat_message(f"llm.input_messages.{index}", message))
        attributes.update(flat_message("llm.output_messages.0", answer))
        prompt = estimated_tokens(compact(self.messages) + compact(self.tools)) + 9
        written = estimated_tokens(compact(answer))
        cached = self.last_prompt // 128 * 128 if self.last_prompt >= 1024 else 0
        attributes.update(
            {
                "llm.token_count.prompt": prompt,
                "llm.token_count.completion": written,
                "llm.token_count.total": prompt + written,
                "llm.token_count.prompt_details.cache_read": cached,
                "llm.finish_reason": "tool_calls" if call else "stop",
            }
        )
        self.last_prompt = prompt
        start = self.now
        self.now += seconds(self.trace.chance.between(0.4, 0.8) + written / 90)
        self.trace.span(self.trace.identity(), self.id, "ChatCompletion", start, self.now, attributes, status=(OK, ""))
        self.messages.append(answer)
        return answer["calls"][0][0] if call else None

    def use(self, name, arguments, result, pause, text=None):
        """One model call and the tool that it asks for."""
        call = self.chat(text, (name, arguments))
        start = self.now
        self.now += seconds(pause)
        self.trace.span(
            self.trace.identity(),
            self.id,
            name,
            start,
            self.now,
            {
                "openinference.span.kind": "TOOL",
                "tool.name": name,
                "input.value": compact(arguments),
                "input.mime_type": "application/json",
                "output.value": compact(result),
                "output.mime_type": "application/json",
            },
            status=(OK, ""),
        )
        self.messages.append({"role": "tool", "content": compact(result), "call": call})

    def fail(self, kind, words, question):
        self.trace.span(
            self.id,
            self.parent,
            self.name,
            self.started,
            self.now,
            {
                "openinference.span.kind": "AGENT",
                "agent.name": self.name,
                "graph.node.id": self.name,
                "input.value": question,
                "input.mime_type": "text/plain",
            },
            status=(FAILED, words),
            events=[
                (
                    self.now,
                    "exception",
                    {
                        "exception.type": kind,
                        "exception.message": words,
                        "exception.stacktrace": 'Traceback (most recent call last):\n  File "/srv/reindexer/agent.py", line 88, in run\n    raise '
                        f"StepLimitExceeded(step)\n{kind}: {words}",
                    },
                )
            ],
        )
