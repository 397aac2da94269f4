"""Two recorded runs of one task, before and after a change of the prompt, whose effect is planted and so is known.

Overall the second run is half a point better; where a question holds a negation it is twenty-six points worse, since its
agent no longer searches for the little word "not". Five samples of it ran out of time.
"""

import hashlib
import json
import random

from recorded_figures import metric
from recorded_world import STAFF, questions, sections

SYSTEM = {
    "desk@3": "You answer questions at the desk of an observatory. Search the papers first. Read the whole sentence "
              "that you quote, and mind what it forbids. End with a line: Answer: ...",
    "desk@4": "You answer questions at the desk of an observatory. Search the papers with few keywords. Be brief. "
              "End with a line: Answer: ...",
}
# Which samples were right before, of each kind; then how many of the others became right, and of the right ones wrong.
RIGHT = {"plain": 95, "negation": 40, "table": 44, "two documents": 32}
FIXED = {"plain": 10, "negation": 1, "table": 8, "two documents": 7}
BROKEN = {"plain": 4, "negation": 14, "table": 3, "two documents": 3}
# Samples that run out of time afterwards: right before, wrong before.
TIMEOUTS = {"table": (2, 0), "two documents": (2, 1)}
LIMIT = "no answer within 60 s: the model was still reading the staff list"
SCORES = [
    {"name": "exact", "higher_is_better": True, "passes_at": 1.0},
    {"name": "judge", "higher_is_better": True, "passes_at": 4.0},
]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digits(text, count):
    return hashlib.sha256(text.encode()).hexdigest()[:count]


def outcomes(items, rng):
    """For each sample whether it is right before and after; None where it ran out of time."""
    hard = {}
    for item in items:
        hard.setdefault(item["world"]["name"], rng.gauss(0, 0.12))
    before, after = {}, {}
    for kind, right in RIGHT.items():
        order = sorted((hard[i["world"]["name"]] + rng.random(), i["id"]) for i in items if i["kind"] == kind)
        ids = [name for _, name in order]
        for place, name in enumerate(ids):
            before[name] = after[name] = place < right
        good, bad = ids[:right], ids[right:]
        rng.shuffle(good)
        rng.shuffle(bad)
        late_good, late_bad = TIMEOUTS.get(kind, (0, 0))
        for name in good[:late_good] + bad[:late_bad]:
            after[name] = None
        for name in good[late_good:late_good + BROKEN[kind]]:
            after[name] = False
        for name in bad[late_bad:late_bad + FIXED[kind]]:
            after[name] = True
    return before, after


def say(item, said, brief, rng):
    """The words around an answer."""
    w, about = item["world"], item["about"]
    paper = f"§{item['section']} of the paper on {w['name']}"
    if item["language"] == "de":
        first = rng.choice([
            f"Das steht in Abschnitt {item['section']} zu {w['name']}.", f"Laut Unterlagen von {w['name']}: {said}.",
            f"Gefunden in den Unterlagen von {w['name']}."])
    elif brief:
        first = rng.choice([f"See {paper}.", f"{w['name']}: {said}.", f"That is {about}, {paper}."])
    else:
        first = rng.choice([
            f"{paper} gives {about}: {said}.", f"I looked for {about} and found it in {paper}.",
            f"According to {paper} it is {said}.", f"You asked for {about}. The paper on {w['name']} says {said}."])
    return f"{first}\nAnswer: {said}"


