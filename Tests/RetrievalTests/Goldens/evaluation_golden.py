#!/usr/bin/env python3
"""Makes evaluation.json: what ir_measures says of runs, some of them random with many ties.

  python3 evaluation_golden.py FOLDER_OF_RUNS QRELS.tsv [EMBEDDINGS.npz CRANFIELD_FOLDER PEERS_FOLDER]

random: judgments and a run in TREC's form, the means, and the values of every query.
collection: the means of the stored runs against the judgments of the collection.
paired: nDCG@10 of every query for BM25 and for BM25 fused with all-MiniLM-L6-v2 by reciprocal rank, where embeddings
are given (D and Q, unit rows).
"""
import glob, json, os, random, sys

import ir_measures
from ir_measures import AP, P, R, RR, Success, nDCG

MEASURES = [nDCG @ 10, nDCG @ 3, nDCG, RR @ 10, RR, R @ 100, R @ 10, P @ 5, P @ 10, AP, AP @ 10, Success @ 1,
            Success @ 5, P(rel=2) @ 5, AP(rel=2), R(rel=3) @ 10, RR(rel=2) @ 10]


def aggregate(qrels, run):
    return {str(m): round(v, 6) for m, v in ir_measures.calc_aggregate(MEASURES, qrels, run).items()}


def random_case(seed):
    rng = random.Random(seed)
    qrels, run = [], []
    for q in range(30):
        for d in rng.sample(range(40), 15):
            qrels.append((f"q{q}", f"d{d}", rng.choice([-1, 0, 0, 0, 1, 1, 2, 3])))
        if q == 7:
            continue  # a query that the system did not answer
        for d in rng.sample(range(40), 20):
            score = rng.choice([rng.randrange(6), rng.random() * 6, 2 + 1e-9 * rng.randrange(3)])
            run.append((f"q{q}", f"d{d}", score))
    qr = [ir_measures.Qrel(q, d, g) for q, d, g in qrels]
    rn = [ir_measures.ScoredDoc(q, d, s) for q, d, s in run]
    per = {}
    for m in ir_measures.iter_calc(MEASURES, qr, rn):
        per.setdefault(str(m.measure), {})[m.query_id] = round(m.value, 6)
    return {"qrels": "".join(f"{q} 0  {d} {g}\n" for q, d, g in qrels),
            "run": "".join(f"{q} Q0 {d} 1 {s!r} random\n" for q, d, s in run),
            "means": aggregate(qr, rn), "queries": per}


def main():
    folder, path = sys.argv[1:3]
    rows = [l.split("\t") for l in open(path).read().split("\n")[1:] if l]
    qrels = [ir_measures.Qrel(q, d, int(g)) for q, d, g in rows]
    out = {"ir_measures": ir_measures.__version__, "random": [random_case(s) for s in (1, 2)], "collection": {}}
    for file in sorted(glob.glob(os.path.join(folder, "cranfield*.run"))):
        run = list(ir_measures.read_trec_run(file))
        out["collection"][os.path.basename(file)] = aggregate(qrels, run)
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "evaluation.json")
    if len(sys.argv) > 3:
        out["paired"] = paired(*sys.argv[3:6])
    elif os.path.exists(target):
        out["paired"] = json.load(open(target)).get("paired")
    json.dump(out, open(target, "w"), indent=None, separators=(",", ":"))


def paired(embeddings, collection, peers):
    sys.path.insert(0, peers)
    import numpy as np
    from bm25_bench import Exact, analyser, load, rd
    from dense_eval import perq
    c, q, qr = load(collection)
    ids = [d["_id"] for d in c]
    z = np.load(embeddings)
    vectors = dict(zip([x["_id"] for x in rd(os.path.join(collection, "queries.jsonl"))], z["Q"]))
    an = analyser("en")
    ex = Exact([an((d["title"] + " " + d["text"]).strip()) for d in c], 0.9, 0.4)
    order = {d: i for i, d in enumerate(ids)}
    bm, hy = {}, {}
    for x in q:
        bm[x["_id"]] = [ids[i] for i, _ in ex.top(an(x["text"]), 100)]
        s = z["D"].astype(np.float64) @ vectors[x["_id"]].astype(np.float64)
        dense = [ids[i] for i in np.lexsort((np.arange(len(s)), -s))[:100]]
        f = {}
        for ranking in (bm[x["_id"]], dense):
            for r, d in enumerate(ranking):
                f[d] = f.get(d, 0) + 1 / (60 + r + 1)
        hy[x["_id"]] = sorted(f, key=lambda d: (-f[d], order[d]))
    names = [x["_id"] for x in q]
    return {"queries": names, "bm25": [round(float(v), 6) for v in perq(bm, qr, names)[0]],
            "fused": [round(float(v), 6) for v in perq(hy, qr, names)[0]]}


if __name__ == "__main__":
    main()
