"""ir_measures on a run, query by query.  usage: retrieval_measures.py QRELS RUN MEASURES (with commas)

The judgments are BEIR's or TREC's, the run TREC's.
"""

import json
import sys

import ir_measures


def judgments(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if lines and lines[0].startswith("query-id"):
        return [ir_measures.Qrel(*line.split("\t")[:2], int(line.split("\t")[2])) for line in lines[1:]]
    return [ir_measures.Qrel(words[0], words[2], int(words[3])) for words in map(str.split, lines)]


def main():
    qrels = judgments(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        run = [ir_measures.ScoredDoc(words[0], words[2], float(words[4])) for words in map(str.split, file)]
    measures = [ir_measures.parse_measure(name) for name in sys.argv[3].split(",")]
    values = {str(measure): {} for measure in measures}
    for metric in ir_measures.iter_calc(measures, qrels, run):
        values[str(metric.measure)][metric.query_id] = metric.value
    print(json.dumps(values))


if __name__ == "__main__":
    main()
