"""A research agent of an observatory asks two others: why does the dome shutter jam in the cold?

One reads the manuals by retrieval, one queries the night log in SQL (and names a column that does not exist); the lead
agent searches once more itself and answers. Spans carry the gen_ai attributes of OpenTelemetry.
"""

from .gen_ai import Agent, retrieval
from .ids import Chance, moment, seconds
from .otlp import Trace, compact

TRACE = "decade0fca5cade5ba5eba11f005ba11"

LEAD = (
    "You are the duty engineer's assistant at Northfold Observatory. Find the cause of a fault before you name a remedy. Give "
    "the document and section of every figure. If sources disagree, say so and say which you trust. Nobody is to climb the "
    "dome at night on your word alone."
)
MANUALS = (
    "You search the manuals and work orders of Northfold Observatory and quote them. Give document, revision and section. Never "
    "answer from memory."
)
LOGBOOK = (
    "You answer questions about the night log of Northfold Observatory in SQL (SQLite). Table events(night TEXT, at TEXT, "
    "subsystem TEXT, code TEXT, text TEXT); table weather(at TEXT, air REAL, dome_air REAL, wind REAL, humidity REAL). "
    "Report numbers with the query that gave them."
)

SEARCH = {
    "type": "function",
    "name": "search_manuals",
    "description": "Search manuals and work orders by meaning.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "k": {"type": "integer"}},
        "required": ["query"],
    },
}
SQL = {
    "type": "function",
    "name": "query_log",
    "description": "Run one read-only SQL query on the night log.",
    "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]},
}
DELEGATE = {
    "type": "function",
    "name": "delegate",
    "description": "Give a question to another agent and wait for its report.",
    "parameters": {
        "type": "object",
        "properties": {"agent": {"type": "string", "enum": ["manuals", "logbook"]}, "task": {"type": "string"}},
        "required": ["agent", "task"],
    },
}

QUESTION = (
    "The lower leaf of the dome shutter jammed again last night at 02:10, air -6.1. That is the third time this week. The "
    "mechanics want to replace the hinge bolts before winter. Is that the cause, and what do you advise?"
)

PASSAGES = {
    "bolts": (
        "DM-7 rev C §4.2",
        "Hinge bolts, lower leaf (12 × M16, stainless on aluminium). Torque 62 N·m dry. With anti-seize paste "
        "48 N·m. Do not use the figure of the upper leaf: its hinges are steel.",
    ),
    "upper": ("DM-7 rev C §4.1", "Hinge bolts, upper leaf (8 × M16, steel on steel). Torque 90 N·m dry."),
    "cold": (
        "DM-7 rev C §6.3",
        "The hinge of the lower leaf has 0.15 mm of play at 20 °C. Aluminium shrinks more than the stainless "
        "pin: at -10 °C some 0.11 mm remain. An overtightened hinge loses this play first in the cold.",
    ),
    "order": (
        "WO-2291",
        "19 September 2026. Lower leaf: seal replaced, hinge bolts taken out, cleaned, refitted with anti-seize paste "
        "and tightened to 90 N·m as upper leaf. Signed: R. Okafor.",
    ),
    "heater": (
        "DM-7 rev C §8.1",
        "Seal heater: 400 W, on below +2 °C dome air, fused by F7. Prevents the seal from freezing to the rail; "
        "has no influence on the hinges.",
    ),
    "seal": ("WO-2188", "2 March 2026. Upper leaf: limit switch adjusted, runs freely at -9 °C."),
    "replace": (
        "DM-7 rev C §4.4",
        "A hinge bolt that was tightened beyond 110 N·m, or that shows necking, is to be replaced. Otherwise "
        "bolts may be refitted up to five times. Loosen in a cross, a quarter turn each, leaf closed and pinned.",
    ),
}


def passages(*names):
    return [(PASSAGES[name][0], round(0.86 - 0.07 * index, 2), PASSAGES[name][1]) for index, name in enumerate(names)]


