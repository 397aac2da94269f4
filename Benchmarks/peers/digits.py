"""Writes the handwritten digits of scikit-learn as arrays: three stratified splits of four fifths and one.

    python digits.py FOLDER

train-0.npz, test-0.npz and so on: x float32 [n, 8, 8] from 0 to 1, y int32 [n].
"""

import json
import os
import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

folder = sys.argv[1]
images, labels = load_digits(return_X_y=True)
counts = []
for split in range(3):
    parts = train_test_split(images, labels, test_size=0.2, random_state=split, stratify=labels)
    for name, x, y in (("train", parts[0], parts[2]), ("test", parts[1], parts[3])):
        arrays = {"x": (x / 16).astype(np.float32).reshape(-1, 8, 8), "y": y.astype(np.int32)}
        np.savez(os.path.join(folder, f"{name}-{split}.npz"), **arrays)
        counts.append(len(y))
print(json.dumps({"train": counts[0], "test": counts[1]}))
