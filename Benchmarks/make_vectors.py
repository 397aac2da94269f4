#!/usr/bin/env python3
"""Vectors for the bars of retrieval: seeded, always the same; needs numpy.

usage: make_vectors.py FOLDER NAME...

A set is a mixture of Gaussians whose noise lies in a random subspace of few dimensions, and a little everywhere: what
counts for a graph is how many directions there are around a point, about 10 to 25 for embeddings. Clusters have unequal
weights. Queries come from the same mixture and are no base points. Of each set there is NAME.base.npy, NAME.query.npy,
and NAME.truth.ivecs, the 100 exact neighbors of each query, ties by number (per row an int32 count, then so many int32).

`easy128` and `hard384` are made block by block of one stream of random numbers; sha256 of the base begins with
d579084f5efd1a82 and e88ffceb0e54a8c1. `gigabyte` has 1 GB of vectors and the first 10 neighbors. `million` is 1,000,000
vectors of length 1 without truth, its queries being what is typed of 100 questions (see make_passages.py).
"""

import os
import sys

import numpy as np

# Vectors, dimensions, queries, clusters, directions, noise everywhere, unit length, seed, neighbors
SETS = {
    "easy128": (100_000, 128, 1000, 256, 12, 0.05, False, 20260101, 100),
    "hard384": (50_000, 384, 1000, 64, 40, 0.25, True, 20260102, 100),
    "gigabyte": (174_763, 1536, 200, 500, 24, 0.12, False, 20260104, 10),
    "million": (1_000_000, 128, 6000, 1000, 16, 0.1, True, 20260105, 0),
}


def make(count, width, asked, clusters, directions, noise, unit, seed, _):
    random = np.random.Generator(np.random.PCG64(seed))
    centers = random.standard_normal((clusters, width)).astype(np.float32)
    weights = 1 / (1 + np.arange(clusters)) ** 0.5
    weights /= weights.sum()
    bases = random.standard_normal((clusters, directions, width)).astype(np.float32) / np.sqrt(directions)

    def draw(number):
        labels = random.choice(clusters, size=number, p=weights)
        along = random.standard_normal((number, directions)).astype(np.float32)
        around = random.standard_normal((number, width)).astype(np.float32) * np.float32(noise)
        rows = np.empty((number, width), np.float32)
        for cluster in range(clusters):
            members = np.nonzero(labels == cluster)[0]
            if members.size:
                rows[members] = centers[cluster] + along[members] @ bases[cluster] + around[members]
        if unit:
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    return draw(count), draw(asked)


def truth(base, queries, unit, wanted):
    """The exact neighbors by sums in double precision, ties by number."""
    found = np.empty((len(queries), wanted), np.int32)
    squares = (base.astype(np.float64) ** 2).sum(1)
    for first in range(0, len(queries), 50):
        some = queries[first : first + 50].astype(np.float64)
        products = np.empty((len(some), len(base)))
        for start in range(0, len(base), 20_000):
            products[:, start : start + 20_000] = some @ base[start : start + 20_000].T.astype(np.float64)
        distances = -products if unit else squares[None, :] - 2 * products
        near = np.argpartition(distances, wanted, axis=1)[:, :wanted]
        for row in range(len(some)):
            order = np.lexsort((near[row], distances[row, near[row]]))
            found[first + row] = near[row][order]
    return found


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name in sys.argv[2:]:
        settings = SETS[name]
        base, queries = make(*settings)
        if settings[-1]:
            neighbors = truth(base, queries, settings[6], settings[-1])
            rows = np.empty((len(neighbors), settings[-1] + 1), np.int32)
            rows[:, 0] = settings[-1]
            rows[:, 1:] = neighbors
            rows.tofile(os.path.join(folder, name + ".truth.ivecs"))
        np.save(os.path.join(folder, name + ".query.npy"), queries)
        # The base comes last: where it is, the rest is whole.
        part = os.path.join(folder, name + ".part.npy")
        np.save(part, base)
        os.rename(part, os.path.join(folder, name + ".base.npy"))
    print("null")


if __name__ == "__main__":
    main()
