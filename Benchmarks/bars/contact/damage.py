"""Bar 7: 1,000 damaged copies of a workspace, each with 1 to 64 random bytes replaced anywhere in the file.

`workspace check` must name the damage: exit status 1, and a sentence with the page or the header. Every damaged page
must be among the pages that it names. Copies in which it finds nothing, and every tenth of the others, are read by
every reading command and every panel. A command prints the same as before, or fails and names the page and the table;
any other output is a wrong answer. A panel may instead show a message about the damage.

Random bytes mostly hit the largest table and hardly ever the header. So every table and index gets a copy in which
only its first page is damaged, and so does every byte of the header. A control changes one word and recomputes the
checksum: only the comparison of outputs can notice that.
"""

import collections
import functools
import os
import random
import re
import sqlite3
import struct
from concurrent.futures import ThreadPoolExecutor

from bars.contact.readings import filled, reading_commands
from figures import CouldNotRun, at_least, at_most
from program import cores, last_line
from silent_keys import TIME

COPIES, MOST_BYTES, EVERY = 1000, 64, 10
HEADER = 100

# What a sentence says of the place: a page, or the header that makes the file a workspace.
NAMES_PLACE = re.compile(rb"\bpages? [0-9]|\bheader\b|not a workspace", re.IGNORECASE)
# The first page holds the header and the list of tables.
NAMES_TABLE = re.compile(rb"\b(table|index) [a-z_]+|\bpage 1\b|\bheader\b|not a workspace|unused", re.IGNORECASE)
FILLING_UP = re.compile("(?: |─)+".encode())
SAYS_DAMAGE = re.compile(rb"\bpage [0-9]|damaged", re.IGNORECASE)
PAGE = re.compile(r"\bpage ([0-9]+)\b", re.IGNORECASE)
# How long a search took, which is never the same twice.
SECONDS = re.compile(rb'"seconds": [0-9.e+-]+')