def search(agent, text, query, *names, think=None):
    found = passages(*names)
    agent.use(
        text,
        "search_manuals",
        {"query": query, "k": len(found)},
        [{"document": d, "score": s, "text": t} for d, s, t in found],
        think=think,
        inside=lambda span, start: retrieval(agent.trace, span, start, query, "manuals-2026", found),
    )


def read_manuals(agent):
    search(agent, None, "hinge bolts lower leaf torque", "bolts", "upper", "replace")
    search(
        agent,
        "The torque depends on the leaf and on the paste. Now what was done to it last.",
        "work order dome shutter lower leaf hinge bolts 2026",
        "order",
        "seal",
        "bolts",
    )
    search(
        agent,
        None,
        "shutter jams at low temperature play of the hinge",
        "cold",
        "heater",
        "bolts",
        think="Was there anything about cold in the manual? A seal that freezes is the other candidate, so ask for both.",
    )
    agent.chat(
        "The lower leaf's hinge bolts belong at 62 N·m dry or **48 N·m with paste** (DM-7 rev C §4.2). On 19 September they were "
        "refitted with paste at **90 N·m**, the figure of the upper leaf (WO-2291, §4.1). §6.3 says that an overtightened hinge "
        "loses its play first in the cold. Bolts need replacing only beyond 110 N·m or with necking (§4.4). A frozen seal is "
        "possible too: its heater hangs on fuse F7 (§8.1)."
    )
    agent.done()


def query_log(agent):
    agent.use(
        None,
        "query_log",
        {
            "sql": "SELECT night, at, text, temperature FROM events WHERE subsystem = 'dome' AND code = 'SHUTTER_JAM' "
            "ORDER BY at"
        },
        "error: no such column: temperature",
        0.01,
        ("sqlite3.OperationalError", "no such column: temperature"),
    )
    agent.use(
        "Temperatures are in the other table; I join by the hour.",
        "query_log",
        {
            "sql": "SELECT e.night, e.at, round(w.dome_air, 1) AS air FROM events e JOIN weather w ON substr(w.at, 1, 13) = "
            "substr(e.at, 1, 13) WHERE e.code = 'SHUTTER_JAM' ORDER BY e.at"
        },
        {
            "columns": ["night", "at", "air"],
            "rows": [
                ["2026-09-24", "2026-09-25T03:41", -4.6],
                ["2026-10-02", "2026-10-03T01:12", -5.2],
                ["2026-10-03", "2026-10-04T04:50", -5.9],
                ["2026-10-09", "2026-10-10T00:33", -4.8],
                ["2026-10-16", "2026-10-17T02:57", -5.5],
                ["2026-10-18", "2026-10-19T03:20", -6.4],
                ["2026-10-20", "2026-10-21T02:10", -6.1],
            ],
        },
        0.03,
    )
    agent.use(
        "All after 19 September and all below -4.5. The question is whether it was as cold before that without a jam.",
        "query_log",
        {
            "sql": "SELECT night < '2026-09-19' AS before, count(DISTINCT night) AS cold_nights, sum(jam) AS jams FROM (SELECT "
            "substr(w.at, 1, 10) AS night, EXISTS (SELECT 1 FROM events e WHERE e.code = 'SHUTTER_JAM' AND substr(e.at, 1, 10) = "
            "substr(w.at, 1, 10)) AS jam FROM weather w WHERE w.at >= '2026-02-01' GROUP BY 1 HAVING min(w.dome_air) < -4.5) GROUP BY 1"
        },
        {"columns": ["before", "cold_nights", "jams"], "rows": [[1, 23, 0], [0, 9, 7]]},
        0.11,
    )
    agent.use(
        None,
        "query_log",
        {
            "sql": "SELECT count(*) AS openings, sum(text LIKE '%heater off%') AS heater_off FROM events WHERE code = "
            "'SHUTTER_JAM' OR (code = 'SEAL_HEATER' AND at > '2026-09-19')"
        },
        {"columns": ["openings", "heater_off"], "rows": [[48, 0]]},
        0.02,
        think="If the seal froze, the heater would have been off. Check that before I report.",
    )
    agent.chat(
        "Seven jams, all after 19 September, all at dome air of -4.6 °C or below. Before that date there were 23 nights just as cold "
        "and no jam; after it 9 such nights and 7 jams. The seal heater was never reported off."
    )
    agent.done()


