"""Bar 5: dictionaries and activations that go both ways: sae-lens, TransformerLens."""

import os

from figures import CouldNotRun, at_most, attempt
from features import answer, done, empty
from models import peer, version


def run(program):
    figures = attempt("5a", "dictionaries in sae-lens", lambda: dictionaries(program))
    return figures + attempt("5c", "hooks in TransformerLens' layout", lambda: hooks(program))


def dictionaries(program):
    """One of each kind is opened by sae-lens, which saves it again; what it saved is opened here."""
    here, back = empty(program, "exchange"), empty(program, "exchange-back")
    done(program.bench, "attention", "dictionaries", here)
    said = peer(program, ("sae_lens", "torch", "safetensors"), "sae_lens_check", here, back)
    if not said["dictionaries"]:
        raise CouldNotRun("sae-lens found no dictionary")
    ours = answer(program.bench, "attention", "dictionaries", back, "--compare")
    return [
        at_most(
            "5a", "reconstruction of the same dictionaries in sae-lens", said["largest_difference"], "", 1e-5,
            spread=f"{said['dictionaries']} kinds: {', '.join(said['by_name'])}", peer=version("sae-lens"),
        ),
        at_most(
            "5b", "features and reconstruction of what sae-lens saved", ours["difference"], "", 1e-5,
            spread=f"{ours['tensors']} tensors, the worst {ours['at']}", peer=version("sae-lens"),
        ),
    ]  # fmt: skip


def hooks(program):
    """A GPT-2 of TransformerLens in the program's runtime: its captured hooks are opened here, and ours there."""
    here = empty(program, "hooks")
    captured, written, model = (os.path.join(here, name) for name in ("theirs.safetensors", "ours.safetensors", "gpt2"))
    packages = ("transformer_lens", "safetensors")
    peer(program, packages, "transformer_lens_check", "capture", captured, model)
    ours = answer(program.bench, "attention", "hooks", model, captured, written)
    theirs = peer(program, packages, "transformer_lens_check", "check", written)
    if not ours["tensors"] or not theirs["hooks"]:
        raise CouldNotRun("no hook is named alike by both")
    return [
        at_most(
            "5c", "hooks that TransformerLens captured, opened here", ours["difference"], "", 1e-4,
            spread=f"{ours['tensors']} hooks, the worst {ours['at']}", peer=version("transformer-lens"),
        ),
        at_most(
            "5d", "hooks that the runtime captured, opened there", theirs["largest_relative"], "", 1e-4,
            spread=f"{theirs['hooks']} hooks, {len(theirs['unknown'])} that it does not have",
            peer=version("transformer-lens"),
        ),
    ]  # fmt: skip
