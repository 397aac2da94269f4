"""BM25 over a collection in the layout of BEIR: bm25s with numba for speed, float64 sums for what is right.

usage: retrieval_words.py FOLDER ANALYSIS K1 B     then lines: run K, single K, batch K

ANALYSIS "none" takes words of two or more of [A-Za-z0-9_] in small letters; "en" leaves out Lucene's 33 stop words and
stems with Snowball's English. A document is its title, a space, its text. `run` answers the scores of Lucene's BM25,
without the factor k1 + 1, with exact lengths, ties by the place in the collection; the other two are bm25s with words
that were analyzed beforehand.
"""

import json
import os
import re
import sys
import time

import numpy as np

STOP = set(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to "
    "was will with".split()
)
WORD = re.compile(r"(?u)\b\w\w+\b")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def analysis(kind):
    if kind == "none":
        return lambda text: WORD.findall(text.lower())
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    return lambda text: [stem(word) for word in WORD.findall(text.lower()) if word not in STOP]


class Exact:
    """An inverted index scored in double precision."""

    def __init__(self, documents, k1, b):
        lengths = np.array([len(words) for words in documents], np.float64)
        self.count = len(documents)
        self.norm = k1 * (1 - b + b * lengths / lengths.mean())
        postings = {}
        for place, words in enumerate(documents):
            frequencies = {}
            for word in words:
                frequencies[word] = frequencies.get(word, 0) + 1
            for word, frequency in frequencies.items():
                postings.setdefault(word, []).append((place, frequency))
        self.postings = {
            word: (np.array([p for p, _ in found]), np.array([f for _, f in found], np.float64))
            for word, found in postings.items()
        }

    def best(self, words, k):
        scores = np.zeros(self.count)
        for word in words:
            if word in self.postings:
                places, frequencies = self.postings[word]
                idf = np.log(1 + (self.count - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += idf * frequencies / (frequencies + self.norm[places])
        order = np.lexsort((np.arange(self.count), -scores))[:k]
        return [(int(place), float(scores[place])) for place in order if scores[place] > 0]


def main():
    import bm25s

    folder, kind, k1, b = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
    documents = read(os.path.join(folder, "corpus.jsonl"))
    with open(os.path.join(folder, "qrels", "test.tsv"), encoding="utf-8") as file:
        judged = {line.split("\t")[0] for line in file.read().splitlines()[1:]}
    queries = [query for query in read(os.path.join(folder, "queries.jsonl")) if query["_id"] in judged]
    analyze = analysis(kind)
    words = [analyze((document["title"] + " " + document["text"]).strip()) for document in documents]
    asked = [analyze(query["text"]) for query in queries]
    exact = Exact(words, k1, b)
    begun = time.process_time()
    index = bm25s.BM25(method="lucene", k1=k1, b=b, backend="numba")
    index.index(words, show_progress=False)
    indexing = time.process_time() - begun
    index.activate_numba_scorer()

    def ask(questions, k):
        return index.retrieve(questions, k=k, show_progress=False, n_threads=1, backend_selection="numba")

    ask(asked[:2], 10)
    ask(asked[:1], 10)
    print(json.dumps({"index_cpu_seconds": indexing, "queries": len(queries)}), flush=True)
    for line in sys.stdin:
        how, k = line.split()[0], int(line.split()[1])
        wall, cpu = time.perf_counter(), time.process_time()
        said = {}
        if how == "run":
            said["run"] = {
                query["_id"]: [[documents[place]["_id"], score] for place, score in exact.best(words, k)]
                for query, words in zip(queries, asked)
            }
        elif how == "batch":
            ask(asked, k)
        else:
            for words in asked:
                if words:
                    ask([words], k)
        said["seconds"], said["cpu_seconds"] = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