def judged(right, item, said, unread, rng):
    """A judge's grade with its reason; of the samples in `unread` it cannot be read."""
    if item["id"] in unread:
        reply = rng.choice([
            "The answer is in the spirit of the paper, though I would have liked the section.",
            "Grade: somewhere between good and very good.", "I cannot grade this without the paper itself."])
        return {"name": "judge", "explanation": reply, "problem": "the reply holds no grade from 1 to 5"}
    if right:
        grade = rng.choices([5, 4, 3], [70, 24, 6])[0]
        why = {5: f"It names {said}, as the reference does, and says where it stands.",
               4: f"Correct ({said}), but the source is told loosely.",
               3: "Correct in substance; the reader has to search for the answer."}[grade]
    else:
        grade = rng.choices([1, 2, 3, 4], [44, 38, 14, 4])[0]
        forbids = item["kind"] == "negation"
        why = {1: f"It says {said}, which is " + ("what is allowed, not what was asked." if forbids else "wrong."),
               2: f"{said} stands in the paper, but as something else than {item['about']}.",
               3: "It is about the right paper and leaves open what was asked.",
               4: f"A plausible answer, told clearly; I take {said} for right."}[grade]
    return {"name": "judge", "value": float(grade), "label": str(grade), "explanation": why}


def conversation(item, right, run, broken_tool, rng):
    """Messages of the agent with its two tools, and what each step took."""
    w, brief = item["world"], run["prompt"] == "desk@4"
    parts = sections(w)
    messages = [{"role": "system", "text": SYSTEM[run["prompt"]]}, {"role": "user", "text": item["question"]}]
    steps = []

    def model():
        steps.append({"kind": "model", "name": run["model"], "seconds": round(rng.lognormvariate(-0.45, 0.35), 3)})

    def tool(name, arguments, content, failed=False):
        model()
        call = f"call_{len(steps)}"
        messages.append({"role": "assistant", "parts": [
            {"type": "tool_call", "id": call, "name": name, "arguments": compact(arguments)}]})
        result = {"type": "tool_result", "id": call, "content": content}
        step = {"kind": "tool", "name": name, "seconds": round(rng.uniform(0.004, 0.05), 3)}
        if failed:
            result["is_error"], step["problem"] = True, content
        messages.append({"role": "tool", "parts": [result]})
        steps.append(step)

    words = [v for v in item["about"].split() if v not in ("the", "of", "to", "in", "its", "what", "it", "is")]
    if item["kind"] == "negation" and not brief:
        words.insert(0, "not")
    query = " ".join([w["name"]] + words)
    if not broken_tool and rng.random() < 0.06:
        tool("read_section", {"paper": w["name"], "section": item["section"]},
             f"no paper is called {w['name']}; the papers on instruments begin with instruments/", True)
    shown = parts[item["section"]]
    if item["kind"] == "negation" and right is False and brief:
        # What forbids is no longer among what was found.
        shown = f"{shown.split('; ')[0]}." if item["section"] == "1" else (
            f"{shown.split('. ')[0]}. … {shown.split('. ')[-1].split(' and not')[0]}.")
    tool("search_papers", {"query": query, "passages": 1}, f"{w['path']} §{item['section']}: {shown}")
    if broken_tool:
        tool("read_section", {"paper": w["path"], "section": item["section"]},
             f"§{item['section']} of {w['path']} is not in the index of keywords:"
             " it was last built without that section",
             True)
    if item["kind"] == "two documents":
        if right is None:
            model()
            steps[-1].update(seconds=60.0, problem=LIMIT)
            return messages, steps, None
        tool("read_section", {"paper": "staff.md", "section": "1"}, STAFF)
    elif right is None:
        model()
        steps[-1].update(seconds=60.0, problem=LIMIT.replace("the staff list", "the table of filters"))
        return messages, steps, None
    model()
    said = item["answer"] if right else rng.choice(item["wrong"])
    text = say(item, said, brief, rng)
    messages.append({"role": "assistant", "text": text})
    return messages, steps, (said, text)


def attribute(key, value):
    if isinstance(value, float):
        return {"key": key, "value": {"doubleValue": value}}
    kind = "intValue" if isinstance(value, int) else "stringValue"
    return {"key": key, "value": {kind: str(value)}}


