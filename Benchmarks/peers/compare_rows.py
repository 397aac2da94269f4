"""The largest difference of rows of numbers: `python compare_rows.py ROWS.json REFERENCE.npy`."""

import json
import sys

import numpy as np

with open(sys.argv[1], encoding="utf-8") as rows:
    mine = np.array(json.load(rows))
reference = np.load(sys.argv[2])
if mine.shape != reference.shape:
    raise SystemExit(f"shapes {mine.shape} and {reference.shape}")
print(json.dumps(float(np.abs(mine - reference).max())))