def files():
    """The files of this story: (path below the traces, content)."""
    chance = Chance(20261021)
    trace = Trace(chance, TRACE, "northfold-duty-engineer", "opentelemetry.instrumentation.openai_agents", "0.9.1")
    lead = Agent(
        trace,
        None,
        "duty-engineer",
        "Finds causes of faults and advises the engineer on duty.",
        "gpt-4.1",
        LEAD,
        [DELEGATE, SEARCH],
        moment("2026-10-21T06:58:12"),
    )
    lead.ask(QUESTION)
    tasks = [
        (
            "manuals",
            "Lower leaf of the dome shutter: which torque do the hinge bolts need, what was done to them last, and what does "
            "the manual say about jamming in the cold?",
        ),
        (
            "logbook",
            "List the jams of the dome shutter since February with dome air temperature. Is there a date or a temperature at "
            "which they begin? Compare with equally cold nights without a jam.",
        ),
    ]
    calls = lead.chat(
        "Before anybody replaces bolts I want to know since when and in which cold it jams, and what was done to the hinge. "
        "I ask for both at the same time.",
        [("delegate", {"agent": a, "task": t}) for a, t in tasks],
    )
    ends = []
    for call, (name, task), (model, prompt, tools, story) in zip(
        calls, tasks, (("gpt-4.1-mini", MANUALS, [SEARCH], read_manuals), ("gpt-4.1-mini", LOGBOOK, [SQL], query_log))
    ):
        # The report is known when the agent has run, so the span of the tool that waited for it is written afterwards.
        identity, start = trace.identity(), lead.now
        agent = Agent(trace, identity, name, f"Answers from the {name}.", model, prompt, tools, start + seconds(0.02))
        agent.ask(task)
        story(agent)
        end = agent.now + seconds(0.01)
        trace.span(
            identity,
            lead.id,
            "execute_tool delegate",
            start,
            end,
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "delegate",
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.id": call,
                "gen_ai.tool.call.arguments": compact({"agent": name, "task": task}),
                "gen_ai.tool.call.result": agent.answer,
            },
        )
        lead.messages.append(
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": call, "response": agent.answer}]}
        )
        ends.append(end)
    lead.now = max(ends)
    search(
        lead,
        "The two reports fit: since the day of the work order, only in the cold, heater on. What remains is whether 90 N·m has "
        "harmed the bolts, and how to loosen them safely.",
        "replace hinge bolts after overtightening necking loosen procedure",
        "replace",
        "bolts",
        "order",
        think="90 is below the 110 N·m at which bolts must go. Look at the procedure once more before I "
        "advise against new ones.",
    )
    lead.chat(
        "**Cause:** the hinge is too tight, not the bolts too old. On 19 September the lower leaf's bolts were refitted with paste at "
        "90 N·m, the figure of the upper leaf (WO-2291). With paste they need 48 N·m (DM-7 rev C §4.2). The play of the hinge then "
        "vanishes in the cold (§6.3).\n\n**Evidence:** 23 nights below -4.5 °C before that day: no jam. Nine after it: seven jams. The "
        "seal heater was on, so a frozen seal is unlikely.\n\n**Advice:** by daylight, leaf closed and pinned, loosen in a cross and "
        "tighten to 48 N·m. New bolts are not needed at 90 N·m (limit 110, §4.4) unless one shows necking: look at each.\n\n**Until "
        "then:** do not open the lower leaf below -4 °C.\n\nNot checked: whether the other dome was serviced with the same figure."
    )
    lead.done()
    yield "otlp/dome-shutter.json", trace.object()
