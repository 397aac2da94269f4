"""Encodes the same texts with tiktoken again for each line of standard input; answers bytes a second.

    python tiktoken_pace.py VOCABULARIES NAME LINES.jsonl
"""

import json
import sys
import time

from vocabularies import Vocabulary

folder, name, lines = sys.argv[1:]
with open(lines, encoding="utf-8") as texts:
    texts = [json.loads(line) for line in texts]
size = sum(len(text.encode()) for text in texts)
encoding = Vocabulary(folder, name).tiktoken()
print(json.dumps({"bytes": size}), flush=True)
for _ in sys.stdin:
    begin = time.perf_counter()
    count = sum(len(encoding.encode_ordinary(text)) for text in texts)
    print(json.dumps({"bytes_per_second": size / (time.perf_counter() - begin), "tokens": count}), flush=True)
