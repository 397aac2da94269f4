"""Twenty-five instruments of an observatory that does not exist, their papers, and three hundred questions on them."""

NAMES = (
    "Heron Lark Plover Tern Egret Curlew Dunlin Fulmar Gannet Knot Linnet Merlin Osprey Petrel Raven "
    "Siskin Swift Teal Avocet Bittern Crake Dipper Eider Godwit Kestrel").split()
KINDS = [
    "high-resolution spectrograph", "wide-field camera", "polarimeter", "fast photometer", "guide camera",
    "cryogenic infrared camera", "seeing monitor", "fibre positioner", "calibration lamp unit", "wavefront sensor",
]
ROOMS = ["the coude room", "the prime focus cage", "the west Nasmyth platform", "the east Nasmyth platform",
         "the basement laboratory", "the clean room", "the dome gallery"]
KEEPERS = [
    ("Ana Brekke", "4117"), ("Jonas Vail", "4102"), ("Ruth Adeyemi", "4135"), ("Pavel Simic", "4128"),
    ("Ines Carvalho", "4143"), ("Tom Okafor", "4109"), ("Hanne Lund", "4151"), ("Yusuf Demir", "4120"),
]
# what may touch the glass, and what must not
LIQUIDS = ["isopropanol", "distilled water", "acetone", "methanol", "first contact film", "ethanol", "hexane"]
GREASES = ["Arctis 2", "Krytox 240", "Molykote 33", "Braycote 601", "Lubcon 7", "graphite powder"]
PORTS = ["the upper port", "the lower port", "the side port", "the folded port", "the fibre port"]
FILTERS = {"u": "ultraviolet", "g": "green", "r": "red", "i": "near infrared", "z": "far red"}


def worlds(rng):
    """The papers, one dictionary for each instrument."""
    for name in NAMES:
        clean, forbidden = rng.sample(LIQUIDS, 2)
        grease, wrong = rng.sample(GREASES, 2)
        port, closed = rng.sample(PORTS, 2)
        keeper, deputy = rng.sample(KEEPERS, 2)
        yield {
            "name": name, "path": f"instruments/{name.lower()}.md", "kind": rng.choice(KINDS),
            "room": rng.choice(ROOMS), "keeper": keeper, "deputy": deputy, "clean": clean, "forbidden": forbidden,
            "grease": grease, "wrong": wrong, "port": port, "closed": closed, "warm": rng.randint(9, 95),
            "humidity": rng.randint(60, 90), "fuse": f"F{rng.randint(2, 38)}", "cold": -rng.randint(18, 140),
            "hours": 20 * rng.randint(5, 45), "weight": rng.randint(14, 690),
            "filters": {f: (rng.randint(71, 98), 5 * rng.randint(2, 60)) for f in FILTERS},
        }


def sections(w):
    """The paper of an instrument, by section."""
    n = w["name"]
    table = "\n".join(f"| {f} | {FILTERS[f]} | {t} % | {s} s |" for f, (t, s) in w["filters"].items())
    return {
        "1": f"{n} is a {w['kind']} in {w['room']}. It weighs {w['weight']} kg and hangs on {w['port']}; "
             f"{w['closed']} is not to be used, since its bolts are of another thread.",
        "2": f"After switching on, {n} needs {w['warm']} minutes to settle. Its detector is kept at {w['cold']} °C. "
             f"Fuse {w['fuse']} feeds it. Above {w['humidity']} % humidity the cover stays closed.",
        "3": f"The optics of {n} are cleaned with {w['clean']}. They do not come into contact with {w['forbidden']}: "
             f"the coating comes off. Bearings are greased every {w['hours']} hours with {w['grease']} and not "
             f"with {w['wrong']}.",
        "4": f"| filter | color | transmission | usual exposure |\n|---|---|---|---|\n{table}",
        "5": f"{w['keeper'][0]} looks after {n}; in absence it is {w['deputy'][0]}. Telephone numbers stand in "
             f"the staff list.",
    }


STAFF = "| name | telephone |\n|---|---|\n" + "\n".join(f"| {n} | {t} |" for n, t in KEEPERS)


