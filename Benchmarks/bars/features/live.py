"""Bar 7: watching a model while it writes, running it again from a token, the grid of 1,024 heads at 8,000 tokens."""

from figures import at_most, attempt
from features import MINI, answer


def run(program):
    return attempt("7a", "live views", lambda: watched(program))


def watched(program):
    tokens = 128 if program.quick else 256
    said = answer(program.bench, "attention", "live", MINI, "--tokens", tokens)
    return [
        at_most("7a", "a token, everything watched and shown, 95 of 100", said["watched_milliseconds_p95"], "ms", 50,
                spread=f"median {said['watched_milliseconds']:.2f} ms, unwatched {said['plain_milliseconds']:.2f} ms"),
        at_most("7b", "again from a token, against the tokens that remain", said["rerun_ratio"], "", 1.2,
                spread=f"{said['rerun_seconds'] * 1000:.1f} ms, the rest alone {said['rest_seconds'] * 1000:.1f} ms"),
        at_most("7c", "all 32 x 32 heads at 8,000 tokens, 16 x 32 cells each", said["grid_milliseconds"], "ms", 100,
                spread=said["grid_note"]),
        at_most("7d", "the same in 125 x 125 cells each", said["grid_fine_milliseconds"], "ms", 100,
                spread=said["grid_fine_note"]),
    ]  # fmt: skip