class Workspace:
    """The undamaged file, what every reading command prints of it, and a place for a copy per worker."""

    def __init__(self, program):
        self.program = program
        self.file = filled(program)
        with open(self.file, "rb") as file:
            self.good = file.read()
        size = struct.unpack(">H", self.good[16:18])[0]
        self.page = 65536 if size == 1 else size
        self.has_checksums = self.good[20] == 8
        self.commands = reading_commands(program, self.file)
        self.right = {}
        for words in self.commands:
            first, second = (self.answer(self.good, words, "right") for _ in range(2))
            if first.status != 0:
                raise CouldNotRun(f"`orrery {' '.join(words)}` ended with {first.status}: {last_line(first.errors)}")
            if first.output != second.output:
                raise CouldNotRun(f"`orrery {' '.join(words)}` never prints the same twice")
            self.right[words] = first.output

    def answer(self, content, words, worker):
        """Writes a copy anew, since a command may change it, and runs one command on it."""
        path = os.path.join(self.program.home, worker, "copy.orrery")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for suffix in ("-wal", "-shm", "-journal"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        with open(path, "wb") as file:
            file.write(content)
        done = self.program.run(*words, "--workspace", path, limit=120)
        name = path.encode()
        done.output = done.output.replace(name, b"WORKSPACE")
        if words[:2] == ("corpus", "search"):
            done.output = SECONDS.sub(b"", done.output)
        elif words[0] == "show":
            # A time is not the same twice either, nor is the line or the space that fills up its place.
            done.output = FILLING_UP.sub(b" ", TIME.sub(b"", done.output))
        done.errors = done.errors.replace(name, b"WORKSPACE")
        return done


# Damage


def damaged(good, chance):
    """A copy with 1 to 64 other bytes, and where they are."""
    content, places = bytearray(good), set()
    for _ in range(chance.randint(1, MOST_BYTES)):
        place = chance.randrange(len(good))
        if place not in places:
            content[place] ^= chance.randrange(1, 256)
            places.add(place)
    return bytes(content), sorted(places)


def checksum(page):
    """SQLite's checksum of a page without its last eight bytes. Source: ext/misc/cksumvfs.c."""
    first = second = 0
    words = struct.unpack(f"<{(len(page) - 8) // 4}I", page[:-8])
    for index in range(0, len(words), 2):
        first = (first + words[index] + second) & 0xFFFFFFFF
        second = (second + words[index + 1] + first) & 0xFFFFFFFF
    return struct.pack("<II", first, second)


def rewritten(workspace):
    """A copy whose trace has another name, with a checksum that matches: damage that only a comparison can find."""
    content, size = bytearray(workspace.good), workspace.page
    for start in range(0, len(content), size):
        page = content[start : start + size]
        if b"duty-engineer: why" in page:
            page = page.replace(b"duty-engineer: why", b"duty-engineer: who")
            if workspace.has_checksums:
                page[-8:] = checksum(page)
            content[start : start + size] = page
    return bytes(content)


# Verdicts


class Verdicts:
    """What came of copies and commands. What is not right is counted by cause, with the first case of each."""

    def __init__(self):
        self.counts, self.first = collections.Counter(), collections.defaultdict(dict)
        self.causes = collections.Counter()

    def note(self, verdict, cause=None, where=""):
        self.counts[verdict] += 1
        if cause:
            alike = re.sub(r"[0-9]+", "N", cause)
            self.causes[verdict, alike] += 1
            self.first[verdict].setdefault(alike, f"{where}: {cause}")

    def described(self, *verdicts, most=8):
        found = [
            f"{self.causes[verdict, alike]} times, first {case}"
            for verdict in verdicts
            for alike, case in self.first[verdict].items()
        ]
        return "; ".join(found[:most] + [f"and {len(found) - most} other causes"] * (len(found) > most)) or None


def sentence(done):
    """The sentence of a command, or the end of what it printed."""
    if done.errors.strip():
        return last_line(done.errors)[:240]
    return " ".join(done.output.decode(errors="replace").split())[-240:]


def strange_line(workspace, words, done):
    """The first line that the undamaged file does not give."""
    known = set(workspace.right[words].splitlines())
    lines = [line for line in done.output.splitlines() if line not in known]
    return " ".join(lines[0].decode(errors="replace").split())[:160] if lines else "lines are missing"


def verdict_of_check(workspace, content, places, worker):
    """Whether `workspace check` names the damage, and the pages that it does not name."""
    done = workspace.answer(content, ("workspace", "check", "--json"), worker)
    if done.status == 0:
        return "found nothing", set(), done
    if done.status != 1:
        return "crashed", set(), done
    text = done.output + done.errors
    if not NAMES_PLACE.search(text):
        return "named no place", set(), done
    hit = {place // workspace.page + 1 for place in places}
    named = {int(number) for number in PAGE.findall(text.decode(errors="replace"))}
    # A file whose first page is damaged is not opened.
    missing = hit - named if 1 not in hit else set()
    return "named", missing, done


def verdict_of_command(workspace, content, words, worker):
    done = workspace.answer(content, words, worker)
    if done.status == 0:
        if done.output == workspace.right[words]:
            return "as before", done
        shows = words[0] == "show" and SAYS_DAMAGE.search(done.output)
        return ("named" if shows else "wrong answer"), done
    # `corpus check` prints what it found.
    text = done.errors if done.errors.strip() else done.output
    if done.status < 0 or done.status > 64 or not text.strip():
        return "crashed", done
    if not NAMES_PLACE.search(text):
        return "names no page", done
    return ("named" if NAMES_TABLE.search(text) else "names no table"), done


def in_parallel(work, items):
    """Calls `work(item, worker)` for every item; a worker has its own copy of the file."""
    free = [f"copy-{number}" for number in range(cores())]

    def one(item):
        worker = free.pop()
        try:
            return work(item, worker)
        finally:
            free.append(worker)

    with ThreadPoolExecutor(len(free)) as pool:
        return list(pool.map(one, items))


def run(program):
    workspace = Workspace(program)
    chance, count = random.Random(7), 50 if program.quick else COPIES
    seeds = [chance.getrandbits(64) for _ in range(count)]

    checks, answers, panels, missed, read = Verdicts(), Verdicts(), Verdicts(), [], []

    def check(seed, worker):
        content, places = damaged(workspace.good, random.Random(seed))
        return verdict_of_check(workspace, content, places, worker)

    for number, (verdict, missing, done) in enumerate(in_parallel(check, seeds)):
        checks.note(verdict, verdict != "named" and sentence(done), f"copy {number}")
        if missing:
            missed.append(f"copy {number}: pages {sorted(missing)[:4]}, {sentence(done)}")
        if verdict == "found nothing" or number % EVERY == 0:
            read.append((number, seeds[number], verdict))

    unharmed = checks.counts["named"]
    copies = [
        (f"copy {number}", lambda seed=seed: damaged(workspace.good, random.Random(seed))[0])
        for number, seed, _ in read
    ]
    for (_, _, checked), whole in zip(read, answer_all(workspace, copies, answers, panels)):
        unharmed += checked == "found nothing" and whole
    roots = root_pages(workspace)[:: 8 if program.quick else 1]
    answer_all(workspace, roots, answers, panels)

    header = header_verdicts(workspace)
    control = rewritten(workspace)
    control = sum(
        verdict_of_command(workspace, control, words, "control")[0] == "wrong answer" for words in workspace.commands
    )
    wrong, unnamed = ("wrong answer", "crashed"), ("names no page", "names no table")
    asked = f"{len(workspace.commands)} commands and panels on {len(read)} copies and {len(roots)} root pages"
    return [
        at_least("7a", f"damaged copies that check names, or that answer as before, of {count:,}", unharmed, "copies",
                 count, spread=f"{len(workspace.good):,} bytes each: "
                 + counted(checks.counts, checks.described("crashed", "found nothing", "named no place"))),
        at_most("7b", "copies with a damaged page that check does not name", len(missed), "copies", 0,
                spread="; ".join(missed[:4]) or None),
        at_most("7c", "commands that answer something else, or crash", total(answers, wrong), "answers", 0,
                spread=f"{asked}: " + counted(answers.counts, answers.described(*wrong))),
        at_most("7d", "commands that fail and name no page or no table", total(answers, unnamed), "answers", 0,
                spread=answers.described(*unnamed)),
        at_most("7e", "panels that show something else without a word about damage", total(panels, wrong), "panels", 0,
                spread=counted(panels.counts, panels.described(*wrong, *unnamed))),
        at_most("7f", f"damaged bytes of the header, of {HEADER}, that are not named or change an answer",
                HEADER - header.counts["right"], "bytes", 0,
                spread=counted(header.counts, header.described(*header.first))),
        at_least("7g", "commands that answer differently after a change under a fresh checksum (control)", control,
                 "commands", 1),
    ]  # fmt: skip


def answer_all(workspace, copies, answers, panels):
    """Runs every command on copies, each a name and a function that makes it.

    Returns for each copy whether every answer is as before.
    """

    def one(copy, worker):
        content = copy[1]()
        return [verdict_of_command(workspace, content, words, worker) for words in workspace.commands]

    unharmed = []
    for (name, _), found in zip(copies, in_parallel(one, copies)):
        for words, (verdict, done) in zip(workspace.commands, found):
            cause = None
            if verdict not in ("as before", "named"):
                strange = f"{' '.join(words[:2])}: {strange_line(workspace, words, done)}"
                cause = sentence(done) if done.status else strange
            where = f"{name}, `orrery {' '.join(words)}`, status {done.status}"
            (panels if words[0] == "show" else answers).note(verdict, cause, where)
        unharmed.append(all(verdict == "as before" for verdict, _ in found))
    return unharmed


def root_pages(workspace):
    """Copies for `answer_all`, one for each table and index, with one damaged byte on its first page."""
    with sqlite3.connect(f"file:{workspace.file}?mode=ro", uri=True) as database:
        roots = database.execute("SELECT type, name, rootpage FROM sqlite_schema WHERE rootpage > 0").fetchall()
    database.close()

    def made(number):
        content = bytearray(workspace.good)
        content[number * workspace.page - workspace.page // 2] ^= 0x5A
        return bytes(content)

    return [
        (f"{kind} {name}, page {number}", functools.partial(made, number)) for kind, name, number in sorted(set(roots))
    ]


def total(verdicts, names):
    return sum(verdicts.counts[name] for name in names)


def header_verdicts(workspace):
    """Each byte of the header with one bit flipped: check and a list of traces."""
    verdicts, listed = Verdicts(), next(words for words in workspace.commands if words[:2] == ("trace", "list"))

    def one(place, worker):
        content = bytearray(workspace.good)
        content[place] ^= 1 << place % 8
        content = bytes(content)
        checked, _, done = verdict_of_check(workspace, content, [place], worker)
        verdict, answer = verdict_of_command(workspace, content, listed, worker)
        if checked == "found nothing" and verdict == "as before":
            return "right", done
        if checked != "named":
            return f"check {checked}", done
        return ("right" if verdict in ("as before", "named") else f"list: {verdict}"), answer

    for place, (verdict, done) in enumerate(in_parallel(one, range(HEADER))):
        verdicts.note(verdict, verdict != "right" and sentence(done), f"byte {place}")
    return verdicts


def counted(counts, cases):
    return ", ".join(f"{count:,} {what}" for what, count in counts.most_common()) + (f"; {cases}" if cases else "")
