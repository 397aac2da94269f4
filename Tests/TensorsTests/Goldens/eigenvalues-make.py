"""Makes eigenvalues-numpy.npz: square matrices and the eigenvalues that numpy.linalg.eigvals finds.

Run it here: python eigenvalues-make.py (numpy 2.4).
"""

import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
random = np.random.default_rng(5)

turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
cycle = np.roll(np.eye(8), 1, axis=0)  # all eigenvalues have magnitude 1: plain shifts go round in a circle
uneven = random.normal(size=(10, 10)) * np.outer(10.0 ** np.arange(-5, 5), 10.0 ** np.arange(5, -5, -1))
low = random.normal(size=(16, 3)) @ random.normal(size=(3, 16))
matrices = {
    "one": np.array([[-2.5]]), "turn": turn, "cycle": cycle, "uneven": uneven, "low": low,
    "triangle": np.triu(random.normal(size=(6, 6))), "zero": np.zeros((4, 4)),
    "seven": random.normal(size=(7, 7)), "sixty": random.normal(size=(60, 60)),
    "symmetric": (lambda a: a + a.T)(random.normal(size=(9, 9))),
}
arrays = {}
for name, matrix in matrices.items():
    values = np.linalg.eigvals(matrix).astype(complex)
    arrays[f"{name}/matrix"] = matrix
    arrays[f"{name}/real"], arrays[f"{name}/imaginary"] = values.real, values.imag
np.savez_compressed(here / "eigenvalues-numpy.npz", **arrays)
