"""Writes the data of the sample tasks again, the same bytes each time: python3 generate.py (standard library only)."""

import json
import pathlib
import random

import recorded_runs

HERE = pathlib.Path(__file__).parent
FIRST = "Vel Mor Tan Kir Bra Sol Dun Fen Gar Hal Jor Lum Nar Ost Pel Ras Sil Tor Var Wen Zem Ber Cal Dra Eld Fal Gri Hob".split()
MIDDLE = "a o e i u an or el in ul as".split()
LAST = "dan rel mos vin tha rin gor bel nus lia dor mi ka sen tos ra vik lon nes pha".split()
PLACE = "ford wick dale haven moor stead brook crest field gate holm marsh".split()
TRADES = "baker smith weaver miller potter tailor fisher gardener glazier clockmaker".split()
COLORS = "red blue green white black yellow silver golden gray brown".split()
FRUITS = "apple pear plum cherry nut fig".split()
# relation: of a town?, fact, question, values
RELATIONS = {
    "home": (False, "{s} lives in {v}.", "Where does {s} live?", "town"),
    "trade": (False, "{s} works as a {v}.", "What is the trade of {s}?", TRADES),
    "teacher": (False, "{s} was taught by {v}.", "Who is the teacher of {s}?", "person"),
    "age": (False, "{s} is {v} years old.", "How old is {s}?", (11, 98)),
    "mayor": (True, "{s} has the mayor {v}.", "Who is the mayor of {s}?", "person"),
    "flag": (True, "{s} has a flag that is {v}.", "Which color has the flag of {s}?", COLORS),
    "market": (True, "{s} sells every kind of {v}.", "What does {s} sell?", FRUITS),
    "lamps": (True, "{s} has {v} street lamps.", "How many lamps has {s}?", (12, 980)),
}


def name(rng, is_town):
    return rng.choice(FIRST) + rng.choice(MIDDLE) + rng.choice(PLACE if is_town else LAST)


def value(rng, kind):
    if kind == "town" or kind == "person":
        return name(rng, kind == "town")
    return str(rng.randint(*kind)) if isinstance(kind, tuple) else rng.choice(kind)


def lines(path, rows):
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (HERE / path).write_text(text, encoding="utf-8", newline="\n")


def reading(rng, count):
    """Two documents of two facts each, all of one subject; one fact is asked for."""
    for number in range(1, count + 1):
        is_town = rng.random() < 0.5
        subject = name(rng, is_town)
        kinds = rng.sample([k for k, r in RELATIONS.items() if r[0] == is_town], 4)
        facts, answers = [], {}
        for kind in kinds:
            answers[kind] = value(rng, RELATIONS[kind][3])
            facts.append(RELATIONS[kind][1].format(s=subject, v=answers[kind]))
        asked = rng.choice(kinds)
        yield {
            "id": f"read-{number:03}", "kind": asked, "subject": subject,
            "documents": [" ".join(facts[:2]), " ".join(facts[2:])],
            "question": RELATIONS[asked][2].format(s=subject), "answer": answers[asked],
        }


def tools(rng, count):
    """Calculations, things to look up, and differences of two things that are looked up."""
    for number in range(1, count + 1):
        kind = ("calculate", "lookup", "total")[number % 3]
        row = {"id": f"tool-{number:03}", "kind": kind, "facts": {}, "documents": []}
        if kind == "calculate":
            a, b, c = rng.randint(11, 99), rng.randint(11, 99), rng.randint(2, 12)
            row["question"] = f"What is ({a} + {b}) * {c}?"
            row["answer"], row["tools"] = str((a + b) * c), ["calculator"]
        else:
            one, other = name(rng, False), name(rng, False)
            first, second = rng.randint(50, 99), rng.randint(2, 49)
            if kind == "lookup":
                row["facts"] = {f"age of {one}": str(first)}
                row["question"], row["answer"], row["tools"] = f"How old is {one}?", str(first), ["lookup"]
            else:
                row["facts"] = {f"star count of {one}": str(first), f"star count of {other}": str(second)}
                row["question"] = f"What is the star count of {one} minus the star count of {other}?"
                row["answer"], row["tools"] = str(first - second), ["lookup", "lookup", "calculator"]
        yield row


def retrieval():
    """The questions of the sample corpus, with the names of the documents that answer them."""
    for line in (HERE.parent / "corpus" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        documents = list(dict.fromkeys(gold["document"] for gold in question["gold"]))
        yield {
            "id": question["id"], "kind": question["kind"], "question": question["question"], "documents": documents}


def classification(rng, count):
    """Night reports with the right label, a model's label and how sure it was: too sure where clouds are meant."""
    words = {
        "weather": ["Humidity rose above the limit.", "Clouds came in from the west.", "Gusts of wind shook the dome."],
        "hardware": ["The shutter stuck half open.", "A fuse of the drive blew.", "The guide camera froze."],
        "operator": ["The wrong filter was chosen.", "The target list was out of date.", "A step was left out."],
    }
    labels = list(words)
    rows = ["id,report,label,predicted,probability"]
    for number in range(1, count + 1):
        label = rng.choice(labels)
        sure = rng.uniform(0.4, 0.99)
        right = rng.random() < sure - (0.15 if label == "weather" else 0.0)
        predicted = label if right else rng.choice([other for other in labels if other != label])
        report = rng.choice(words[label])
        rows.append(f'n{number:03},"{report}, said the log of night {number}.",{label},{predicted},{sure:.3f}')
    (HERE / "classification.csv").write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")


lines("reading.jsonl", reading(random.Random(81), 120))
lines("tools.jsonl", tools(random.Random(82), 60))
lines("retrieval.jsonl", retrieval())
classification(random.Random(83), 200)
recorded_runs.both(HERE / "recorded")
