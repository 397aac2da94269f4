"""Makes linear-numpy.npz: what NumPy's linear algebra says about small matrices.

Run it here: python linear-make.py (numpy 2.4).
"""

import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
random = np.random.default_rng(11)

square = random.normal(size=(12, 12))
tall = random.normal(size=(9, 5))
wide = random.normal(size=(5, 9))
deficient = random.normal(size=(8, 3)) @ random.normal(size=(3, 6))
symmetric = square + square.T
definite = square @ square.T + np.eye(12)
arrays = {
    "square": square, "tall": tall, "wide": wide, "deficient": deficient, "symmetric": symmetric,
    "definite": definite, "right": random.normal(size=(12, 3)), "rightTall": random.normal(size=9),
    "rightWide": random.normal(size=(5, 2)), "rightDeficient": random.normal(size=(8, 2)),
}
arrays["solve"] = np.linalg.solve(square, arrays["right"])
arrays["determinant"] = np.linalg.det(square)
arrays["logDeterminant"] = np.array(np.linalg.slogdet(square))
arrays["inverse"] = np.linalg.inv(square)
arrays["cholesky"] = np.linalg.cholesky(definite)
arrays["eigenvalues"] = np.linalg.eigvalsh(symmetric)
arrays["power5"] = np.linalg.matrix_power(square, 5)
arrays["power-2"] = np.linalg.matrix_power(square, -2)
for name in ["square", "tall", "wide", "deficient"]:
    matrix = arrays[name]
    q, r = np.linalg.qr(matrix)
    sign = np.sign(np.diag(r))  # each column of Q has a sign of its own
    arrays[f"{name}/q"], arrays[f"{name}/r"] = q * sign, r * sign[:, None]
    arrays[f"{name}/values"] = np.linalg.svd(matrix, compute_uv=False)
    arrays[f"{name}/pseudoInverse"] = np.linalg.pinv(matrix, rcond=1e-13)
    arrays[f"{name}/rank"] = np.array(np.linalg.matrix_rank(matrix), dtype="i4")
    arrays[f"{name}/norms"] = np.array([np.linalg.norm(matrix, kind) for kind in ["fro", 2, "nuc", 1, np.inf]])
    arrays[f"{name}/vectorNorms"] = np.array([np.linalg.norm(matrix.ravel(), p) for p in [0, 1, 2, 3.5, np.inf]])
for name, right in [("tall", "rightTall"), ("wide", "rightWide"), ("deficient", "rightDeficient")]:
    arrays[f"{name}/leastSquares"] = np.linalg.lstsq(arrays[name], arrays[right], rcond=1e-13)[0]
np.savez_compressed(here / "linear-numpy.npz", **arrays)
