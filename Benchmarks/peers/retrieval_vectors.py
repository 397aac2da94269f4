"""hnswlib and faiss over the same vectors.

usage: retrieval_vectors.py build KIND BASE METRIC PATH THREADS
       retrieval_vectors.py search KIND PATH QUERIES METRIC     then lines: single EFFORT, batch EFFORT

KIND is hnswlib, faiss-flat, faiss-ivf or faiss-ivf-pq. Graphs have M 16 and efConstruction 200, as ours.
"""

import json
import os
import sys
import time

import numpy as np

K = 10


def resident_mb():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def lists_for(count):
    """A power of two near four times the square root."""
    return 1 << int(np.round(np.log2(4 * np.sqrt(count))))


def build(kind, base, metric, path, threads):
    rows = np.ascontiguousarray(np.load(base), dtype=np.float32)
    count, width = rows.shape
    dot = metric != "l2"
    before = resident_mb()
    if kind == "hnswlib":
        import hnswlib

        wall, cpu = time.perf_counter(), time.process_time()
        index = hnswlib.Index(space="ip" if dot else "l2", dim=width)
        index.init_index(max_elements=count, M=16, ef_construction=200, random_seed=100)
        index.add_items(rows, np.arange(count), num_threads=threads)
    else:
        import faiss

        faiss.omp_set_num_threads(threads)
        kinds = faiss.METRIC_INNER_PRODUCT if dot else faiss.METRIC_L2
        flat = faiss.IndexFlat(width, kinds)
        wall, cpu = time.perf_counter(), time.process_time()
        if kind == "faiss-flat":
            index = flat
        elif kind == "faiss-ivf":
            index = faiss.IndexIVFFlat(flat, width, lists_for(count), kinds)
        else:
            parts = 16 if width <= 128 else width // 8
            index = faiss.IndexIVFPQ(flat, width, lists_for(count), parts, 8, kinds)
        if not index.is_trained:
            index.train(rows)
        index.add(rows)
    said = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu, "vectors": count}
    said["grown_mb"] = resident_mb() - before
    if kind == "hnswlib":
        index.save_index(path)
    else:
        faiss.write_index(index, path)
    said["bytes"] = os.path.getsize(path)
    print(json.dumps(said))


def opened(kind, path, width, metric):
    """The index, how its effort is set, and how it is asked."""
    if kind == "hnswlib":
        import hnswlib

        index = hnswlib.Index(space="l2" if metric == "l2" else "ip", dim=width)
        index.load_index(path)
        index.set_num_threads(1)
        return index.set_ef, lambda rows: index.knn_query(rows, k=K, num_threads=1)[0]
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.read_index(path)

    def effort(value):
        if kind != "faiss-flat":
            index.nprobe = value

    return effort, lambda rows: index.search(rows, K)[1]


def search(kind, path, queries, metric):
    rows = np.ascontiguousarray(np.load(queries), dtype=np.float32)
    if kind == "hnswlib":
        import hnswlib  # noqa: F401  what importing takes is no part of the index
    else:
        import faiss  # noqa: F401
    before = resident_mb()
    effort, ask = opened(kind, path, rows.shape[1], metric)
    print(json.dumps({"resident_mb_before": before, "resident_mb": resident_mb()}), flush=True)
    singles = [rows[row : row + 1] for row in range(len(rows))]
    found = np.empty((len(rows), K), np.int64)
    for line in sys.stdin:
        words = line.split()
        effort(max(1, int(words[1])) if len(words) > 1 else 1)
        wall, cpu = time.perf_counter(), time.process_time()
        if words[0] == "batch":
            found = ask(rows)
        else:
            for row, query in enumerate(singles):
                found[row] = ask(query)[0]
        said = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
        said["resident_mb"] = resident_mb()
        said["ids"] = np.asarray(found).astype(np.int64).tolist()
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(*sys.argv[2:6], int(sys.argv[6]))
    else:
        search(*sys.argv[2:6])
