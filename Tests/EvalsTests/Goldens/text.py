#!/usr/bin/env python3
"""Text metrics of fixed and random texts, from sacrebleu and rouge-score; stems from NLTK; agreement on FairEval from
scikit-learn. Writes text.json beside this file. Run it with the folder of the FairEval data as argument."""
import importlib.metadata as metadata
import json
import os
import random
import sys

import sacrebleu
from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer
from sklearn.metrics import cohen_kappa_score

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20)
WORDS = (
    "the a planet planets moon moons orbit orbits turned turning around sun's light-years 1,000 3.14 2-3 U.S. e.g., "
    "don't (maybe) \"quoted\" &amp; &lt;b&gt; running easily relational hopeful agreed dying ties skies ponies caresses "
    "conditional troubled sized hopping falling filing happy enjoy formalize electricity adjustable adoption cease "
    "controller ÄPFEL naïve Größe 日本語 русский emoji😀 end. why? yes! a/b x=1; [ref] {set} 100% $5.00 --- ..."
).split()


def sentence(low, high):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))


def noisy(text):
    words = text.split()
    for _ in range(rng.randint(0, 4)):
        kind = rng.randrange(4)
        place = rng.randrange(len(words)) if words else 0
        if kind == 0 and words:
            del words[place]
        elif kind == 1:
            words.insert(place, rng.choice(WORDS))
        elif kind == 2 and words:
            words[place] = rng.choice(WORDS)
        elif len(words) > 3:
            start = rng.randrange(len(words) - 1)
            end = min(len(words), start + rng.randint(1, 4))
            run = words[start:end]
            del words[start:end]
            target = rng.randrange(len(words) + 1)
            words[target:target] = run
    return " ".join(words)


pairs = [
    ("", [""]), ("", ["not empty"]), ("not empty", [""]), ("same text here", ["same text here"]),
    ("a b c d e f g h", ["e f g h a b c d"]), ("Hello, World.", ["hello world"]), ("a-\nb c", ["ab c"]),
    ("line one\nline two\r\nthree", ["line two\nline one\nthree"]), ("word", ["word", "another word", "third"]),
    ("  spaced   out  ", ["spaced out"]), ("tab\tand\u00a0hard space", ["tab and hard space"]),
    ("1.5 and 2,000 and 3.", ["1.5 and 2000 and 3 ."]), ("x" * 40, ["x" * 39 + "y"]), ("<skipped> text", ["text"]),
    ("b a d c f e h g j i", ["a b c d e f g h i j"]), ("the the the", ["the"]), ("(hi) !wow", ["( hi ) ! wow"]),
]
for _ in range(60):
    reference = sentence(1, 28)
    references = [reference] + ([noisy(reference)] if rng.random() < 0.3 else [])
    pairs.append((noisy(reference), references))
pairs.append((sentence(80, 90), [sentence(60, 70)]))
lines = [sentence(3, 9) for _ in range(4)]
pairs.append(("\n".join(noisy(l) for l in reversed(lines)), ["\n".join(lines)]))

scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"], use_stemmer=True)
plain = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=False)
cases = []
for answer, references in pairs:
    scores = scorer.score(references[0], answer)
    cases.append({
        "answer": answer, "references": references,
        "bleu": sacrebleu.sentence_bleu(answer, references).score,
        "chrf": sacrebleu.sentence_chrf(answer, references).score,
        "chrf++": sacrebleu.sentence_chrf(answer, references, word_order=2).score,
        "ter": sacrebleu.sentence_ter(answer, references).score,
        "rouge": {k: [v.precision, v.recall, v.fmeasure] for k, v in scores.items()},
        "plain": {k: v.fmeasure for k, v in plain.score(references[0], answer).items()},
    })
first = [p[1][0] for p in pairs]
answers = [p[0] for p in pairs]
corpus = {
    "bleu": sacrebleu.corpus_bleu(answers, [first]).score, "chrf": sacrebleu.corpus_chrf(answers, [first]).score,
    "chrf++": sacrebleu.corpus_chrf(answers, [first], word_order=2).score,
    "ter": sacrebleu.corpus_ter(answers, [first]).score,
}

stemmer = PorterStemmer()
stems = {}
ENDS = (
    "s es ies ied sses ed eed ing at bl iz ational tional enci anci izer bli alli entli eli ousli ization ation ator alism "
    "iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able "
    "ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e ll y ying"
).split()
for _ in range(1500):
    stem = "".join(rng.choice("bcdfglmnprstvwxyz") + rng.choice("aeiouy") for _ in range(rng.randint(0, 3)))
    word = stem + rng.choice(["", "t", "l", "s", "ll", "ss", "zz", "w", "x"]) + rng.choice(ENDS)
    if len(word) > 3:
        stems[word] = stemmer.stem(word)
for word in "skies dying lying tying news innings outing cannings howe proceed exceed succeed dies died spied flies geology".split():
    stems[word] = stemmer.stem(word)

agreement = None
if len(sys.argv) > 1:
    folder = sys.argv[1]
    read = lambda name: [json.loads(l)["text"] for l in open(os.path.join(folder, name))]
    people = [{"CHATGPT": 0, "VICUNA13B": 1, "TIE": 2}[w] for w in
              open(os.path.join(folder, "review_gpt35_vicuna-13b_human.txt")).read().split()]

    def rule(one, other):
        """A judge that likes length, and the first place a little."""
        if len(one) * 1.15 >= len(other):
            return 2 if len(one) <= len(other) else 0
        return 1

    forward, backward, merged = [], [], []
    for a, b in zip(read("answer_gpt35.jsonl"), read("answer_vicuna-13b.jsonl")):
        f = rule(a, b)
        g = {0: 1, 1: 0, 2: 2}[rule(b, a)]
        forward.append(f)
        backward.append(g)
        merged.append(f if f == g else 2)
    agreement = {
        "count": len(people), "kappa": cohen_kappa_score(people, merged),
        "kappa_forward": cohen_kappa_score(people, forward), "kappa_orders": cohen_kappa_score(forward, backward),
        "flips": sum(f != g for f, g in zip(forward, backward)) / len(forward),
        "people": [people.count(v) for v in range(3)], "merged": [merged.count(v) for v in range(3)],
    }

versions = {k: metadata.version(k) for k in ["sacrebleu", "rouge-score", "nltk", "scikit-learn"]}
with open(os.path.join(HERE, "text.json"), "w") as file:
    json.dump({"cases": cases, "corpus": corpus, "stems": stems, "faireval": agreement, "versions": versions}, file,
              ensure_ascii=False, indent=0)
    file.write("\n")