# kind, section, question, German question, right answer, wrong answers, said with it
def plain(w):
    n, warm = w["name"], w["warm"]
    return [
        ("2", f"How many minutes does {n} need to settle after switching on?",
         f"Wie viele Minuten braucht {n} nach dem Einschalten?", str(warm), [str(warm + 10), str(w["humidity"])],
         "the time to settle in minutes"),
        ("2", f"Which fuse feeds {n}?", f"Welche Sicherung versorgt {n}?", w["fuse"], ["F1", "F40"], "its fuse"),
        ("1", f"What kind of instrument is {n}?", f"Was für ein Gerät ist {n}?", w["kind"],
         ["telescope", "dome controller"], "what it is"),
        ("1", f"How many kilograms does {n} weigh?", f"Wie viele Kilogramm wiegt {n}?", str(w["weight"]),
         [str(w["weight"] * 10), str(w["warm"])], "its weight in kilograms"),
        ("2", f"Above which humidity (in percent) does the cover of {n} stay closed?",
         f"Ab welcher Luftfeuchte (in Prozent) bleibt die Klappe von {n} zu?", str(w["humidity"]),
         [str(w["humidity"] - 5), str(-w["cold"])], "the limit of humidity"),
        ("3", f"After how many hours are the bearings of {n} greased?",
         f"Nach wie vielen Stunden werden die Lager von {n} geschmiert?", str(w["hours"]),
         [str(w["hours"] + 100), "400"], "the interval in hours"),
    ]


def negation(w):
    n = w["name"]
    return [
        ("3", f"Which liquid must not touch the optics of {n}?",
         f"Welche Flüssigkeit darf nicht an die Optik von {n}?", w["forbidden"], [w["clean"]], "the liquid to keep away"),
        ("3", f"With which lubricant are the bearings of {n} not to be greased?",
         f"Womit dürfen die Lager von {n} nicht geschmiert werden?", w["wrong"], [w["grease"]],
         "the lubricant to avoid"),
        ("1", f"On which port is {n} not to be mounted?", f"An welchen Anschluss gehört {n} nicht?", w["closed"],
         [w["port"]], "the port to leave free"),
    ]


def table(w, rng):
    n = w["name"]
    first, second = rng.sample(list(FILTERS), 2)
    t, s = w["filters"][first]
    best = max(w["filters"], key=lambda f: (w["filters"][f][0], f))
    return [
        ("4", f"What is the transmission (in percent) of filter {first} of {n}?",
         f"Wie viel Prozent lässt Filter {first} von {n} durch?", str(t),
         [str(w["filters"][second][0]), str(s)], "the transmission in percent"),
        ("4", f"How many seconds does one usually expose with filter {second} of {n}?",
         f"Wie viele Sekunden belichtet man mit Filter {second} von {n}?", str(w["filters"][second][1]),
         [str(s), str(w["filters"][second][0])], "the exposure in seconds"),
        ("4", f"Which filter of {n} lets most of the light through?",
         f"Welcher Filter von {n} lässt am meisten durch?", best, [f for f in FILTERS if f != best], "the letter of the filter"),
    ]


def two(w):
    n = w["name"]
    others = [t for name, t in KEEPERS if (name, t) not in (w["keeper"], w["deputy"])]
    return [
        ("5", f"Which telephone number has the person who looks after {n}?",
         f"Welche Telefonnummer hat, wer sich um {n} kümmert?", w["keeper"][1], [w["deputy"][1], others[0]],
         "the number of the keeper"),
        ("5", f"Whom does one call on which number when the keeper of {n} is away? The number is enough.",
         f"Welche Nummer gilt, wenn bei {n} niemand Zuständiges da ist?", w["deputy"][1], [w["keeper"][1], others[1]],
         "the number of the deputy"),
    ]


def questions(rng):
    """Twelve for each instrument: five plain, two with a negation, three of the table, two of two documents."""
    for w in worlds(rng):
        chosen = [("plain", q) for q in rng.sample(plain(w), 5)]
        chosen += [("negation", q) for q in rng.sample(negation(w), 2)]
        chosen += [("table", q) for q in table(w, rng)] + [("two documents", q) for q in two(w)]
        rng.shuffle(chosen)
        for number, (kind, (section, english, german, answer, wrong, about)) in enumerate(chosen, 1):
            language = "de" if rng.random() < 0.2 else "en"
            yield {
                "id": f"{w['name'].lower()}-{number:02}", "kind": kind, "language": language, "world": w,
                "section": section, "question": german if language == "de" else english, "answer": answer,
                "wrong": wrong, "about": about,
            }
