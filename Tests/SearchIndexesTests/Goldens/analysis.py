#!/usr/bin/env python3
"""Writes analysis.json: what Python's re, str.lower and PyStemmer 3 make of texts, and stems of English words.

  python3 analysis.py > analysis.json        (needs PyStemmer)
"""
import json
import re

import Stemmer

STOP = set("a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
           "this to was will with".split())
WORD = re.compile(r"(?u)\b\w\w+\b")
STANDARD = re.compile(r"[^\W_]+(?:['\u2019.][^\W_]+)*")

TEXTS = [
    "The orrery's wheels were turning slowly, and it is not clear why.",
    "snake_case _x_ __ a.b 3.14 x.2 2.x don't l'\u00e9t\u00e9 rock'n'roll 4'4 a'4 's's's U.S.A. e.g. i.e._",
    "John's JOHN\u2019S boys' s S x y 10 1 the THE The",
    "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3 \u039f\u0394\u039f\u03a3 \u03a3 \u0391\u03a3 \u0391\u03a3. \u03a3'\u03a3 \u0391\u03a3\u0391",
    "\u0130stanbul I\u015eIK 6\u00bd \u00bd x\u00bd \u2460\u2461 \u00b2\u00b3 \u2167 \u2177 \u0663\u0664 \uff46\uff55\uff4c\uff4c \uff37\uff29\uff24\uff34\uff28",
    "\u00e9t\u00e9 na\u00efve e\u0301te\u0301 \ufb01re \u01c5 \u00df \u1e9e \u00aa\u00ba Stra\u00dfe \u00c6ther \U0001d400\U0001d401 \U00010400\U00010428",
    "\u6771\u4eac\u90fd\u306b\u884c\u304f \ud55c\uad6d\uc5b4 \u0939\u093f\u0928\u094d\u0926\u0940 \u0e44\u0e17\u0e22 \u0440\u0443\u0441\u0441\u043a\u0438\u0439 \u042f\u0417\u042b\u041a \u05e2\u05d1\u05e8\u05d9\u05ea",
    "ra\u00dfe \u00e9ies \u00e9ied a\u00dfing ti\u00dfed o\u00f1able b\u00e9\u00e9d", "emoji \U0001f600 between\U0001f600words zero\u200bwidth soft\u00adhyphen tab\tnew\nline \u2028x\u2029yy",
    "", " ", "a", "ab", "...", "A_B a-b A--B",
]
WORDS = """added adding ebbed egged erred inning innings outing canning herring earring evening proceed exceeded succeeding
dying lying tying vying hying skis skies idly gently ugly early only singly sky news howe atlas cosmos bias andes
generate generously communism communities arsenal arsenic past paste pasted pasting universal university universities
later lateral laterally emergency emerge organ organs organic organism organization organized international interval
interest interested geologist archaeology archaeologists apology logy consign consigned consigning knack knackeries
knightly happy cry by say toy boyish youth yellow flying enjoy hoping hopped hopping hope fizzed falling sized tanned
caresses ponies ties cats gas this kiwis gaps relational conditional rational valency hesitancy digitizer conformably
radically differently vilely analogously vietnamization predication operator feudalism decisiveness hopefulness
callousness formality sensitivity sensibility triplicate formative formalize electricity electrical hopeful goodness
revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption
communion homologous angularity effective bowdlerize probate rate cease controlling rolling agreed feed bleed plastered
motoring sing conflated troubled ness y yy yes yesterday syzygy 'tis dog's dogs' 's' x1y2 naively fluently
bli ably possibly fulli thoughtfully carelessly ali equally abate luxuriate fail filing be bed red being seeing""".split()


def standard_words(text):
    for word in STANDARD.findall(text):
        word = re.sub(r"(?<=[^\W\d_])\.(?=\d)|(?<=\d)\.(?=[^\W\d_])", " ", word)
        word = re.sub(r"(?<=\d)['\u2019](?=[^\W\d_])|(?<=[^\W\d_])['\u2019](?=\d)", " ", word)
        yield from word.split()


def main():
    english, porter = Stemmer.Stemmer("english"), Stemmer.Stemmer("porter")
    rows = []
    for text in TEXTS:
        words = WORD.findall(text.lower())
        standard = []
        for word in standard_words(text):
            word = word.lower()
            if word.endswith(("'s", "\u2019s")):
                word = word[:-2]
            if word and word not in STOP:
                standard.append(porter.stemWord(word) or word)
        rows.append({"text": text, "words": words,
                     "english": [english.stemWord(w) for w in words if w not in STOP], "standard": standard})
    stems = [[w, english.stemWord(w)] for w in WORDS]
    print(json.dumps({"texts": rows, "stems": stems}, ensure_ascii=True))


main()
