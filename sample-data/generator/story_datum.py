"""A research agent with two sub-agents and a retrieval: why does an old tide record lie 26 cm lower than the new one?

One sub-agent reads the notes, the other looks for the step in the figures; both work at the same time. The lead agent
searches the archive once before and once after, and notices that two sources disagree by a factor of ten.
"""

import json

from .claude_code import Call, Thread, delegate
from .ids import Chance, moment
from .tools import bash, glob, grep, todo

SESSION = "ca11ab1e-5e4d-4f0a-8c11-90d2b7a6135f"
ROOT = "/home/mara/salgueira"
PROJECT = {"cwd": ROOT, "branch": "main", "version": "2.1.62", "slug": "quiet-harbour-ledger"}

MOVE = """# Moving the gauge, May 1965

The stilling well at the customs quay was silted up to 0.4 m and the float stuck at low water. On 11 May 1965 the gauge
was taken to the lifeboat slip, 310 m to the south-west. Levelling between the two sites was done on 12 May by the
harbour office (J. Teles), from mark CQ-2 to mark LS-1.

The zero of the staff at the customs quay was the *old harbour zero*, cut in 1931. At the lifeboat slip the staff was
set to *chart datum* at the request of the survey. The difference is in the letter of 20 May 1965.
"""
INSPECTION = """# Inspection, 3 October 1978

Staff at the lifeboat slip found 4 mm low against LS-1, within tolerance, not adjusted. Paper drum replaced.
Office copy says: "difference old harbour zero to chart datum 2.61 cm, applied to the printed tables from 1966".
Nobody present could say where that figure comes from.
"""
LETTER = (
    "Harbour office to the survey, 20 May 1965. Levelling of 12 May, forward and back, closing error 3 mm: the old harbour "
    "zero lies 0.261 m above chart datum. Readings at the customs quay therefore have to be increased by 0.261 m to be "
    "comparable with readings at the lifeboat slip."
)
DATA_HEAD = """month,mean_m,days,site
1954-01,1.748,31,customs quay
1954-02,1.771,28,customs quay
1954-03,1.733,31,customs quay
1954-04,1.722,30,customs quay"""
STEP_SCRIPT = """python - <<'EOF'
import csv
from statistics import mean
rows = [(r["month"], float(r["mean_m"]), int(r["days"])) for r in csv.DictReader(open("data/monthly.csv"))]
# seasonal cycle: mean of each calendar month, then residuals
season = {m: mean(v for month, v, d in rows if month[5:] == m) for m in {month[5:] for month, _, _ in rows}}
residual = [(month, v - season[month[5:]]) for month, v, d in rows if d >= 20]
best = max(range(24, len(residual) - 24),
           key=lambda i: abs(mean(r for _, r in residual[:i]) - mean(r for _, r in residual[i:])))
before, after = [r for _, r in residual[:best]], [r for _, r in residual[best:]]
print(len(residual), "months; step before", residual[best][0])
print(f"{mean(before):+.4f} {mean(after):+.4f} difference {mean(after) - mean(before):+.4f} m")
EOF"""
WINDOW_SCRIPT = """python - <<'EOF'
import csv
from statistics import mean, stdev
rows = [(r["month"], float(r["mean_m"])) for r in csv.DictReader(open("data/monthly.csv")) if int(r["days"]) >= 20]
at = next(i for i, (month, _) in enumerate(rows) if month >= "1965-06")
for years in (2, 3, 5):
    n = 12 * years
    before, after = [v for _, v in rows[at - n:at]], [v for _, v in rows[at:at + n]]
    error = (stdev(before) ** 2 / n + stdev(after) ** 2 / n) ** 0.5
    print(f"{years} years each side: {mean(after) - mean(before):+.3f} +- {error:.3f} m")
EOF"""


def search(query, found):
    """A retrieval by way of an MCP server: what it returns is a list of passages with scores."""
    text = json.dumps([{"id": i, "score": s, "text": t} for i, s, t in found], ensure_ascii=False, indent=1)
    content = [{"type": "text", "text": text}]
    return Call("mcp__archive__search", {"query": query, "k": len(found)}, content, content, pause=0.42)


