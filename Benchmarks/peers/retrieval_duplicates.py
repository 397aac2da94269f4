"""datasketch's MinHash and its index over texts, one JSON string a line, for each line that is asked.

usage: retrieval_duplicates.py TEXTS THRESHOLD PERMUTATIONS

Shingles are five words of [a-z0-9]+; what is timed is signatures and index, the shingles being there already.
"""

import json
import re
import sys
import time

from datasketch import MinHash, MinHashLSH

WORD = re.compile(r"[a-z0-9]+")


def shingles(text):
    words = WORD.findall(text.lower())
    return {" ".join(words[i : i + 5]).encode() for i in range(max(1, len(words) - 4))} if words else set()


def main():
    path, threshold, permutations = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    with open(path, encoding="utf-8") as file:
        sets = [list(shingles(json.loads(line))) for line in file]
    print(json.dumps({"texts": len(sets)}), flush=True)
    for _ in sys.stdin:
        begun = time.process_time()
        signatures = []
        for elements in sets:
            signature = MinHash(num_perm=permutations, seed=1)
            if elements:
                signature.update_batch(elements)
            signatures.append(signature)
        index = MinHashLSH(threshold=threshold, num_perm=permutations)
        for place, signature in enumerate(signatures):
            index.insert(place, signature)
        spent = time.process_time() - begun
        candidates = {
            (place, other) for place, signature in enumerate(signatures) for other in index.query(signature) if other > place
        }
        print(
            json.dumps({
                "cpu_seconds": spent, "query_cpu_seconds": time.process_time() - begun - spent,
                "candidates": sorted(candidates), "banding": [index.b, index.r],
            }),
            flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
