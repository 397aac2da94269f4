"""Loads a model with llama.cpp in this fresh process and computes one token; prints how long that took and what
memory it took.

    python llama_first_token.py MODEL.gguf TEXT THREADS

Time and memory are those of loading, tokenizing and the pass alone: neither Python's start nor its imports count.
"""

import json
import sys
import time

import llama_cpp as llama
import numpy as np
from llama_formats import start


def resident():
    """Bytes of this process in memory, mapped files among them."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))


def main():
    path, text, threads = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
    start()
    empty = resident()
    begin = time.perf_counter()
    options = llama.llama_model_default_params()
    options.n_gpu_layers = 0
    model = llama.llama_model_load_from_file(path.encode(), options)
    settings = llama.llama_context_default_params()
    settings.n_ctx, settings.n_threads, settings.n_threads_batch = 512, threads, threads
    context = llama.llama_init_from_model(model, settings)
    vocabulary = llama.llama_model_get_vocab(model)
    tokens = (llama.llama_token * 256)()
    count = llama.llama_tokenize(vocabulary, text, len(text), tokens, len(tokens), True, False)
    if llama.llama_decode(context, llama.llama_batch_get_one(tokens, count)) != 0:
        raise SystemExit("llama_decode failed")
    size = llama.llama_vocab_n_tokens(vocabulary)
    logits = np.ctypeslib.as_array(llama.llama_get_logits_ith(context, -1), shape=(size,))
    chosen = int(logits.argmax())
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "bytes": resident() - empty, "prompt": count, "token": chosen}))


main()