def read(path, content):
    lines = content.splitlines()
    shown = "\n".join(f"{n:6}→{line}" for n, line in enumerate(lines, 1))
    raw = {
        "type": "text",
        "file": {
            "filePath": f"{ROOT}/{path}",
            "content": content,
            "numLines": len(lines),
            "startLine": 1,
            "totalLines": len(lines),
        },
    }
    return Call("Read", {"file_path": f"{ROOT}/{path}"}, shown, raw, pause=0.03)


def read_notes(t):
    """The sub-agent that reads: what happened to the gauge, and what do the papers say of its zero?"""
    t.answer(
        text="I'll list the notes first.",
        calls=[
            glob(
                "notes/**/*.md",
                [
                    f"{ROOT}/notes/{name}.md"
                    for name in (
                        "1954-opening",
                        "1959-storm-surge",
                        "1965-gauge-move",
                        "1971-drum",
                        "1978-inspection",
                        "1983-closing",
                    )
                ],
            ),
            grep(
                "zero|datum|level",
                [
                    "notes/1954-opening.md:9:Staff zero is the old harbour zero of 1931.",
                    "notes/1965-gauge-move.md:7:The zero of the staff at the customs quay was the *old "
                    "harbour zero*, cut in 1931. At the lifeboat slip the staff was",
                    'notes/1978-inspection.md:4:Office copy says: "difference old harbour zero to '
                    'chart datum 2.61 cm, applied to the printed tables from 1966".',
                    "notes/1983-closing.md:3:Staff at LS-1 read to chart datum until the last day.",
                ],
                "notes",
            ),
        ],
    )
    t.answer(calls=[read("notes/1965-gauge-move.md", MOVE), read("notes/1978-inspection.md", INSPECTION)])
    t.answer(
        think="The letter of 20 May 1965 is quoted but is not among the notes. Perhaps under letters/.",
        text="The note of 1965 points to a letter. I look for it.",
        calls=[
            Call(
                "Read",
                {"file_path": f"{ROOT}/letters/1965-05-20.md"},
                "File does not exist. Current working directory: " + ROOT,
                error=True,
                pause=0.01,
            ),
            glob("letters/**", [f"{ROOT}/letters/README.txt", f"{ROOT}/letters/box-3.index.csv"]),
        ],
    )
    t.answer(
        calls=[
            read(
                "letters/README.txt",
                "The letters are scans. Their text is only in the archive's search index; ask "
                "there, box and date are part of each passage.\n",
            )
        ]
    )
    t.answer(text=REPORT_NOTES)
    return REPORT_NOTES


REPORT_NOTES = """**What the notes say**

- Until 11 May 1965 the gauge stood at the customs quay; its staff zero was the *old harbour zero* of 1931 \
(`notes/1954-opening.md:9`, `notes/1965-gauge-move.md:7`).
- From 12 May 1965 it stood at the lifeboat slip, set to *chart datum*. So there was a change of datum, not only of place.
- The size of the change is in a letter of 20 May 1965, which is not in this folder: letters are scans, found only with the \
archive's search.
- A later office copy (`notes/1978-inspection.md:4`) gives **2.61 cm**. It is second hand, and its author did not know the source."""