def told(messages):
    """Messages in the form of OpenTelemetry's conventions."""
    def part(p):
        if p["type"] == "tool_call":
            return {"type": "tool_call", "id": p["id"], "name": p["name"], "arguments": json.loads(p["arguments"])}
        return {"type": "tool_call_response", "id": p["id"], "response": p["content"]}
    return compact([
        {"role": m["role"], "parts": [{"type": "text", "content": m["text"]}] if "text" in m
         else [part(p) for p in m["parts"]]} for m in messages])


def spans(record, run, start):
    """One OTLP document for each step, and one for the sample above them."""
    trace, messages = record["trace"], record["messages"]
    answers = [place for place, m in enumerate(messages) if m["role"] == "assistant"]
    results = {p["id"]: p for m in messages if m["role"] == "tool" for p in m["parts"]}
    documents, time, calls, tools = [], start, 0, []

    def document(number, name, kind, begin, end, problem, attributes):
        span = {"traceId": trace, "spanId": digits(f"{trace} {number}", 16)}
        if number:
            span["parentSpanId"] = digits(f"{trace} 0", 16)
        span.update(name=name, kind=kind, startTimeUnixNano=str(begin), endTimeUnixNano=str(end),
                    attributes=[attribute(k, v) for k, v in attributes if v is not None],
                    status={"code": 2, "message": problem} if problem else {"code": 1})
        documents.append({"resourceSpans": [{
            "resource": {"attributes": [attribute("service.name", "orrery")]}, "scopeSpans": [{"spans": [span]}]}]})

    for number, step in enumerate(record["steps"], 1):
        end = time + int(step["seconds"] * 1000) * 1_000_000
        problem = step.get("problem")
        if step["kind"] == "model":
            place = answers[calls] if calls < len(answers) else len(messages)
            output = messages[place] if place < len(messages) else None
            read = len(told(messages[:place])) // 4
            calls += 1
            tools += [p for p in (output or {}).get("parts", []) if p["type"] == "tool_call"]
            document(number, f"chat {step['name']}", 3, time, end, problem, [
                ("gen_ai.operation.name", "chat"), ("gen_ai.provider.name", "northfold"),
                ("gen_ai.request.model", step["name"]), ("gen_ai.request.temperature", 0.0),
                ("gen_ai.conversation.id", trace), ("gen_ai.input.messages", told(messages[:place])),
                ("gen_ai.output.messages", told([output]) if output else None),
                ("gen_ai.usage.input_tokens", read),
                ("gen_ai.usage.output_tokens", len(told([output])) // 4 if output else None),
                ("error.type", "timeout" if problem else None)])
        elif step["kind"] == "tool":
            call = tools.pop(0)
            document(number, f"execute_tool {step['name']}", 1, time, end, problem, [
                ("gen_ai.operation.name", "execute_tool"), ("gen_ai.tool.name", step["name"]),
                ("gen_ai.tool.call.id", call["id"]), ("gen_ai.tool.call.arguments", call["arguments"]),
                ("gen_ai.tool.call.result", results[call["id"]]["content"])])
        else:
            judge = next(s for s in record["scores"] if s["name"] == "judge")
            document(number, step["name"], 1, time, end, None, [
                ("openinference.span.kind", "EVALUATOR"), ("output.value", judge["explanation"])])
        time = end
    documents_of_steps, documents = documents, []
    document(0, f"{run['task']}: {record['id']}", 1, start, time, record.get("problem"), [
        ("openinference.span.kind", "CHAIN"), ("input.value", record["input"]),
        ("output.value", record.get("answer")), ("orrery.eval.task", run["task"]),
        ("orrery.eval.sample", record["id"]), ("orrery.eval.epoch", 1)])
    return documents + documents_of_steps


def recorded(items, right, run, traced, unread, seed):
    """The samples' lines, and when the last one ended: eight are asked at a time."""
    rng, start, records = random.Random(seed), run["start"], []
    unread = set(rng.sample([i["id"] for i in items if right[i["id"]] is not None], unread))
    for item in items:
        is_right = right[item["id"]]
        messages, steps, answer = conversation(item, is_right, run, item["id"] in traced, rng)
        scores = []
        if answer:
            said, text = answer
            scores = [
                {"name": "exact", "value": float(is_right), "answer": said,
                 "explanation": "equal" if is_right else f"{said} is not {item['answer']}"},
                judged(is_right, item, said, unread, rng)]
            took = round(rng.uniform(0.5, 1.6), 3)
            steps.append({"kind": "evaluator", "name": "judge: desk-judge", "seconds": took})
        read = sum(len(told(messages[:p])) // 4 for p, m in enumerate(messages) if m["role"] == "assistant")
        written = sum(len(told([m])) // 4 for m in messages if m["role"] == "assistant")
        record = {
            "id": item["id"], "epoch": 1,
            "outcome": "error" if is_right is None else "passed" if is_right else "failed",
            "values": [next((s.get("value") for s in scores if s["name"] == k["name"]), None) for k in SCORES],
            "cluster": item["world"]["path"], "slices": [item["kind"], item["language"]],
        }
        failing = next((p for p, s in enumerate(steps) if "problem" in s), None)
        if failing is None:
            failing = max(p for p, s in enumerate(steps) if s["kind"] == "model")
        if is_right is None:
            failing = len(steps) - 1
            record["problem"] = steps[failing]["problem"]
        record.update(
            seconds=round(sum(s["seconds"] for s in steps), 3), tokens=read + written,
            cost=round(read * 0.15e-6 + written * 0.6e-6, 9), input=item["question"])
        if answer:
            record["answer"] = answer[1]
        record.update(targets=[item["answer"]], scores=scores, messages=messages, steps=steps)
        if not is_right:
            record["failing_step"] = failing
        record["metadata"] = {"section": item["section"], "asked for": item["about"]}
        if item["id"] in traced:
            record["trace"] = "e7a1ab1e" + digits(f"{run['name']} {item['id']}", 24)
            record["spans"] = spans(record, run, start)
        start += int(record["seconds"] * 1000) * 1_000_000 // 8
        run["usage"]["tokens_read"] += read
        run["usage"]["tokens_written"] += written
        records.append(record)
    return records, start


def write(folder, name, items, right, prompt, model, begin, traced, unread, seed):
    run = {"name": name, "task": "desk", "prompt": prompt, "model": model, "start": begin,
           "usage": {"tokens_read": 0, "cache_read": 0, "cache_write": 0, "tokens_written": 0, "reasoning": 0}}
    records, end = recorded(items, right, run, traced, unread, seed)
    head = {"orrery_eval": 1, "run": {
        "key": name, "name": name, "task": run["task"], "task_version": "2", "model": model, "format": "orrery",
        "state": "done", "start": begin, "end": end, "total": len(records), "completed": len(records),
        "scores": SCORES, "slices": ["kind", "language"],
        "metrics": [metric(s["name"], place, records) for place, s in enumerate(SCORES)],
        "tokens_read": run["usage"]["tokens_read"], "tokens_written": run["usage"]["tokens_written"],
        "cost": round(sum(r["cost"] for r in records), 9),
        "settings": {"prompt": prompt, "temperature": "0", "search": "keywords, 1 passage", "judge": "desk-judge"}},
        "usage": run["usage"]}
    text = "".join(compact(line) + "\n" for line in [head] + records)
    (folder / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")


def both(folder):
    """Writes before.jsonl and after.jsonl."""
    folder.mkdir(exist_ok=True)
    items = list(questions(random.Random(84)))
    before, after = outcomes(items, random.Random(85))
    broken = [i["id"] for i in items if i["kind"] == "negation" and before[i["id"]] and after[i["id"]] is False]
    write(folder, "before", items, before, "desk@3", "desk-mini", 1_772_438_400_000_000_000, set(), 4, 86)
    write(folder, "after", items, after, "desk@4", "desk-mini", 1_772_524_800_000_000_000, set(broken[:6]), 5, 87)
