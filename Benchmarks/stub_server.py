#!/usr/bin/env python3
"""An endpoint that answers at once, so that what a client takes is its own: the standard library alone, on 127.0.0.1.

usage: stub_server.py [--port 0] [--delay SECONDS] [--limit-every N] [--fail-every N] [--retry-after SECONDS]

POST /v1/completions answers one text; with echo and logprobs it tells a token a byte of the prompt (or a token an id),
whose log-probabilities depend on place and id alone. POST /v1/chat/completions, POST /tokenize, POST /detokenize and
GET /tokenizer_info are there too, GET /stats counts, GET /asked lists how often each prompt was answered, GET /reset
forgets. Every N-th model call is refused with 429 and Retry-After (--limit-every) or fails with 503 (--fail-every).
The first line that it prints is its port.
"""

import argparse
import asyncio
import collections
import hashlib
import json
import selectors
import time

ANSWER = "The answer is 4.\n#### 4"
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


class Counts:
    def __init__(self):
        self.calls = self.answered = self.limited = self.failed = self.tokenized = 0
        self.inflight = self.most_inflight = self.too_early = 0
        self.first = self.last = 0.0
        self.closed_until = 0.0
        self.asked = collections.Counter()

    def json(self):
        shown = {key: value for key, value in vars(self).items() if key not in ("asked", "closed_until")}
        return dict(shown, span=self.last - self.first, prompts=len(self.asked))


def ids(prompt):
    if isinstance(prompt, list) and prompt and isinstance(prompt[0], int):
        return prompt
    return list(prompt.encode())


def choice(index, prompt, body):
    found = {"index": index, "finish_reason": "stop", "logprobs": None, "text": ANSWER}
    if body.get("echo"):
        tokens = ids(prompt) + [46]
        values = [None] + [-(0.1 + ((token * 31 + place) % 17) / 10) for place, token in enumerate(tokens[1:], 1)]
        names = [chr(token) if 32 <= token < 127 else f"<{token}>" for token in tokens]
        found["text"] = "x"
        found["logprobs"] = {
            "tokens": names,
            "token_logprobs": values,
            "text_offset": list(range(len(tokens))),
            "top_logprobs": [None] + [{name: value} for name, value in zip(names[1:], values[1:])],
        }
    return found


def completion(body):
    prompt = body.get("prompt", "")
    many = prompt if isinstance(prompt, list) and prompt and not isinstance(prompt[0], int) else [prompt]
    return {
        "id": "cmpl-0", "object": "text_completion", "created": 0, "model": body.get("model", "stub"),
        "choices": [choice(index, one, body) for index, one in enumerate(many)], "usage": USAGE,
    }  # fmt: skip


def chat(body):
    message = {"role": "assistant", "content": ANSWER}
    return {
        "id": "chatcmpl-0", "object": "chat.completion", "created": 0, "model": body.get("model", "stub"),
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}], "usage": USAGE,
    }  # fmt: skip


class Stub:
    def __init__(self, options):
        self.options, self.counts = options, Counts()

    def model_call(self, path, raw, send):
        """Sends status line, further header lines and answer, after the delay that counts from the request's arrival.

        What can be made of the answer before that is made while nothing else is to do.
        """
        options, counts = self.options, self.counts
        now = time.perf_counter()
        counts.calls += 1
        number = counts.calls
        counts.first = counts.first or now
        counts.inflight += 1
        counts.most_inflight = max(counts.most_inflight, counts.inflight)
        body = json.loads(raw)
        made = encoded("200 OK", "", chat(body) if path.endswith("/chat/completions") else completion(body))
        prompt = json.dumps(body.get("prompt", body.get("messages")), sort_keys=True)
        name = hashlib.sha256(prompt.encode()).hexdigest()[:16]

        def answer():
            counts.inflight -= 1
            if now < counts.closed_until:
                counts.too_early += 1
            if options.limit_every and number % options.limit_every == 0:
                counts.limited += 1
                counts.closed_until = max(counts.closed_until, time.perf_counter() + options.retry_after)
                error = {"error": {"message": "rate limited", "type": "rate_limit"}}
                send(encoded("429 Too Many Requests", f"Retry-After: {options.retry_after:g}\r\n", error))
            elif options.fail_every and number % options.fail_every == 0:
                counts.failed += 1
                error = {"error": {"message": "overloaded", "type": "server_error"}}
                send(encoded("503 Service Unavailable", "", error))
            else:
                send(made)
                counts.answered += 1
                counts.asked[name] += 1
            counts.last = time.perf_counter()

        if options.delay:
            asyncio.get_running_loop().call_later(options.delay, answer)
        else:
            answer()

    def answer(self, path, raw):
        if path.startswith("/tokenizer_info"):
            return "200 OK", "", {"eos_token": "</s>", "bos_token": "<s>", "pad_token": "</s>", "chat_template": None}
        if path.startswith("/tokenize"):
            self.counts.tokenized += 1
            tokens = list(json.loads(raw).get("prompt", "").encode())
            return "200 OK", "", {"tokens": tokens, "count": len(tokens), "max_model_len": 8192}
        if path.startswith("/detokenize"):
            tokens = json.loads(raw).get("tokens", [])
            return "200 OK", "", {"prompt": bytes(token & 255 for token in tokens).decode("utf8", "replace")}
        if path.startswith("/reset"):
            self.counts = Counts()
            return "200 OK", "", {}
        if path.startswith("/stats"):
            return "200 OK", "", self.counts.json()
        if path.startswith("/asked"):
            return "200 OK", "", dict(self.counts.asked)
        return "404 Not Found", "", {"error": path}


def encoded(status, more, answer):
    out = json.dumps(answer).encode()
    top = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{more}Content-Length: {len(out)}\r\n\r\n"
    return top.encode() + out


class Connection(asyncio.Protocol):
    """One client's connection: requests one after the other, as far as they have come."""

    def __init__(self, stub):
        self.stub, self.held, self.transport = stub, b"", None

    def connection_made(self, transport):
        self.transport = transport

    def send(self, answer):
        if not self.transport.is_closing():
            self.transport.write(answer)

    def data_received(self, data):
        self.held += data
        while (end := self.held.find(b"\r\n\r\n")) >= 0:
            line, *headers = self.held[:end].decode("latin1").split("\r\n")
            length = next((int(h[15:]) for h in headers if h[:15].lower() == "content-length:"), 0)
            if len(self.held) < end + 4 + length:
                return
            raw, self.held = self.held[end + 4 : end + 4 + length], self.held[end + 4 + length :]
            _, path, _ = line.split(" ", 2)
            if path.endswith("/completions"):
                self.stub.model_call(path, raw, self.send)
            else:
                self.send(encoded(*self.stub.answer(path, raw)))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--limit-every", type=int, default=0)
    parser.add_argument("--fail-every", type=int, default=0)
    parser.add_argument("--retry-after", type=float, default=1.0)
    stub = Stub(parser.parse_args())
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(stub), "127.0.0.1", stub.options.port, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    # epoll's time-outs are whole milliseconds, which every answer would come late by; select's are not.
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
        runner.run(main())
