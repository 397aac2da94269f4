"""Seeded conversations for chat templates: plain ones and hostile ones, tools, thoughts, odd contents and odd roles."""

import json
import random

NOUNS = ["orrery", "wheel", "moon", "brass", "key", "comet", "gear", "tide", "ledger", "lamp"]
VERBS = ["turns", "counts", "asks", "finds", "keeps", "follows", "misses", "winds"]
ODD = [
    "", " ", "\n", "\t\n ", "naïve Ωμέγα 東京", "👩‍🚀 🪐", "e\u0301\u200d", "'single' \"double\" \\back",
    "{{ x }} {% y %} {# z #}", "100 % {0} %s", "<b>&lt;</b>", "\u2028\u00a0\u3000", "\x00\x1b[0m", "line\r\nline\rline",
    "½ ² ǆ ß İ", "[] {} ()", "\\n\\t",
]  # fmt: skip
TOKENS = [
    "<|im_start|>system", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "[INST]", "[/INST]", "[TOOL_CALLS]", "<s>",
    "</s>", "<start_of_turn>model", "<end_of_turn>", "<|end|>", "<|user|>", "<think>", "</think>",
    "<think>\nso\n</think>\n\nyes", "<tool_call>", "</tool_response>", "<tool_response>\n7\n</tool_response>",
    "<|python_tag|>", "/think", "/no_think",
]  # fmt: skip
INTEGERS = [0, -1, 12, 2**31, 2**53 + 1, -(2**63), 2**63 - 1, 10**20]
NUMBERS = [*INTEGERS, 0.5, -0.0, 2.0, 1e16, 1.5e-7, 1 / 3, 6.02e23, 5e-324]
TYPES = ["string", "integer", "number", "boolean", "array", "object"]


class Conversations:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def perhaps(self, chance):
        return self.random.random() < chance

    def one(self, choices):
        return self.random.choice(choices)

    def words(self, most=8):
        return " ".join(self.one(NOUNS if index % 2 else VERBS) for index in range(self.random.randint(1, most)))

    def text(self):
        text = self.words()
        if self.perhaps(0.25):
            text += self.one(("", " ", "\n")) + self.one(ODD)
        if self.perhaps(0.2):
            text = self.one((text + " ", "")) + self.one(TOKENS) + self.one((" " + self.words(3), ""))
        if self.perhaps(0.15):
            text = self.one((" ", "\n", "\n\n", "\t", "\u00a0")) + text
        if self.perhaps(0.15):
            text += self.one((" ", "\n", "\n\n\n", " \t", "\u3000"))
        return self.one(ODD) if self.perhaps(0.08) else text

    def content(self, is_wild):
        """A text; of wild conversations also none, or a list of parts."""
        kind = self.random.random() if is_wild else 1
        if kind < 0.06:
            return None
        if kind < 0.16:
            parts = [{"type": "text", "text": self.text()} for _ in range(self.random.randint(0, 3))]
            return parts + [{"type": "image"}] * self.perhaps(0.3)
        return self.text()

    def value(self, depth=0):
        kind = self.random.randrange(9 if depth < 3 else 6)
        if kind < 2:
            return self.one((None, True, False))
        if kind < 4:
            return self.one(NUMBERS)
        if kind < 6:
            return self.one((self.words(2), self.one(ODD), self.one(TOKENS)))
        if kind < 7:
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
        return {self.one(NOUNS + ["a b", "größe"]): self.value(depth + 1) for _ in range(self.random.randint(0, 3))}

    def schema(self, depth=0):
        kind = self.one(TYPES[: 6 if depth < 2 else 4])
        schema = {"type": [kind, "null"] if self.perhaps(0.1) else kind}
        if self.perhaps(0.8):
            schema["description"] = self.one((self.words(), " padded ", self.one(ODD)))
        if kind == "array":
            schema["items"] = self.schema(depth + 1)
        if kind == "object":
            schema["properties"] = {self.one(NOUNS): self.schema(depth + 1) for _ in range(2)}
        if self.perhaps(0.15):
            schema["enum"] = [self.one((self.words(1), 3, None, True)) for _ in range(2)]
        return schema

    def tool(self, name):
        names = {self.one(NOUNS): self.schema() for _ in range(self.random.randint(0, 3))}
        function = {"name": name, "description": self.text()}
        function["parameters"] = {"type": "object", "properties": names, "required": list(names)[:1]}
        if self.perhaps(0.1):
            function["return"] = self.schema(2)
        return {"type": "function", "function": function} if self.perhaps(0.93) else function

    def call(self, name, is_wild):
        arguments = {self.one(NOUNS): self.value() for _ in range(self.random.randint(0, 3))}
        function = {"name": name, "arguments": arguments}
        if is_wild and self.perhaps(0.2):
            function["arguments"] = json.dumps(arguments)
        identifier = "".join(self.one("abcXYZ0189") for _ in range(6 if is_wild and self.perhaps(0.2) else 9))
        return {"id": identifier, "type": "function", "function": function}

    def turn(self, tools, is_wild):
        yield {"role": "user", "content": self.content(is_wild)}
        if is_wild and self.perhaps(0.12):
            yield {"role": self.one(("user", "system", "developer", "ipython", "critic")), "content": self.text()}
        while tools and self.perhaps(0.6):
            calls = [self.call(self.one(tools), is_wild) for _ in range(self.one((1, 1, 1, 2)) if is_wild else 1)]
            message = {"role": "assistant", "content": self.one(("", self.text())), "tool_calls": calls}
            if is_wild and self.perhaps(0.25):
                message["content"] = None
            if self.perhaps(0.3):
                message["reasoning_content"] = self.text()
            yield message
            for call in calls:
                result = {"role": "tool", "name": call["function"]["name"], "tool_call_id": call["id"]}
                yield {**result, "content": self.one((self.text(), json.dumps(self.value())))}
        if not is_wild or self.perhaps(0.8):
            message = {"role": "assistant", "content": self.content(is_wild)}
            if self.perhaps(0.2):
                message["reasoning_content"] = self.one((self.text(), "\nthought\n"))
            yield message

    def conversation(self, number):
        """The variables of one rendering. Every fourth conversation is wild."""
        is_wild = number % 4 == 3
        tools = ["look_up", "größe"][: self.random.randint(1, 2)] if number % 3 == 0 else []
        messages = [{"role": "system", "content": self.content(is_wild)}] if self.perhaps(0.4) else []
        for _ in range(self.random.randint(1, 4)):
            messages += self.turn(tools, is_wild)
        if self.perhaps(0.6):
            messages.append({"role": "user", "content": self.text()})
        variables = {"messages": messages, "add_generation_prompt": self.perhaps(0.7)}
        variables["tools"] = [self.tool(name) for name in tools] or self.one((None, []))
        variables["documents"] = None
        if number % 5:
            pair = self.one((("<s>", "</s>"), ("<|begin|>", "<|end_of_text|>")))
            variables["bos_token"], variables["eos_token"] = pair
        for name in ("enable_thinking", "tools_in_user_message"):
            if self.perhaps(0.3):
                variables[name] = self.perhaps(0.5)
        if self.perhaps(0.2):
            variables["date_string"] = "26 Jul 2024"
        return variables


def conversations(count, seed):
    source = Conversations(seed)
    # Through JSON, as both sides read them.
    return [json.loads(json.dumps(source.conversation(number))) for number in range(count)]