def find_step(t):
    """The sub-agent that calculates: is there a step in the monthly means, when, and how large?"""
    t.answer(
        text="First the shape of the data.",
        calls=[
            bash(
                "ls -l data && head -5 data/monthly.csv && wc -l data/monthly.csv",
                "Look at the data",
                f"total 16\n-rw-r--r-- 1 mara mara 11262 Sep 30 17:20 monthly.csv\n{DATA_HEAD}\n361 data/monthly.csv",
                pause=0.1,
            )
        ],
    )
    t.answer(
        text="360 months. I look for the date at which a single step explains most.",
        calls=[
            bash(
                STEP_SCRIPT.replace("import csv\n", "import csv, pandas\n"),
                "Look for a step",
                'Traceback (most recent call last):\n  File "<stdin>", line 1, in <module>\nModuleNotFoundError: No '
                "module named 'pandas'",
                1,
                0.2,
            )
        ],
    )
    t.answer(
        text="No pandas here, and none is needed.",
        calls=[
            bash(
                STEP_SCRIPT,
                "Look for a step",
                "352 months; step before 1965-06\n-0.1772 +0.1090 difference +0.2862 m",
                pause=0.3,
            )
        ],
    )
    t.answer(
        think="0.2862 contains the trend: the means of 11 years before and 18 years after differ by the rise between their "
        "centres, about 15 years. Narrow windows on both sides remove most of it.",
        text="The long means also contain the rise of the sea. Short windows on both sides of June 1965 separate the two.",
        calls=[
            bash(
                WINDOW_SCRIPT,
                "Step with short windows",
                "2 years each side: +0.262 +- 0.014 m\n3 years each side: +0.265 +- 0.011 m\n"
                "5 years each side: +0.269 +- 0.008 m",
                pause=0.3,
            )
        ],
    )
    t.answer(text=REPORT_STEP)
    return REPORT_STEP


REPORT_STEP = """**What the figures say**

- 352 usable months (8 have fewer than 20 days). One step explains most: between May and June 1965.
- Its size, with short windows so that the rise of the sea stays out: +0.262 ± 0.014 m (2 years each side), +0.265 ± 0.011 m \
(3 years), +0.269 ± 0.008 m (5 years, already with some 8 mm of rise in it).
- A step of 2.6 **centimetres** would not be visible in these data; the one that is there is ten times as large."""

ANSWER = """**Why the old record lies lower.** Not the sea, the staff: until 11 May 1965 levels at Salgueira were read against the old \
harbour zero of 1931, from then on against chart datum, which lies 0.261 m below it.

| source | figure | weight |
|---|---|---|
| letter of 20 May 1965, levelling with closing error 3 mm | 0.261 m | first hand |
| step in the monthly means, 3 years each side | 0.265 ± 0.011 m | independent |
| office copy of 1978 | 2.61 cm | second hand, a slip of the decimal point |

**So:** add 0.261 m to all readings before 11 May 1965. After that the record has no step left, and the rise over 1954-1983 \
falls from 14.0 to 1.7 mm a year, as at the neighbouring stations.

**Not certain:** the printed tables from 1966 on say that "2.61 cm" was applied. If it was really 2.61 cm, those tables are \
23.5 cm too low for dates computed from the old readings. Somebody should compare one page with the original."""


