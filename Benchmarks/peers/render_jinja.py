"""Renders conversations with Jinja itself, in the settings that Hugging Face's transformers use for chat templates.

    python render_jinja.py TEMPLATE.jinja CONVERSATIONS.jsonl

Prints a list with, for each conversation, {"text"}, {"refused"} where the template raises an exception of its own, or
{"error"} where rendering fails otherwise. The clock stands at 2024-07-06 09:05:03.
"""

import datetime
import json
import sys

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime.datetime(2024, 7, 6, 9, 5, 3)


class Generation(Extension):
    """Marks what the model wrote; the text stays as it is."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.Scope(body).set_lineno(line)


def refuse(message):
    raise jinja2.exceptions.TemplateError(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def compiled(source):
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = NOW.strftime
    return environment.from_string(source)


def outcome(template, variables):
    try:
        return {"text": template.render(**variables)}
    except jinja2.exceptions.TemplateError as error:
        return {"refused": str(error)} if type(error) is jinja2.exceptions.TemplateError else {"error": str(error)}
    except Exception as error:  # whatever Python raises where a value is of the wrong kind
        return {"error": f"{type(error).__name__}: {error}"}


with open(sys.argv[1], encoding="utf-8") as source:
    template = compiled(source.read())
with open(sys.argv[2], encoding="utf-8") as conversations:
    print(json.dumps([outcome(template, json.loads(line)) for line in conversations]))
