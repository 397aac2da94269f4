#!/usr/bin/env python3
"""Write the sample traces, the same bytes on every run.

usage: generate.py [FOLDER]           (default: the folder `traces` beside this file)

The stories are in generator/story_*.py, the formats in generator/claude_code.py, otlp.py, gen_ai.py and
openinference.py. Only the standard library is used; ids and small delays come from a seeded generator.
"""

import os
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from generator import story_datum, story_dome, story_loop, story_midnight, story_signs  # noqa: E402

STORIES = (story_midnight, story_datum, story_dome, story_loop, story_signs)


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "traces")
    if os.path.isdir(target):
        shutil.rmtree(target)
    for story in STORIES:
        for path, content in story.files():
            whole = os.path.join(target, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "w", encoding="utf-8", newline="\n") as file:
                file.write(content)
            print(f"{len(content.encode()):8}  {path}")


if __name__ == "__main__":
    main()