def files():
    """The files of this story: (path below the traces, content)."""
    chance = Chance(20261015)
    t = Thread(
        chance,
        SESSION,
        moment("2026-10-15T13:05:44"),
        "claude-opus-4-5-20251101",
        PROJECT,
        unlogged=21_930,
        warm=16_480,
    )
    begin = t.now
    t.snapshot()
    t.hook("SessionStart", "startup", ".claude/hooks/notify.sh start")
    t.user(
        "The monthly mean levels at Salgueira before 1965 lie about a quarter of a metre lower than those after. Is that the "
        "sea or the gauge? Find out what happened, how large the correction is, and how sure we can be. Sources please.",
        thinkingMetadata={"maxThinkingTokens": 31999},
        todos=[],
        permissionMode="default",
    )
    t.answer(
        think="Two independent lines: papers (what was done to the gauge) and figures (when and how large is the step). They "
        "should not know of each other's result. First one search to see whether the archive knows anything at all.",
        text="Two lines of evidence, independent of each other: the papers and the figures. First a look at what the archive "
        "has.",
        calls=[
            search(
                "Salgueira tide gauge moved 1965 datum",
                [
                    ("notes/1965-gauge-move#1", 0.81, MOVE.split("\n\n")[1].replace("\n", " ")),
                    ("notes/1983-closing#1", 0.64, "Staff at LS-1 read to chart datum until the last day."),
                    (
                        "ledger/1965-05#4",
                        0.52,
                        "11 May: carriage of float, well cover and clock to the lifeboat slip, two men, one day.",
                    ),
                ],
            ),
            todo(
                ("Papers: what happened to the gauge", "in_progress", "Reading the papers"),
                ("Figures: when and how large is the step", "in_progress", "Looking for the step"),
                ("Weigh the sources", "pending", "Weighing the sources"),
            ),
        ],
    )
    notes, note_threads = delegate(
        t,
        "Read the station notes",
        "Read the notes of the Salgueira tide gauge under notes/ (and letters/ if there is anything). "
        "What was done to the gauge around 1965, which zero was its staff set to before and after, and is the difference "
        "given anywhere? Quote file and line. Do not look at data/: somebody else does, and your answers must be independent.",
        "Explore",
        "claude-haiku-4-5-20251001",
        9_870,
        read_notes,
        0.3,
    )
    figures, figure_threads = delegate(
        t,
        "Find the step in the data",
        "data/monthly.csv has monthly mean levels 1954-1983. Is there a step, in which month, and how "
        "large is it with its uncertainty? Keep the long-term rise out of the figure. Do not read notes/: somebody else does, "
        "and your answers must be independent.",
        "general-purpose",
        "claude-haiku-4-5-20251001",
        12_410,
        find_step,
        0.4,
    )
    t.answer(text="I give the two lines to two agents that do not see each other's work.", calls=[notes, figures])
    t.answer(
        think="Notes: change of datum, 2.61 cm second hand. Figures: 0.265 +- 0.011 m. A factor of ten apart: the office copy "
        "must have lost a decimal place, but that is a guess until the letter itself is found.",
        text="The step is there, in the month of the move, and ten times what the office copy of 1978 says. Before I call that a "
        "slip I want the letter itself.",
        calls=[
            search(
                "letter 20 May 1965 harbour office levelling CQ-2 LS-1 old harbour zero chart datum difference",
                [
                    ("letters/box-3/1965-05-20#1", 0.93, LETTER),
                    (
                        "letters/box-3/1965-06-02#1",
                        0.71,
                        "Survey to harbour office, 2 June 1965. Received with thanks; 0.261 m will be "
                        "applied to the manuscript tables from January 1966.",
                    ),
                    ("notes/1978-inspection#1", 0.58, INSPECTION.split("\n\n")[1].replace("\n", " ").strip()),
                    ("notes/1965-gauge-move#2", 0.55, MOVE.split("\n\n")[2].replace("\n", " ").strip()),
                ],
            )
        ],
    )
    check = (
        "python - <<'EOF'\nimport csv\nfrom statistics import linear_regression\nrows = [(r['month'], float(r['mean_m'])) for r "
        "in csv.DictReader(open('data/monthly.csv')) if int(r['days']) >= 20]\nyears = [int(m[:4]) + (int(m[5:]) - 0.5) / 12 for "
        "m, _ in rows]\nfor shift in (0, 0.0261, 0.261):\n    levels = [v + (shift if m < '1965-05' else 0) for m, v in rows]\n"
        "    print(shift, f'{1000 * linear_regression(years, levels).slope:.1f} mm a year')\nEOF"
    )
    t.answer(
        text="First hand: 0.261 m, levelled forward and back. Last check: which correction leaves a sensible trend?",
        calls=[
            bash(
                check,
                "Trend with each correction",
                "0 14.0 mm a year\n0.0261 12.8 mm a year\n0.261 1.7 mm a year",
                pause=0.3,
            ),
            todo(
                ("Papers: what happened to the gauge", "completed", "Reading the papers"),
                ("Figures: when and how large is the step", "completed", "Looking for the step"),
                ("Weigh the sources", "in_progress", "Weighing the sources"),
            ),
        ],
    )
    t.answer(text=ANSWER)
    t.turn_ends(begin)
    folder = "claude-code/projects/-home-mara-salgueira"
    t.lines.insert(0, {"type": "summary", "summary": "The quarter of a metre at Salgueira", "leafUuid": chance.uuid()})
    yield f"{folder}/{SESSION}.jsonl", t.text()
    for inner in note_threads + figure_threads:
        yield f"{folder}/{SESSION}/subagents/agent-{inner.agent}.jsonl", inner.text()
