"""A walk through every page of the sample workspace, each in a few states that show something."""

import glob
import os
import shutil
import subprocess

from program import ROOT, CouldNotRun, last_line

SIZES = [(80, 24), (120, 40), (200, 60)]
# 256 colors with and without a terminal that erases in the background's color, eight colors, and a console.
TERMS = ["xterm-256color", "screen-256color", "tmux-256color", "xterm", "linux"]
# The last one is a user's own, with 24-bit colors.
THEMES = ["dark", "light", "high-contrast", "mono", "dusk"]

# Page, keys, and a text that the screen shows when they have done their work. A name of data is better than a word of
# the interface, which may be chosen anew.
VIEWS = [
    ("traces", "1/duty-engineer\r", "duty-engineer"),
    ("traces", "\r", "duty-engineer"),
    ("traces", "]e", "error"),
    ("traces", "z", "error"),
    ("traces", "z?", "Keys of"),
    ("tokens", "2", "Why do the"),
    ("tokens", "\r]]]", "Token"),
    ("kernels", "4", "gemm-f32"),
    ("kernels", "\r", "gemm-f32"),
    ("training", "gn", "orrery-mini"),
    ("training", "\rL", "orrery-mini"),
    ("retrieval", "3", "in the context"),
    ("retrieval", "/how is the encoder tape cleaned?\r", "TM-2.md"),
    ("attention", "ga", "Zilupha"),
    ("attention", "\r", "1 cell ="),
    ("attention", "\t\tjjjj", "1 cell ="),
    ("attention", "]", "1 cell ="),
    ("features", "gf", "orrery-mini-features"),
    ("features", "pStory: Mira had a lamp. The lamp was old. Mira had a\r", "Mira"),
    ("evals", "5", "desk-mini"),
    ("evals", "G k d", "broken"),
    ("evals", "\x10", "type to filter"),
]


def prepare(program):
    """Makes a home with the sample workspace, an answer with its tokens, a profile, and a theme.

    Returns a copy of it for `restore`: what one walk leaves must not change where the next one begins.
    """
    program.fresh_home()
    themes = os.path.join(program.home, "config", "orrery", "themes")
    os.makedirs(themes)
    shutil.copy(os.path.join(ROOT, "themes", "dusk.toml"), themes)
    data = os.path.join(ROOT, "sample-data")
    for words in (
        ["show", "traces"],  # a new workspace is filled with the samples
        ["model", "add", os.path.join(data, "models", "wanderer")],
        ["model", "generate", "wanderer", "--prompt", "Why do the planets", "--seed", "8", "--max-tokens", "60", "--keep"],
        ["kernel", "import", *sorted(glob.glob(os.path.join(data, "profiles", "*.csv")))],
    ):
        done = program.run(*words)
        if done.status != 0:
            raise CouldNotRun(f"orrery {' '.join(words[:2])} ended with {done.status}: {last_line(done.errors)}")
    copy = program.home + "-prepared"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(program.home, copy)
    return copy


def restore(program, copy):
    shutil.rmtree(program.home, ignore_errors=True)
    shutil.copytree(copy, program.home)


def direct_color(folder):
    """Compiles a description of a terminal that takes red, green, and blue, which is not part of ncurses-base.

    Returns the folder for TERMINFO.
    """
    made = os.path.join(folder, "terminfo")
    colors = (
        "%?%p1%{8}%<%t{}%p1%d%e{}8:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m".replace("{}", digit)
        for digit in "34"
    )
    text = "xterm-direct|xterm with 24 bits,\n\tRGB, colors#0x1000000, pairs#0x7FFF,\n"
    text += "".join(f"\t{name}=\\E[{color},\n" for name, color in zip(("setaf", "setab"), colors))
    text += "\tuse=xterm-256color,\n"
    subprocess.run(["tic", "-x", "-o", made, "-"], input=text.encode(), check=True, capture_output=True)
    return made
