"""Manuals in Markdown: a section a heading, numbered, so that `DM-7 §4.2` is a place."""

from .world import MANUALS, OLDER


def text(code, revision, title, what, sections):
    lines = [f"# {code} rev {revision}: {title}", "", f"This manual is about {what} of Northfold Observatory.", ""]
    for number, (heading, sentences) in enumerate(sections, 1):
        lines += [f"## {number} {heading}", ""]
        for part, sentence in enumerate(sentences, 1):
            lines += [f"§{number}.{part} {sentence}", ""]
    return "\n".join(lines)


def files(_):
    for code, revision, title, what, _system, sections in MANUALS:
        whole = text(code, revision, title, what, sections)
        yield f"manuals/{code}.md", whole
        for (other, older), changes in OLDER.items():
            if other == code:
                old = whole.replace(f"rev {revision}", f"rev {older}", 1)
                for now, before in changes:
                    assert now in old, (code, now)
                    old = old.replace(now, before)
                yield f"manuals/old/{code}-rev-{older}.md", old
