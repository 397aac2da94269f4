"""llama.cpp's own quantization, by its C interface.

    python llama_formats.py SOURCE.gguf DESTINATION.gguf q4_k_m [pure]
"""

import ctypes
import json
import os
import sys

import llama_cpp as llama


@llama.llama_log_callback
def silent(level, text, user):
    """Nothing of what it has to say."""


def start():
    llama.llama_log_set(silent, ctypes.c_void_p(0))
    llama.llama_backend_init()


def quantize(source, destination, kind, pure=False):
    """Writes a quantized copy; `pure` gives every matrix the same format."""
    if os.path.exists(destination):
        return
    start()
    options = llama.llama_model_quantize_default_params()
    options.ftype = getattr(llama, f"LLAMA_FTYPE_MOSTLY_{kind.upper()}")
    options.nthread = os.cpu_count()
    options.pure = pure
    part = destination + ".part"
    status = llama.llama_model_quantize(source.encode(), part.encode(), ctypes.byref(options))
    if status != 0:
        raise SystemExit(f"llama_model_quantize of {source} to {kind} gave {status}")
    os.rename(part, destination)


if __name__ == "__main__":
    quantize(*sys.argv[1:4], pure="pure" in sys.argv[4:])
    print(json.dumps({"bytes": os.path.getsize(sys.argv[2])}))
