"""The Jinja environment of transformers, with a clock that stands still. The generators beside this file use it."""

import datetime
import importlib.util
import pathlib

import jinja2
from transformers.utils import chat_template_utils

NOW = datetime.datetime(2024, 7, 6, 9, 5, 3)


def compiled(source):
    """A template as transformers compiles it."""
    template = chat_template_utils._cached_compile_jinja_template.__wrapped__(source) if hasattr(
        chat_template_utils._cached_compile_jinja_template, "__wrapped__"
    ) else chat_template_utils._cached_compile_jinja_template(source)
    template.environment.globals["strftime_now"] = lambda format: NOW.strftime(format)
    return template


def outcome(source, variables):
    """("text", output), ("refused", message) or ("error", "")."""
    try:
        return "text", compiled(source).render(**variables)
    except jinja2.exceptions.TemplateError as error:
        if type(error) is jinja2.exceptions.TemplateError:
            return "refused", str(error)
        return "error", type(error).__name__
    except Exception as error:
        return "error", type(error).__name__


def fnv(text):
    """FNV-1a, 64 bits, of a text's UTF-8."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return format(value, "016x")
