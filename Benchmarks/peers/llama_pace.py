"""llama.cpp at the pace of lines of standard input: `prompt 128` reads so many tokens at once, `write 64` so many one
by one.

    python llama_pace.py MODEL.gguf THREADS

Nothing is sampled. Settings are its defaults: memory mapped, weights repacked, flash attention where it chooses it.
"""

import json
import sys
import time

import llama_cpp as llama
import numpy as np
from llama_formats import start

CONTEXT, BATCH = 1024, 512


class Pace:
    def __init__(self, path, threads):
        start()
        options = llama.llama_model_default_params()
        options.n_gpu_layers = 0
        self.model = llama.llama_model_load_from_file(path.encode(), options)
        if not self.model:
            raise SystemExit(f"llama.cpp cannot load {path}")
        settings = llama.llama_context_default_params()
        settings.n_ctx, settings.n_batch, settings.n_ubatch = CONTEXT, BATCH, BATCH
        settings.n_threads = settings.n_threads_batch = threads
        self.context = llama.llama_init_from_model(self.model, settings)
        self.batch = llama.llama_batch_init(BATCH, 0, 1)
        self.size = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(self.model))
        self.random = np.random.default_rng(1)

    def read(self, tokens, position):
        """One batch; only the last token's logits are asked for."""
        batch = self.batch
        batch.n_tokens = len(tokens)
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = 0
            batch.logits[index] = index == len(tokens) - 1
        if llama.llama_decode(self.context, batch) != 0:
            raise SystemExit("llama_decode failed")
        llama.llama_synchronize(self.context)

    def run(self, kind, count):
        tokens = self.random.integers(3, self.size, count).tolist()
        parts = [tokens] if kind == "prompt" else [[token] for token in tokens]
        begin = time.perf_counter()
        llama.llama_memory_clear(llama.llama_get_memory(self.context), True)
        position = 0
        for part in parts:
            self.read(part, position)
            position += len(part)
        return count / (time.perf_counter() - begin)


def main():
    pace = Pace(sys.argv[1], int(sys.argv[2]))
    print(json.dumps({"system": llama.llama_print_system_info().decode()}), flush=True)
    for line in sys.stdin:
        kind, count = line.split()
        print(json.dumps({"tokens_per_second": pace.run(kind, int(count))}), flush=True)


main()
