"""Compares logits: the largest difference, and where the likeliest token is another although the two likeliest lie
apart.

    python compare_logits.py APART OURS.npy=REFERENCE.npy ...

Prints one object a pair. A reference of more rows counts as far as ours go.
"""

import json
import sys

import numpy as np


def compared(ours, reference, apart):
    ours, reference = np.load(ours), np.load(reference)[: len(np.load(ours))].astype(np.float32)
    if ours.shape != reference.shape:
        raise SystemExit(f"shapes {ours.shape} and {reference.shape}")
    top = np.sort(reference, axis=1)
    clear = top[:, -1] - top[:, -2] > apart
    return {
        "largest": float(np.abs(ours.astype(np.float64) - reference).max()),
        "finite": bool(np.isfinite(ours).all()),
        "range": float(reference.max() - reference.min()),
        "rows": len(ours),
        "clear": int(clear.sum()),
        "other": int((ours.argmax(1) != reference.argmax(1))[clear].sum()),
    }


apart = float(sys.argv[1])
print(json.dumps([compared(*pair.split("="), apart) for pair in sys.argv[2:]]))
