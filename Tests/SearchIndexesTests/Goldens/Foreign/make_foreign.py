#!/usr/bin/env python3
"""Makes the small files beside it with hnswlib, faiss and numpy: python3 make_foreign.py (seeded; needs hnswlib, faiss-cpu)."""
import faiss
import hnswlib
import numpy as np

faiss.omp_set_num_threads(1)
random = np.random.default_rng(7)
base = random.standard_normal((60, 8)).astype(np.float32)
query = random.standard_normal((5, 8)).astype(np.float32)


def vectors(name, rows):
    heads = np.full((len(rows), 1), rows.shape[1], np.int32)
    np.hstack([heads.view(rows.dtype) if rows.dtype == np.float32 else heads, rows]).tofile(name)


def save(index, name):
    faiss.write_index(index, name)


vectors("base.fvecs", base)
vectors("query.fvecs", query)
truth = faiss.IndexFlatL2(8)
truth.add(base)
vectors("nearest.ivecs", truth.search(query, 5)[1].astype(np.int32))
save(truth, "flat-l2.faiss")
product = faiss.IndexFlatIP(8)
product.add(base)
save(product, "flat-ip.faiss")
graph = faiss.IndexHNSWFlat(8, 4)
graph.add(base)
save(graph, "hnsw.faiss")
lists = faiss.IndexIVFFlat(faiss.IndexFlatL2(8), 8, 4)
lists.train(base)
lists.add(base)
save(lists, "ivf.faiss")
# Most of its lists are empty: another way of writing their sizes.
sparse = faiss.IndexIVFFlat(faiss.IndexFlatL2(8), 8, 12)
sparse.train(base)
sparse.add(base[:3])
save(sparse, "ivf-sparse.faiss")
coded = faiss.IndexIVFPQ(faiss.IndexFlatL2(8), 8, 4, 2, 4)
coded.train(base)
coded.add(base)
save(coded, "ivf-pq.faiss")
coded.make_direct_map()
vectors("ivf-pq.decoded.fvecs", np.stack([coded.reconstruct(i) for i in range(60)]).astype(np.float32))
named = faiss.IndexIDMap(faiss.IndexFlatL2(8))
named.add_with_ids(base, np.arange(60) + 1000)
save(named, "named.faiss")
small = hnswlib.Index(space="l2", dim=8)
small.init_index(100, M=4, ef_construction=20, random_seed=1)
small.add_items(base, np.arange(60) + 500, num_threads=1)
small.mark_deleted(505)
small.save_index("l2.hnswlib")
np.save("float16.npy", base[:4].astype(np.float16))
np.save("int8.npy", np.clip(base[:4] * 30, -128, 127).astype(np.int8))
np.save("uint8.npy", np.clip(base[:4] * 30 + 128, 0, 255).astype(np.uint8))
np.save("columns.npy", np.asfortranarray(base[:4]))
with open("base.fbin", "wb") as file:
    np.array(base.shape, np.uint32).tofile(file)
    base.tofile(file)
