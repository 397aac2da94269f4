"""Makes sorting-numpy.npz: what NumPy says about an array with ties, zeros of both signs, infinities and NaN.

Run it here: python sorting-make.py (numpy 2.4).
"""

import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
random = np.random.default_rng(5)

values = np.round(random.normal(size=(6, 70, 5)) * 4) / 4
values[values == 0] = random.choice([0.0, -0.0], size=np.count_nonzero(values == 0))
values[0, 3, 1] = values[0, 9, 1] = values[4, 69, 4] = np.nan
values[1, 2, 2], values[1, 5, 2], values[1, 6, 2] = np.inf, -np.inf, np.inf
clean = np.nan_to_num(values, nan=0.125, posinf=9.5, neginf=-9.5)

arrays = {"values": values, "clean": clean}
for axis in range(3):
    arrays[f"sorted{axis}"] = np.sort(values, axis=axis, kind="stable")
    arrays[f"argsort{axis}"] = np.argsort(values, axis=axis, kind="stable").astype("i4")
    arrays[f"median{axis}"] = np.median(values, axis=axis)
    for share in [0, 0.1, 0.25, 0.5, 0.731, 1]:
        arrays[f"quantile{axis}/{share}"] = np.quantile(clean, share, axis=axis)
arrays["median"] = np.median(clean)
arrays["quantile"] = np.quantile(clean, 0.9)

different, counts = np.unique(values, return_counts=True)
inverse = np.unique(values, return_inverse=True)[1]
arrays |= {"unique": different, "counts": counts.astype("i4"), "inverse": inverse.reshape(values.shape).astype("i4")}

sorted_vector = np.sort(values[:, :, 1].ravel())
sought = np.concatenate([different, different + 0.1, [-100, 100]])
arrays |= {
    "vector": sorted_vector,
    "sought": sought,
    "left": np.searchsorted(sorted_vector, sought, side="left").astype("i4"),
    "right": np.searchsorted(sorted_vector, sought, side="right").astype("i4"),
}
np.savez_compressed(here / "sorting-numpy.npz", **arrays)
